internal import PipelineByteText
internal import PipelineURIs

/// The query of a URL of another tool, as a workflow has it.
package enum URLQuery: Sendable {
  package typealias Field = (name: String, value: ForeignText)

  /// Decoded fields. A run makes the bytes that the other tool sends from them.
  case fields([Field])
  /// The query as it is sent, which is part of an endpoint.
  case written(ForeignText)

  /// - Parameter text: What follows the `?`.
  package init(_ text: ForeignText) {
    let sent = text.mapTexts { Self.sent($0) } ?? text
    self = Self.fields(of: sent).map(URLQuery.fields) ?? .written(sent)
  }

  /// The fields of a query; `nil` if a run would make another query of them: a field is not
  /// `name=value`, those of one name are apart, or a character is encoded in another way.
  private static func fields(of sent: ForeignText) -> [Field]? {
    var fields: [Field] = []
    for piece in sent.split(at: "&") {
      guard let (name, value) = piece.cut(at: "="), let word = name.plain.flatMap(Self.decoded),
        !word.isEmpty, let content = value.mapTexts(Self.decoded)
      else { return nil }
      fields.append((word, content))
    }
    return FieldOrder.isKept(fields.map(\.name)) ? fields : nil
  }

  /// The text that a run encodes in this way; `nil` if there is none.
  private static func decoded(_ sent: String) -> String? {
    guard let text = URI.percentDecode(sent), URI.percentEncode(text).equals(bytes: sent) else {
      return nil
    }
    return text
  }

  // MARK: Bytes

  private static let unencoded = ASCIISet.unreserved.union(ASCIISet(":/?#[]@!$&'()*+,;=%"))

  /// A part of a URL in which only what no URL may hold is encoded.
  package static func sent(_ text: String) -> String {
    URI.percentEncode(encodingSigns(text), allowing: unencoded)
  }

  /// A text in which each `%` begins an encoded octet: another one is a sign, and is encoded itself.
  private static func encodingSigns(_ text: String) -> String {
    guard text.contains(ascii: "%") else { return text }
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      encoded.append(byte)
      let isOctet =
        index + 2 < bytes.count && URI.hexadecimalValue(bytes[index + 1]) != nil
        && URI.hexadecimalValue(bytes[index + 2]) != nil
      if byte == UInt8(ascii: "%"), !isOctet { encoded += "25".utf8 }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  // MARK: Credentials

  private static let partLimit = 4

  /// The template of a credential in a query, which sends the same bytes; `nil` if it would have too
  /// many parts.
  ///
  /// What is inserted is encoded in one way, and clients have others: `%2f`, `+`, a plain `/`. Such
  /// characters stay between the parts of the credential.
  ///
  /// - Parameters:
  ///   - value: The credential as it is sent.
  ///   - insertion: The template of a part, which is decoded.
  package static func template(
    ofCredential value: String, _ insertion: (String) -> String
  ) -> (text: String, inputs: Int, isDivided: Bool)? {
    let pieces = pieces(of: value)
    let count = pieces.count(where: \.isSecret)
    guard (1...partLimit).contains(count) else { return nil }
    let text = pieces.map { piece in
      piece.isSecret ? insertion(piece.text) : piece.text.replacing(bytes: "{{", with: "{{{{")
    }.joined()
    return (text, count, pieces.count > 1)
  }

  /// The parts of an encoded value, decoded, and what is between them, as it is written.
  private static func pieces(of value: String) -> [(text: String, isSecret: Bool)] {
    var pieces: [(text: String, isSecret: Bool)] = []
    var run = ""
    func endRun() {
      if run.isEmpty { return }
      pieces.append((URI.percentDecode(run) ?? run, true))
      run = ""
    }
    for token in octets(of: value) {
      let isUsual =
        token.utf8.count == 1
        ? ASCIISet.unreserved.contains(token.utf8[token.startIndex])
        : token.utf8.count == 3 && token.uppercased().equals(bytes: token)
          && URI.percentDecode(token).map { !URI.percentEncode($0).equals(bytes: $0) } != false
      if isUsual {
        run += token
      } else {
        endRun()
        if pieces.last?.isSecret == false {
          pieces[pieces.count - 1].text += token
        } else {
          pieces.append((token, false))
        }
      }
    }
    endRun()
    return pieces
  }

  /// What each byte of a text is written with: itself, or `%` and two digits.
  package static func octets(of sent: String) -> [String] {
    var octets: [String] = []
    var rest = sent[...]
    while let first = rest.utf8.first {
      let token = String(Substring(rest.utf8.prefix(first == UInt8(ascii: "%") ? 3 : 1)))
      octets.append(token)
      rest = rest.dropFirst(bytes: token.utf8.count)
    }
    return octets
  }
}

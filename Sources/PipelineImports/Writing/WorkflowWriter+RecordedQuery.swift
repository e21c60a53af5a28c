internal import PipelineByteText
internal import PipelineURIs

/// A query as a recording has it, byte for byte, without the values of credentials.
extension WorkflowWriter {
  private static let partLimit = 4

  mutating func recorded(query: String, _ line: Int) -> String {
    withoutCredentials(ForeignText(plain: Self.encoded(query)), line) {
      $0.credential($1, $2.plain ?? "", line)
    }
  }

  /// The template of a credential that is encoded in some way.
  ///
  /// What is inserted is encoded in one way, and clients have others: `%2f`, `+`, a plain `/`. So
  /// that the same bytes are sent, such characters stay between the parts of the credential.
  private mutating func credential(_ name: String, _ value: String, _ line: Int) -> String {
    let pieces = Self.pieces(of: value)
    let count = pieces.count(where: \.isSecret)
    guard (1...Self.partLimit).contains(count) else {
      report.approximate(line, "the value of '\(name)' is encoded in another way")
      return insertion(of: name, ForeignText(plain: URI.percentDecode(value) ?? value), line)
    }
    if pieces.count > 1 {
      let inputs = count == 1 ? "a secret input" : "\(count) secret inputs"
      report.approximate(
        line,
        "the value of '\(name)' has characters that are encoded in another way than inputs are; what"
          + " is beside them is \(inputs)")
    }
    return pieces.map { piece in
      piece.isSecret
        ? insertion(of: name, ForeignText(plain: piece.text), line) : Self.escaped(piece.text)
    }.joined()
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
    var rest = value[...]
    while let first = rest.utf8.first {
      let isEscape = first == UInt8(ascii: "%")
      let token = String(Substring(rest.utf8.prefix(isEscape ? 3 : 1)))
      rest = rest.dropFirst(bytes: token.utf8.count)
      let isUsual =
        isEscape
        ? token.utf8.count == 3 && token.uppercased().equals(bytes: token)
          && URI.percentDecode(token).map { !URI.percentEncode($0).equals(bytes: $0) } != false
        : ASCIISet.unreserved.contains(first)
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
}

internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineURIs

/// The body of a response, read as JSON once if it is known to be needed.
struct ResponseBody {
  enum Content: Sendable {
    case json(JSONNode)
    /// Not JSON by its media type, and not an object or a list by its text.
    case text
    case empty
    /// JSON by its media type, but not by its text.
    case broken(JSONSyntaxError)
    /// JSON by its media type, but its bytes are not a text that can be read.
    case unreadable(TextProblem)
    /// Not of the format in which the step reads it.
    case unfit(BodyProblem)
  }

  /// Why bytes cannot be read as text.
  struct TextProblem: Error {
    /// The problem with the body, as a phrase that follows "the body".
    let message: String
  }

  let response: TransportResponse
  /// The URL that answered, after redirects.
  let url: RequestURL
  private let known: Content?
  /// How the step reads it; `nil` for JSON, if it is.
  let reading: BodyReading?
  /// What stands for the rows that wait on the disk, by extractor; `nil` if the body is in memory.
  let rows: [String: [UInt8]]?

  /// - Parameters:
  ///   - content: The content of the body, if it was read before.
  ///   - reading: How the step reads it, if it has `read`.
  ///   - isRead: Whether the content will be asked for: it is then read here, and once.
  /// - Complexity: O(bytes) if `isRead`.
  init(
    of response: TransportResponse, from url: RequestURL, content: Content?,
    reading: BodyReading?, isRead: Bool, rows: [String: [UInt8]]? = nil
  ) {
    self.rows = rows
    self.response = response
    self.url = url
    self.reading = reading
    known = content ?? (isRead ? Self.content(of: response, reading) : nil)
  }

  /// - Complexity: O(1) if the body is known to be read, else O(bytes).
  var content: Content { known ?? Self.content(of: response, reading) }

  static func content(of response: TransportResponse, _ reading: BodyReading?) -> Content {
    reading.map { $0.content(of: response) } ?? content(of: response)
  }

  private static func content(of response: TransportResponse) -> Content {
    guard !response.body.isEmpty else { return .empty }
    // Asked for only if the text leaves a doubt.
    var isJSON: Bool { Self.isJSON(response.header("content-type") ?? "") }
    guard Self.mayBeJSON(response.body) || isJSON else { return .text }
    do throws(JSONSyntaxError) {
      return .json(try JSONDocument.parse(response.body).root)
    } catch {
      return isJSON ? recoded(response, error) : .text
    }
  }

  /// The content of a body that is not JSON in UTF-8, as RFC 8259 §8.1 demands. It may be in the
  /// encoding of its mark or its media type.
  private static func recoded(_ response: TransportResponse, _ error: JSONSyntaxError) -> Content {
    do throws(TextProblem) {
      let text = try text(of: response)
      // In UTF-8 it was tried already.
      guard !text.utf8.elementsEqual(response.body) else { return .broken(error) }
      do throws(JSONSyntaxError) {
        return .json(try JSONDocument.parse(Array(text.utf8)).root)
      } catch {
        return .broken(error)
      }
    } catch {
      return .unreadable(error)
    }
  }

  var json: JSONNode? {
    if case .json(let node)? = known { return node }
    if case .json(let node) = content { return node }
    return nil
  }

  /// The body as text: in the encoding that its byte order mark names, else its media type's
  /// `charset`, else UTF-8. A document's own word for it, as HTML's `meta`, is not looked for.
  ///
  /// - Complexity: O(bytes).
  func text() throws(TextProblem) -> String { try Self.text(of: response) }

  private static func text(of response: TransportResponse) throws(TextProblem) -> String {
    let bytes = response.body
    let marked = Charset.marked(bytes)
    let label = Charset.label(in: response.header("content-type") ?? "")
    let named: Charset? =
      if let marked { marked.charset } else if let label { Charset(label: label) } else { .utf8 }
    guard let charset = named else {
      throw TextProblem(
        message: "is in the charset '\((label ?? "").shortened(to: 40))', which cannot be read; "
          + "'save' keeps its bytes")
    }
    if let text = charset.text(of: bytes[(marked?.length ?? 0)...]) { return text }
    let reason = marked != nil || label != nil ? "" : ", which it is without a charset"
    throw TextProblem(message: "is not text in \(charset.words)\(reason); 'save' keeps its bytes")
  }

  /// The media type without parameters, in lower case; empty if the response names none.
  var mediaType: String { Self.mediaType(response.header("content-type") ?? "") }

  static func mediaType(_ contentType: String) -> String {
    if contentType == "application/json" { return contentType }
    return contentType.prefix(before: ";").trimmed.lowercasedASCII
  }

  /// `application/json`, `text/json`, and whatever ends in `+json` (RFC 6839 §3.1).
  static func isJSON(_ contentType: String) -> Bool {
    if contentType == "application/json" || contentType.hasPrefix(bytes: "application/json;") {
      return true
    }
    let type = mediaType(contentType)
    return type == "application/json" || type == "text/json" || type.hasSuffix(bytes: "+json")
  }

  /// Whether a text without a JSON media type begins like an object or a list.
  private static func mayBeJSON(_ body: [UInt8]) -> Bool {
    let first = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The parts of the body that can be read as JSON, however broken.
  ///
  /// A format of its own has other places than its bytes.
  var readable: JSONNode? {
    if reading != nil { return nil }
    return switch content {
    case .json(let node): node
    case .broken: JSONDocument.parseRecovering(response.body).0.root
    case .text, .empty, .unreadable, .unfit: nil
    }
  }

  /// The first of the body on one line, for messages; `nil` if there is none.
  ///
  /// - Parameter secrets: The secrets that the step's extractors find in it.
  func excerpt(_ redactor: Redactor, hiding secrets: ResponseSecrets? = nil) -> String? {
    guard !response.body.isEmpty else { return nil }
    if secrets?.hidesBody == true { return outline.shortened(to: 300) }
    // More is searched than is shown: a secret that is cut in two would not be found.
    let bytes = Array(beginning(Self.searched).utf8)
    var places = redactor.places(in: bytes, isCut: response.bodySize > Self.searched)
    if let secrets {
      if response.body.starts(with: bytes) { places.add(secrets.places) }
      places.add(secrets.unplaced.places(in: bytes))
      places.add(secrets.values.places(in: bytes, from: SecretIndex.shortest))
    }
    let text = String(decoding: places.masked(bytes, upTo: Self.searched / 2), as: UTF8.self)
    let line = text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
    return response.body.count > Self.searched / 2 && line.count <= 300
      ? line + "…" : line.shortened(to: 300)
  }

  /// How much of a body is searched for an excerpt, in bytes.
  private static let searched = 8 << 10

  /// The body's shape without any of its texts and numbers.
  var outline: String {
    guard case .json(let node) = content else { return Redactor.mask }
    return Self.outline(of: node)
  }

  /// A value's shape without any of its texts and numbers.
  static func outline(of node: JSONNode) -> String {
    var writer = JSONWriter(style: .compact)
    writer.writeOutline(of: node)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The text of the first bytes, for people. Bytes that are not text are only counted.
  private func beginning(_ count: Int) -> String {
    var part = response
    // A text that was cut may end within a character.
    for end in (0..<4).map({ min(response.body.count, count) - $0 }) where end > 0 {
      part.body = Array(response.body[..<end])
      if let text = try? Self.text(of: part) { return text }
    }
    return "(\(response.bodySize) bytes that are not text)"
  }

  /// Why the body cannot be queried.
  func notJSON(_ redactor: Redactor) -> (message: String, hints: [String]) {
    switch content {
    case .json: return ("the body is JSON", [])
    case .empty: return ("the response has no body", [])
    case .broken(let error) where error.code == .depth:
      return ("the body is too deep: \(error.message)", [])
    case .broken(let error):
      return (
        "the body of type '\(mediaType)' is not valid JSON: \(error.message)"
          + " (byte \(error.range.lowerBound))",
        []
      )
    case .unreadable(let problem):
      return ("the body of type '\(mediaType)' " + problem.message, [])
    case .unfit(let problem): return ("the body " + problem.message, [])
    case .text:
      let type = mediaType.isEmpty ? "of no named type" : "'\(mediaType)'"
      let format = BodyFormat(mediaType: mediaType)
      return (
        "the body is \(type), not JSON"
          + (format.map { "; write \"read\": \"\($0.name)\"" } ?? ""), []
      )
    }
  }
}

extension JSONWriter {
  fileprivate mutating func writeOutline(of node: JSONNode) {
    switch node.kind {
    case .object:
      beginObject()
      for member in node.members {
        name(member.name)
        writeOutline(of: member.value)
      }
      endObject()
    case .array:
      beginArray()
      // The first one shows what the others are like.
      for element in node.elements.prefix(1) { writeOutline(of: element) }
      endArray()
    case .string, .number: string(Redactor.mask)
    case .boolean, .null: value(node)
    }
  }
}

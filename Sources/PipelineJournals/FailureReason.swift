internal import PipelineByteText
package import PipelineJSONText
internal import PipelineTransports

/// Why a step, or one item of it, failed.
///
/// One word, for whatever may fail has room for a failure.
public struct FailureReason: Error, Sendable {
  /// The kind of failure, as `error.kind` names it in a workflow.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// No complete response: the name, the connection, TLS, an interruption.
    case network
    /// The response, or the end of polling, did not come in time.
    case timeout
    /// A status that the step does not expect.
    case status
    /// A condition of `expect` does not hold.
    case expect
    /// An extractor found nothing, or not what it must find.
    case extract
    /// The body does not satisfy the schema.
    case schema
    /// A limit of the run or of the language was reached.
    case limit
    /// A value does not fit at the place of its template, query or condition. Nothing was sent.
    case value
    /// A file cannot be read or written.
    case file
    /// The workflow itself asks for it, or a step in Swift threw an error.
    case fail
    /// The run was cancelled while the step was at work.
    case cancelled
  }

  private struct Content: Sendable, Equatable {
    var kind: Kind
    var message: String
    var range: Range<Int>?
    var request: RequestSummary?
    var status: Int?
    var excerpt: String?
    var hints: [String]
    /// JSON text.
    var details: String?
  }

  private var content: Boxed<Content>

  /// The kind of failure.
  public var kind: Kind {
    get { content.value.kind }
    set { content.value.kind = newValue }
  }

  /// The failure, as one phrase.
  public var message: String {
    get { content.value.message }
    set { content.value.message = newValue }
  }

  /// The place of the cause in the workflow file; `nil` for the step as a whole.
  public var range: Range<Int>? {
    get { content.value.range }
    set { content.value.range = newValue }
  }

  /// The request that failed.
  public var request: RequestSummary? {
    get { content.value.request }
    set { content.value.request = newValue }
  }

  /// The status of the response, if there was one.
  public var status: Int? {
    get { content.value.status }
    set { content.value.status = newValue }
  }

  /// The first of the response's body, as text.
  public var excerpt: String? {
    get { content.value.excerpt }
    set { content.value.excerpt = newValue }
  }

  /// Lines that help: what was there instead, what to try.
  public var hints: [String] {
    get { content.value.hints }
    set { content.value.hints = newValue }
  }

  /// The author's details of a failure of kind `fail`, as JSON text.
  public var details: String? {
    get { content.value.details }
    set { content.value.details = newValue }
  }

  /// A failure of a kind, with details that help to understand it.
  ///
  /// - Parameters:
  ///   - kind: What went wrong, on which `retry` and `onError` depend.
  ///   - message: What went wrong, as one phrase.
  ///   - range: The place in the workflow file.
  ///   - request: The request that failed.
  ///   - status: The status of its response.
  ///   - excerpt: The beginning of the body of its response.
  ///   - hints: What may help to solve it.
  public init(
    _ kind: Kind, _ message: String, at range: Range<Int>? = nil,
    request: RequestSummary? = nil, status: Int? = nil, excerpt: String? = nil,
    hints: [String] = []
  ) {
    content = Boxed(
      Content(
        kind: kind, message: message, range: range, request: request, status: status,
        excerpt: excerpt, hints: hints))
  }

  /// Where a text of a failure comes from.
  package enum TextOrigin {
    /// The engine wrote it.
    case engine
    /// The URL of a request.
    case url
    /// A server sent it, or an author's data holds it.
    case outside
  }

  /// The failure with each of its texts changed, or itself if none changes.
  package func mapTexts(_ change: (String, TextOrigin) -> String) -> FailureReason {
    var content = content.value
    content.message = change(content.message, .engine)
    if let url = content.request?.url { content.request?.url = change(url, .url) }
    content.excerpt = content.excerpt.map { change($0, .outside) }
    content.hints = content.hints.map { change($0, .engine) }
    content.details = content.details.map { Self.changed(json: $0) { change($0, .outside) } }
    guard content != self.content.value else { return self }
    var failure = self
    failure.content.value = content
    return failure
  }

  /// JSON text with each of its texts changed, and each number whose digits are.
  private static func changed(json text: String, _ change: (String) -> String) -> String {
    guard change(text) != text, let document = try? JSONDocument.parse(Array(text.utf8)) else {
      return text
    }
    var writer = JSONWriter(style: .compact)
    func write(_ node: JSONNode) {
      switch node.kind {
      case .object:
        writer.beginObject()
        for member in node.members {
          writer.name(change(member.name))
          write(member.value)
        }
        writer.endObject()
      case .array:
        writer.beginArray()
        for element in node.elements { write(element) }
        writer.endArray()
      case .string: writer.string(change(node.string ?? ""))
      case .number:
        let digits = change(node.text)
        if digits.equals(bytes: node.text) { writer.value(node) } else { writer.string(digits) }
      case .boolean, .null: writer.value(node)
      }
    }
    write(document.root)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The failure, with texts that it shares with another one held once, and the bytes of its own
  /// texts.
  package func sharing(with other: FailureReason?) -> (FailureReason, textSize: Int) {
    var content = content.value
    var textSize = content.request?.url.utf8.count ?? 0
    func share<Text: Equatable>(_ text: inout Text, _ other: Text?, _ size: Int) {
      if let other, other == text { text = other } else { textSize += size }
    }
    share(&content.message, other?.message, content.message.utf8.count)
    share(&content.excerpt, other?.excerpt, content.excerpt?.utf8.count ?? 0)
    share(&content.details, other?.details, content.details?.utf8.count ?? 0)
    share(&content.hints, other?.hints, content.hints.reduce(0) { $0 + $1.utf8.count })
    var failure = self
    failure.content.value = content
    return (failure, textSize)
  }

  /// A request as a message names it, secrets hidden.
  public struct RequestSummary: Sendable, Hashable {
    /// The method of the request.
    public var method: String
    /// The URL of the request, secrets hidden.
    public var url: String
    /// Attempts made, the failed last one included.
    public var attempts: Int

    /// A request, with the number of its attempts.
    public init(method: String, url: String, attempts: Int) {
      self.method = method
      self.url = url
      self.attempts = attempts
    }
  }
}

extension FailureReason {
  /// Writes the members that journals keep of a failure: `kind`, `status` if there is one, `message`.
  package func writeFacts(to writer: inout JSONWriter) {
    writer.member("kind", kind.rawValue)
    if let status { writer.member("status", status) }
    writer.member("message", message)
  }
}

extension FailureReason: CustomStringConvertible {
  /// The message, and the request that it is about.
  public var description: String {
    guard let request else { return message }
    return "\(request.method) \(request.url) \(message)"
  }
}

public import SourceText

/// Why a step, or one item of it, failed.
///
/// One word, for whatever may fail has room for a failure.
public struct Failure: Error, Sendable {
  /// What went wrong, as `error.kind` names it in a workflow.
  public enum Kind: String, Sendable, Hashable {
    /// No complete response: the name, the connection, TLS, an interruption.
    case network
    case timeout
    /// A status that the step does not expect.
    case status
    /// A condition of `expect` does not hold.
    case expect
    /// An extractor found nothing, or not what it must find.
    case extract
    case schema
    /// A limit of the run or of the language was reached.
    case limit
    /// A value cannot stand where a template, a query or a condition puts it; nothing was sent.
    case value
    /// A file cannot be read or written.
    case file
    /// The run was cancelled while the step was at work.
    case cancelled
  }

  private struct Content: Sendable {
    var kind: Kind
    var message: String
    var range: Range<Int>?
    var request: RequestSummary?
    var status: Int?
    var excerpt: String?
    var hints: [String]
  }

  private var content: Boxed<Content>

  public var kind: Kind {
    get { content.value.kind }
    set { content.value.kind = newValue }
  }

  /// What happened, as one phrase.
  public var message: String {
    get { content.value.message }
    set { content.value.message = newValue }
  }

  /// Where in the workflow file the cause stands; `nil`: the step as a whole.
  public var range: Range<Int>? {
    get { content.value.range }
    set { content.value.range = newValue }
  }

  /// The request that failed.
  public var request: RequestSummary? {
    get { content.value.request }
    set { content.value.request = newValue }
  }

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

  /// A request as a message names it, secrets hidden.
  public struct RequestSummary: Sendable, Hashable {
    public var method: String
    public var url: String
    /// Attempts made, the failed last one included.
    public var attempts: Int

    public init(method: String, url: String, attempts: Int) {
      self.method = method
      self.url = url
      self.attempts = attempts
    }
  }
}

/// A failure and whose it is.
public struct StepFailure: Sendable {
  /// The step's id; inside of blocks the ids from outside, joined with dots.
  public let step: String
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The item's number, from 0, where the step runs over a collection.
  public let item: Int?
  public let failure: Failure
  /// The whole step in its file, for a failure without a place of its own.
  public let stepRange: Range<Int>
  /// The file that the step stands in.
  public let source: SourceFile

  public init(
    step: String, path: [Int], item: Int?, failure: Failure, stepRange: Range<Int>,
    source: SourceFile
  ) {
    self.step = step
    self.path = path
    self.item = item
    self.failure = failure
    self.stepRange = stepRange
    self.source = source
  }
}

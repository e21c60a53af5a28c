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

  private indirect enum Box: Sendable {
    case content(Content)
  }

  private var box: Box

  private var content: Content {
    get {
      switch box {
      case .content(let content): content
      }
    }
    set { box = .content(newValue) }
  }

  public var kind: Kind {
    get { content.kind }
    set { content.kind = newValue }
  }

  /// What happened, as one phrase.
  public var message: String {
    get { content.message }
    set { content.message = newValue }
  }

  /// Where in the workflow file the cause stands; `nil`: the step as a whole.
  public var range: Range<Int>? {
    get { content.range }
    set { content.range = newValue }
  }

  /// The request that failed.
  public var request: RequestSummary? {
    get { content.request }
    set { content.request = newValue }
  }

  public var status: Int? {
    get { content.status }
    set { content.status = newValue }
  }

  /// The first of the response's body, as text.
  public var excerpt: String? {
    get { content.excerpt }
    set { content.excerpt = newValue }
  }

  /// Lines that help: what was there instead, what to try.
  public var hints: [String] {
    get { content.hints }
    set { content.hints = newValue }
  }

  public init(
    _ kind: Kind, _ message: String, at range: Range<Int>? = nil,
    request: RequestSummary? = nil, status: Int? = nil, excerpt: String? = nil,
    hints: [String] = []
  ) {
    box = .content(
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

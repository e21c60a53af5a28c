/// Steps of the file, counted by how they ended, without steps inside blocks.
public struct RunCounts: Sendable, Hashable {
  /// Steps that succeeded.
  public var succeeded = 0
  /// Steps that failed and recovered.
  public var recovered = 0
  /// Steps that did not run.
  public var skipped = 0
  /// Steps that failed.
  public var failed = 0
  /// Steps that were at work, or had items left, when the run stopped.
  public var cancelled = 0
  /// Requests sent, retries included.
  public var requests = 0
  /// The bytes of all bodies that were received.
  public var bytesReceived = 0
  /// Items of collections that ended.
  public var items = 0
  /// Answers that a cache gave, and for which nothing was sent.
  public var cached = 0
  /// Answers that a cache gave after the server had confirmed them.
  public var validated = 0
  /// Requests and waits that an earlier process of the run has carried out, and whose values were
  /// taken.
  public var taken = 0
  /// Requests that must not be sent twice, may have arrived, and have an unknown outcome. Only a
  /// run with a journal counts them.
  public var inDoubt = 0
  /// Units of other parts of the run that were not found, and that this part must not carry out.
  package var refused = 0

  /// Counts of zero.
  public init() {}
}

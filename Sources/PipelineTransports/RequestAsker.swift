public import PipelineRecordings

/// The origin of a request: what a transport that records or replays needs to know about it.
public final class RequestAsker: Sendable {
  /// Which step asks, for which item, page, poll and attempt.
  public let key: RecordingKey
  /// Why the request is sent.
  public let cause: RequestCause
  /// The positions of the items around, as `key.path` has them, but without the numbers of rounds.
  /// Requests of one step with the same positions share a list of answers.
  package let group: [Int]
  /// The request as its sender knows it.
  package let source: any RequestSource

  package init(
    _ key: RecordingKey, group: [Int], _ cause: RequestCause, _ source: any RequestSource
  ) {
    (self.key, self.group, self.cause, self.source) = (key, group, cause, source)
  }
}

/// What the sender of a request knows of it. This boundary hands it through.
package protocol RequestSource: AnyObject, Sendable {}

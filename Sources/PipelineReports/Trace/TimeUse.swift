/// The use of a moment of a run.
package enum TimeUse: String, Decodable, Sendable, CaseIterable {
  /// Waiting for the first byte of an answer.
  case server
  /// Looking names up, connecting, and TLS.
  case connecting
  /// Receiving an answer after its first byte.
  case receiving
  /// Waiting for a turn under `limits.rate` or `limits.ratePerOrigin`.
  case rate
  /// Waiting for the end of a pause that a server asked for.
  case pause
  /// Waiting for requests that a server takes again, as it has announced.
  case announced
  /// The pauses of `retry`.
  case retry
  /// The pauses of `poll`.
  case poll
  /// The steps that wait.
  case wait
  /// Waiting for a place among the requests in flight.
  case place
  /// The run was paused by a person.
  case stopped
  /// Work that was under way when a process was killed.
  case cutOff
  /// Work that a process is at.
  case underWay
  /// Work of this program: values, conditions, checks, and starting further work.
  case engine

  /// As reports name it.
  package var title: String {
    switch self {
    case .server: "waiting for answers"
    case .connecting: "connecting"
    case .receiving: "receiving"
    case .rate: "rate limit"
    case .pause: "pauses that servers asked for"
    case .announced: "limits that servers announced"
    case .retry: "pauses before retries"
    case .poll: "pauses of polls"
    case .wait: "steps that wait"
    case .place: "waiting for a slot"
    case .stopped: "paused"
    case .cutOff: "cut off by the end of a process"
    case .underWay: "under way"
    case .engine: "pipeline itself"
    }
  }
}

internal import PipelineByteText
internal import PipelineKit
internal import SQLiteJournals
internal import Synchronization

/// The newest run of each workflow file that the store has.
final class LastRuns: Sendable {
  private struct Known {
    var newest: [ExactText: StoredRun] = [:]
    var readAt = -Double.infinity
  }

  /// Reads the summaries of all runs.
  private let read: @Sendable () -> [StoredRun]
  private let now: @Sendable () -> Double
  private let known = Mutex(Known())

  /// How long what was read is taken as it was, in seconds.
  private static let pause = 5.0

  static var none: LastRuns { LastRuns(now: { 0 }, read: { [] }) }

  /// - Parameter now: The time in seconds since 1970-01-01T00:00:00Z.
  init(now: @escaping @Sendable () -> Double, read: @escaping @Sendable () -> [StoredRun]) {
    self.now = now
    self.read = read
  }

  /// A run has ended.
  func forget() { known.withLock { $0 = Known() } }

  /// The newest run of a file, in words, and the run's id.
  func run(of path: String) -> (id: String, text: String)? {
    let time = now()
    let run = known.withLock { known in
      if time - known.readAt > Self.pause {
        known = Known(newest: Self.newest(of: read()), readAt: time)
      }
      return known.newest[ExactText(path)]
    }
    return run.map { ($0.id, Self.text(of: $0, at: time)) }
  }

  private static func newest(of runs: [StoredRun]) -> [ExactText: StoredRun] {
    var newest: [ExactText: StoredRun] = [:]
    for run in runs {
      guard let path = run.path.map({ ExactText($0) }) else { continue }
      if newest[path].map({ $0.startedAt < run.startedAt }) ?? true { newest[path] = run }
    }
    return newest
  }

  private static func text(of run: StoredRun, at time: Double) -> String {
    let result =
      switch run.status {
      case .failed: run.failed.map { "\($0) failed" } ?? "failed"
      case .succeeded, .cancelled, .running, .interrupted: run.status.rawValue
      }
    let requests = run.requests.map { ", " + $0.counting("request") } ?? ""
    return "last run \(run.age(at: time)): \(result)\(requests)"
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLint
internal import SQLiteJournals
internal import Synchronization

/// The newest run of each workflow file that the store has, and what its steps gave.
final class LastRuns: Sendable {
  private struct Known {
    var newest: [ExactText: StoredRun] = [:]
    var readAt = -Double.infinity
  }

  /// Reads the summaries of all runs.
  private let read: @Sendable () -> [StoredRun]
  /// Reads the values that a step gave in a run.
  private let readValues: @Sendable (_ step: String, _ run: String) -> JSONDocument?
  private let now: @Sendable () -> Double
  private let known = Mutex(Known())

  /// How long what was read is taken as it was, in seconds.
  private static let pause = 5.0

  static var none: LastRuns { LastRuns(now: { 0 }, read: { [] }) }

  /// - Parameters:
  ///   - now: The time in seconds since 1970-01-01T00:00:00Z.
  ///   - readValues: The values that a step gave in a run, by the path of the step and the run's id.
  ///   - read: The summaries of all runs.
  init(
    now: @escaping @Sendable () -> Double,
    readValues: @escaping @Sendable (_ step: String, _ run: String) -> JSONDocument? = { _, _ in
      nil
    },
    read: @escaping @Sendable () -> [StoredRun]
  ) {
    self.now = now
    self.readValues = readValues
    self.read = read
  }

  /// A run has ended.
  func forget() { known.withLock { $0 = Known() } }

  /// The newest run of a file, in words, and the run's id.
  func run(of path: String) -> (id: String, text: String)? {
    let time = now()
    return newest(of: path, at: time).map { ($0.id, Self.text(of: $0, at: time)) }
  }

  /// A value that a step gave in the newest run of a file, in words.
  func value(_ source: WorkflowAnalysis.ValueSource, in path: String) -> String? {
    let time = now()
    guard let run = newest(of: path, at: time), run.status != .running,
      let value = readValues(source.step, run.id)?.root[source.name]
    else { return nil }
    return "Last run, \(run.age(at: time)): \(WorkflowAnalysis.sample(of: value))"
  }

  private func newest(of path: String, at time: Double) -> StoredRun? {
    known.withLock { known in
      if time - known.readAt > Self.pause {
        known = Known(newest: Self.newest(of: read()), readAt: time)
      }
      return known.newest[ExactText(path)]
    }
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
      case .succeeded, .cancelled, .waiting, .running, .interrupted: run.status.rawValue
      }
    let requests = run.requests.map { ", " + $0.counting("request") } ?? ""
    return "last run \(run.age(at: time)): \(result)\(requests)"
  }
}

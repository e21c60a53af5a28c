internal import PipelineKit

/// Measures how fast something is counted, over the last seconds.
struct Meter: Sendable {
  private var samples: [(time: Duration, count: Int)] = []
  private static let interval = Duration.milliseconds(250)
  private static let most = 20

  /// Notes that `count` was reached at `time`. Times never go back.
  mutating func note(_ count: Int, at time: Duration) {
    if let last = samples.last, time - last.time < Self.interval { return }
    samples.append((time, count))
    if samples.count > Self.most { samples.removeFirst() }
  }

  /// Counts per second until `count` at `time`; `nil` until half a second has been measured.
  func rate(of count: Int, at time: Duration) -> Double? {
    guard let first = samples.first else { return nil }
    let seconds = (time - first.time).seconds
    guard seconds >= 0.5, count > first.count else { return nil }
    return Double(count - first.count) / seconds
  }
}

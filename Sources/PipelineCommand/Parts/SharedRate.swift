internal import PipelineKit
internal import PipelineLanguage

/// One rate that several processes keep together. It reserves times for the requests of this process
/// that wait, in a file that all of them see.
actor SharedRate {
  private let file: SharedFile
  private let rate: Limits.Rate
  private let tolerance: Duration
  private let clock: any RunClock
  /// Reserved times, the first ones first.
  private var times: ArraySlice<Int> = []
  private var waiting = 0

  init(_ rate: Limits.Rate, in file: SharedFile, clock: any RunClock) {
    self.rate = rate
    self.file = file
    self.clock = clock
    tolerance = .nanoseconds(SharedWindow(rate).tolerance)
  }

  private nonisolated var now: Int { Int(clock.wallTime * 1e9) }

  /// Returns when a request may leave.
  ///
  /// - Throws: A `FailureReason` if the file cannot be used, or `CancellationError`.
  nonisolated func waitForTurn() async throws {
    while true {
      let time = try await reserved()
      let pause = Duration.nanoseconds(time - now)
      if pause > .zero { try await clock.sleep(for: pause) }
      // A machine that was busy for too long has lost this turn: others may have the next ones.
      if .nanoseconds(now - time) <= tolerance { return }
    }
  }

  /// The first time that is reserved and not yet over.
  private func reserved() async throws -> Int {
    waiting += 1
    defer { waiting -= 1 }
    while true {
      let now = now
      while let time = times.popFirst() {
        if .nanoseconds(now - time) <= tolerance { return time }
      }
      let reserved = try file.change { [rate, waiting] text in
        var window = SharedWindow(rate)
        window.read(text, at: now)
        let times = window.reserve(waiting, at: now)
        text = window.text
        return times
      }
      if let reserved {
        times = reserved[...]
      } else {
        // Another process has the file for a moment, and no event reports when it is done.
        try await clock.sleep(for: .milliseconds(1))
      }
    }
  }
}

internal import PipelineByteText

/// The wait that took most of a run, and the possible gain.
package struct Bottleneck: Sendable {
  package let use: TimeUse
  /// The share of the run's time, from 0 to 1.
  package let share: Double
  /// For people, as one sentence.
  package let sentence: String
}

extension RunTrace {
  /// The most important fact about the run, as one sentence; `nil` if there is none.
  package var headline: String? {
    didNothing ? "nothing was done: every step was skipped" : bottleneck?.sentence
  }

  /// Whether every step was skipped.
  private var didNothing: Bool {
    counts.skipped > 0 && counts.requests == 0 && counts.taken == 0
      && counts.succeeded + counts.recovered + counts.failed + counts.cancelled == 0
  }

  /// The uses of time on the critical path, the longest first. The parts add up to the duration.
  package var pathUses: [Use] {
    var sums: [Use] = []
    for use in path.flatMap(\.uses) {
      if let index = sums.firstIndex(where: {
        $0.use == use.use && ($0.origin ?? "").equals(bytes: use.origin ?? "")
      }) {
        sums[index].time += use.time
      } else {
        sums.append(use)
      }
    }
    return sums.sorted { ($1.time, $0.use.rawValue) < ($0.time, $1.use.rawValue) }
  }

  /// The use that took most of the run's time; `nil` if it took none.
  package var bottleneck: Bottleneck? {
    guard duration > 0, let top = pathUses.first, top.time > 0 else { return nil }
    let main = step(of: top)
    let share = Double(main?.time ?? top.time) / Double(duration)
    return Bottleneck(
      use: top.use, share: share,
      sentence: "\(percent(share)) of the time was " + sentence(top, main.map { steps[$0.step].id })
    )
  }

  /// What a use was, and what the run could gain.
  ///
  /// - Parameter step: The step that nearly all of it belongs to.
  private func sentence(_ top: Use, _ step: String?) -> String {
    let origin = top.origin ?? ""
    let ofStep = step.map { " of step '\($0)'" } ?? ""
    let inStep = step.map { " in step '\($0)'" } ?? ""
    switch top.use {
    case .rate:
      let limit = mostGaining([limits.rate.map { _ in .rate }, ratePerOrigin])
      let text =
        if case .rate? = limit { "the rate limit of the run" } else {
          "the rate limit of \(origin)"
        }
      return text + gain(limit)
    case .place:
      let limit = mostGaining([.concurrency, limits.perOrigin.map { _ in .perOrigin }])
      return "waiting for a slot" + gain(limit)
    case .pause:
      return "a pause that \(origin) asked for; without it the run could not take less than "
        + leastTime().timeText
    case .announced:
      return "the announced limit of \(origin); without it the run could not take less than "
        + leastTime().timeText
    case .server: return "waiting for answers of \(origin)" + inStep + gain(brake)
    case .connecting: return "connecting to \(origin)" + inStep + gain(brake)
    case .receiving: return "receiving answers of \(origin)" + inStep + gain(brake)
    case .retry: return "pauses before retries" + ofStep + gain(brake)
    case .poll: return "pauses between polls" + ofStep + gain(brake)
    case .wait: return "the waits" + ofStep + gain(brake)
    case .stopped: return "a pause of the run" + gain(nil)
    case .cutOff: return "spent on what the end of a process cut off" + ofStep + gain(nil)
    // What it could gain is known at its end.
    case .underWay: return "spent on what is under way" + ofStep
    case .engine:
      return "spent in pipeline itself" + (step.map { ", in step '\($0)'" } ?? "") + gain(brake)
    }
  }

  private var ratePerOrigin: Limit? { limits.ratePerOrigin.map { _ in .ratePerOrigin } }

  /// The limit that decides how long the run takes; `nil` if none does, or several do.
  private var brake: Limit? {
    guard leastTime() * 10 >= duration * 7 else { return nil }
    let own = least.limited?.doubledSteps.map { Limit.step($0.step) } ?? []
    return mostGaining(
      own + [
        .concurrency, limits.perOrigin.map { _ in .perOrigin }, limits.rate.map { _ in .rate },
        ratePerOrigin,
      ])
  }

  /// The limit with which, if it is doubled, the run could become shortest; `nil` if there is none.
  private func mostGaining(_ limits: [Limit?]) -> Limit? {
    let gains = limits.compactMap { $0 }.map { (limit: $0, time: leastTime(doubling: $0)) }
    // The run's own concurrency comes last among equals.
    guard let best = gains.min(by: { $0.time < $1.time }), best.time * 20 <= duration * 19
    else { return nil }
    return best.limit
  }

  /// What the run could gain with a limit doubled; `nil` for a run without limits.
  private func gain(_ limit: Limit?) -> String {
    guard let limit else {
      guard unlimitedTime > 0 else { return "" }
      return "; even without limits the run could not take less than \(unlimitedTime.timeText)"
    }
    let least = " the run could not take less than \(leastTime(doubling: limit).timeText)"
    switch limit {
    case .concurrency: return "; with 'concurrency' doubled" + least
    case .perOrigin: return "; with 'perOrigin' doubled" + least
    case .rate: return "; with 'rate' doubled" + least
    case .ratePerOrigin: return "; with 'ratePerOrigin' doubled" + least
    case .step(let step):
      let own = steps[step].concurrency ?? 1
      return "; step '\(steps[step].id)' has its own 'concurrency' of \(own), and with \(own * 2)"
        + least
    }
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// The step with nearly all of a use on the critical path, and how much that is.
  private func step(of top: Use) -> (step: Int, time: Int)? {
    var times: [Int: Int] = [:]
    for part in path {
      guard let step = part.step else { continue }
      for use in part.uses
      where use.use == top.use && (use.origin ?? "").equals(bytes: top.origin ?? "") {
        times[step, default: 0] += use.time
      }
    }
    guard let (step, time) = times.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      time * 10 >= top.time * 8
    else { return nil }
    return (step, time)
  }
}

extension Int {
  /// Microseconds for people: `0.4 ms`, `12 ms`, `3.2 s`, `1:05`, `2:00:09`.
  package var timeText: String {
    let time = Swift.max(self, 0)
    func tenths(_ unit: Int) -> String {
      let tenths = (time + unit / 20) / (unit / 10)
      return "\(tenths / 10).\(tenths % 10)"
    }
    if time == 0 { return "0 ms" }
    if time < 9_950 { return tenths(1_000) + " ms" }
    if time < 999_500 { return "\((time + 500) / 1_000) ms" }
    if time < 9_950_000 { return tenths(1_000_000) + " s" }
    if time < 59_500_000 { return "\((time + 500_000) / 1_000_000) s" }
    let seconds = (time + 500_000) / 1_000_000
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 3_600 { return "\(seconds / 60):\(two(seconds % 60))" }
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// With commas between thousands.
  package var groupedText: String {
    let digits = Array(String(magnitude).utf8)
    var result: [UInt8] = self < 0 ? [0x2D] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append(0x2C) }
      result.append(digit)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// With its noun: `1 request`, `2 requests`.
  package func countText(_ noun: String) -> String {
    "\(groupedText) \(noun)\(self == 1 ? "" : "s")"
  }

  /// As a number of bytes (1 KB is 1024 B).
  package var bytesText: String {
    if self < 1024 { return "\(self) B" }
    var value = Double(self) / 1024
    for unit in ["KB", "MB", "GB"] {
      if value < 999.5 {
        let tenths = Int((value * 10).rounded())
        return value < 9.95 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
      }
      value /= 1024
    }
    return "\(Int(value.rounded())) TB"
  }
}

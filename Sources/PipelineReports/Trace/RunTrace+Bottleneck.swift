internal import PipelineByteText

/// The wait that took most of a run, and the possible gain.
package struct Bottleneck: Sendable {
  package let use: TimeUse
  /// Of the run's time, from 0 to 1.
  package let share: Double
  /// For people, as one sentence.
  package let sentence: String
}

extension RunTrace {
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

  /// The minimum time of the run under its limits, or under so many times these limits.
  package func leastTime(concurrency more: Int = 1, rate faster: Int = 1) -> Int {
    var time = least.path
    if limits.concurrency > 0 { time = max(time, least.work / (limits.concurrency * more)) }
    if let rate = limits.rate { time = max(time, rate.time(of: least.requests, faster: faster)) }
    if let rate = limits.ratePerOrigin {
      time = max(time, rate.time(of: least.originRequests, faster: faster))
    }
    return min(time, duration)
  }

  /// The use that took most of the run's time; `nil`: it took none.
  package var bottleneck: Bottleneck? {
    guard duration > 0, let top = pathUses.first, top.time > 0 else { return nil }
    let share = Double(top.time) / Double(duration)
    let start = "\(percent(share)) of the time was "
    let origin = top.origin ?? ""
    let mainStep = step(of: top.use).map { " of step '\($0)'" } ?? ""
    let way = "; even without limits the run could not take less than \(least.path.timeText)"
    let sentence: String
    switch top.use {
    case .rate:
      let key = limits.ratePerOrigin == nil ? "rate" : "ratePerOrigin"
      sentence =
        start + "the rate limit of \(origin); with '\(key)' doubled the run could not take less"
        + " than \(leastTime(rate: 2).timeText)"
    case .place:
      let key = limits.perOrigin == nil ? "concurrency" : "perOrigin"
      sentence =
        start + "waiting for a slot; with '\(key)' doubled the run could not take less than "
        + leastTime(concurrency: 2).timeText
    case .server, .connecting, .receiving:
      let words =
        switch top.use {
        case .connecting: "connecting to \(origin)"
        case .receiving: "receiving answers of \(origin)"
        default: "waiting for answers of \(origin)"
        }
      let isFull = limits.concurrency > 0 && least.work / limits.concurrency * 10 > duration * 7
      let gain =
        isFull
        ? "; with 'concurrency' doubled the run could not take less than "
          + leastTime(concurrency: 2).timeText
        : way
      sentence = start + words + (step(of: top.use).map { " in step '\($0)'" } ?? "") + gain
    case .pause: sentence = start + "a pause that \(origin) asked for" + way
    case .retry: sentence = start + "pauses before retries" + mainStep + way
    case .poll: sentence = start + "pauses between polls" + mainStep + way
    case .wait: sentence = start + "the waits" + mainStep + way
    case .stopped: sentence = start + "a pause of the run" + way
    case .cutOff: sentence = start + "spent on what the end of a process cut off" + mainStep + way
    case .engine:
      sentence =
        start + "spent in pipeline itself" + (step(of: top.use).map { ", in step '\($0)'" } ?? "")
        + way
    }
    return Bottleneck(use: top.use, share: share, sentence: sentence)
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// The step with most of a use on the critical path, if it has nearly all of it.
  private func step(of use: TimeUse) -> String? {
    var times: [Int: Int] = [:]
    var sum = 0
    for part in path {
      let time = part.uses.reduce(0) { $0 + ($1.use == use ? $1.time : 0) }
      sum += time
      if let step = part.step { times[step, default: 0] += time }
    }
    guard let (step, time) = times.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      time * 10 >= sum * 8
    else { return nil }
    return steps[step].id
  }
}

extension RunTrace.Limits.Rate {
  /// The minimum time of so many requests, if so many times as many may leave in any span.
  func time(of requests: Int, faster times: Int) -> Int {
    max(0, requests - 1) / (max(1, count) * times) * per
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

internal import PipelineByteText
internal import PipelineLanguage

/// The requests that all processes have been allowed under one rate, and the decision when the next
/// ones may leave. Times are nanoseconds since 1970.
///
/// It keeps the rule of one process: after a pause of two spans as many as the count may go at once,
/// and from then on they keep an even distance. Times are reserved, also in the future. A process
/// that does not use one gives it up.
struct SharedWindow {
  /// Requests of about the same time.
  private struct Group: Equatable {
    let start: Int
    var end: Int
    var count: Int
  }

  private let count: Int
  private let span: Int
  private let interval: Int
  /// How late a request may use its time, and how far the distance may be caught up with.
  let tolerance: Int
  /// The times of one process that it reserves at once lie within this.
  let batch: Int
  private var groups: [Group] = []
  private var burst: Int
  private var due = 0
  private var last: Int?

  private static let groupsPerSpan = 100
  /// No time is reserved further ahead than this many requests, and a minute.
  private static let mostAhead = 1_000

  init(_ rate: Limits.Rate) {
    let per = max(1, rate.per.nanoseconds)
    count = max(1, rate.count)
    // A little more, because the network does not keep distances.
    span = per + min(per / 50, 5_000_000)
    interval = max(1, span / count)
    tolerance = max(interval, per / 25)
    batch = per / 40
    burst = count
  }

  /// Reserves the times of up to `wanted` requests: at least one, and those that follow soon.
  mutating func reserve(_ wanted: Int, at now: Int) -> [Int] {
    if let last, now >= last + 2 * span {
      (burst, due, groups) = (count, 0, [])
    }
    var times: [Int] = []
    while times.count < max(1, wanted) {
      let earliest = burst > 0 ? now : max(now, due)
      let time = free(at: earliest)
      if let first = times.first, time > first + batch { break }
      if burst > 0 {
        burst -= 1
        due = time + interval
      } else {
        due = max(due, time > earliest ? time : 0, now - tolerance) + interval
      }
      last = max(last ?? time, time)
      note(time)
      times.append(time)
    }
    return times
  }

  /// When a span has room for one more, from `time` on.
  private func free(at time: Int) -> Int {
    var sum = groups.reduce(0) { $0 + ($1.end > time - span ? $1.count : 0) }
    var free = time
    for group in groups where group.end > time - span {
      if sum < count { break }
      sum -= group.count
      free = group.end + span
    }
    return free
  }

  private mutating func note(_ time: Int) {
    groups.removeAll { $0.end <= time - 2 * span }
    if let group = groups.last, time < group.start + max(1, span / Self.groupsPerSpan) {
      groups[groups.count - 1].end = max(group.end, time)
      groups[groups.count - 1].count += 1
    } else {
      groups.append(Group(start: time, end: time, count: 1))
    }
  }

  // MARK: As a text

  var text: String {
    let lines = groups.map { "\($0.start) \($0.end) \($0.count)\n" }.joined()
    return "\(burst) \(due) \(last ?? 0)\n" + lines
  }

  /// Takes over what other processes wrote. If that is damaged, or the clock went back, nothing is
  /// known of the span before `now`, so it counts as used.
  mutating func read(_ text: String, at now: Int) {
    if text.isEmpty { return }
    guard let lines = Self.lines(text), let head = lines.first,
      head.2 < now + Self.mostAhead * interval + 60_000_000_000
    else {
      (burst, due, last) = (0, now + span, now)
      groups = []
      return
    }
    (burst, due, last) = (min(head.0, count), head.1, head.2 == 0 ? nil : head.2)
    groups = lines.dropFirst().map { Group(start: $0.0, end: $0.1, count: $0.2) }
  }

  /// The lines of three numbers each, or `nil` if they hold anything else. Each request reads them,
  /// so they are read byte by byte.
  private static func lines(_ text: String) -> [(Int, Int, Int)]? {
    var (lines, line, number): ([(Int, Int, Int)], [Int], Int?) = ([], [], nil)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int(byte - UInt8(ascii: "0"))
        let value = number ?? 0
        guard value < Int.max / 10 else { return nil }
        number = value * 10 + digit
      case UInt8(ascii: " "), UInt8(ascii: "\n"):
        guard let value = number else { return nil }
        line.append(value)
        number = nil
        if byte == UInt8(ascii: "\n") {
          guard line.count == 3 else { return nil }
          lines.append((line[0], line[1], line[2]))
          line.removeAll(keepingCapacity: true)
        }
      default: return nil
      }
    }
    return number == nil && line.isEmpty ? lines : nil
  }
}

extension Duration {
  fileprivate var nanoseconds: Int {
    let (seconds, rest) = components
    let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max / 4 : min(product, .max / 4) + Int(rest / 1_000_000_000)
  }
}

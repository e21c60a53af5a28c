import Foundation

/// Several ways to do one thing, measured in turns so that whatever else the machine does falls on
/// all of them alike.
struct Contest {
  /// Bytes that one call works through.
  let byteCount: Int
  let rounds: Int
  private(set) var entries: [(name: String, work: () -> Int)] = []

  init(byteCount: Int, rounds: Int) {
    self.byteCount = byteCount
    self.rounds = rounds
  }

  /// - Parameter work: Does it once and gives a number that depends on the result.
  mutating func enter(_ name: String, _ work: @escaping () -> Int) {
    entries.append((name, work))
  }

  struct Result {
    let name: String
    /// The median time of one call.
    let seconds: Double
    let value: Int
  }

  func medians() -> [Result] {
    let repetitions = entries.map { entry in
      let once = time { sink(entry.work()) }
      return max(1, min(200_000, Int(0.02 / max(once, 1e-9))))
    }
    var times = entries.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, entry) in entries.enumerated() {
        let count = repetitions[index]
        var sum = 0
        let total = time { for _ in 0..<count { sum &+= entry.work() } }
        sink(sum)
        times[index].append(total / Double(count))
      }
    }
    return zip(entries, times).map { entry, times in
      Result(name: entry.name, seconds: times.sorted()[times.count / 2], value: entry.work())
    }
  }

  /// Prints the medians, and how much longer each takes than the first.
  func report(_ title: String) {
    print("\n\(title)")
    let results = medians()
    guard let first = results.first else { return }
    for result in results {
      let speed = Double(byteCount) / result.seconds / 1e6
      let column = result.name.padding(toLength: 26, withPad: " ", startingAt: 0)
      let ratio =
        result.name == first.name ? "" : String(format: "%8.2f ×", result.seconds / first.seconds)
      let differs =
        result.value == first.value ? "" : "  differs: \(result.value), \(first.value)"
      print("  \(column)" + String(format: "%9.1f MB/s", speed) + ratio + differs)
    }
  }

  /// The processor's time on this thread, which does all of the work: what else the machine does
  /// counts little.
  private func time(_ work: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let start = now()
    work()
    return now() - start
  }
}

/// Keeps the optimiser from removing what is measured.
@inline(never) func sink(_ value: Int) {
  if value == Int.min { print("") }
}

/// What must come before a step although it reads nothing of it: writes keep their order, and reads
/// stay before or after the writes beside them.
struct TrafficOrder {
  /// A step, as far as its place among the others depends on it.
  struct Step {
    /// Whether it only reads.
    let isSafe: Bool
    /// The seconds that it took.
    let time: Double
    /// The earlier steps whose values it takes.
    let reads: Set<Int>
  }

  /// For each step, the steps that it waits for without reading them.
  private(set) var waits: [[Int]] = []
  /// The seconds that the steps take if each begins as soon as it may.
  private(set) var criticalTime = 0.0

  /// - Parameter isRelaxed: Whether only data orders the steps.
  /// - Complexity: Linear in the number of steps and of what they read.
  init(_ steps: [Step], isRelaxed: Bool) {
    var ends: [Double] = []
    // For each step, the last write among itself and what comes before it. A write comes after all
    // steps before it, so it stands for all of them.
    var writes: [Int] = []
    var lastWrite = -1
    for (number, step) in steps.enumerated() {
      let reads = step.reads.filter { $0 < number }
      var added: [Int] = []
      if !isRelaxed {
        if !step.isSafe { added = Self.lastReaders(steps, lastWrite + 1..<number, reads) }
        if lastWrite >= 0, !reads.contains(where: { writes[$0] == lastWrite }), added.isEmpty {
          added.append(lastWrite)
        }
        if !step.isSafe { lastWrite = number }
      }
      let before = added + reads
      writes.append(lastWrite == number ? number : before.map { writes[$0] }.max() ?? -1)
      waits.append(added)
      ends.append((before.map { ends[$0] }.max() ?? 0) + step.time)
    }
    criticalTime = ends.max() ?? 0
  }

  /// The steps of a range which no later one of them, and none of `readers`, comes after.
  private static func lastReaders(
    _ steps: [Step], _ range: Range<Int>, _ readers: some Sequence<Int>
  ) -> [Int] {
    var known: Set<Int> = []
    var open = Array(readers)
    func visit() {
      while let step = open.popLast() {
        if range.contains(step), known.insert(step).inserted { open += steps[step].reads }
      }
    }
    visit()
    var last: [Int] = []
    for step in range.reversed() where !known.contains(step) {
      last.append(step)
      open = [step]
      visit()
    }
    return last.reversed()
  }
}

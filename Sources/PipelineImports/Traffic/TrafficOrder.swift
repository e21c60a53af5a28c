/// What must come before a step although it reads nothing of it: writes keep their order, and reads
/// stay before or after the writes beside them.
struct TrafficOrder {
  /// For each step, the steps that it waits for without reading them.
  private(set) var waits: [[Int]] = []
  /// The seconds that the steps take if each begins as soon as it may.
  private(set) var criticalTime = 0.0
  /// The seconds that they took one after another.
  private(set) var recordedTime = 0.0

  /// - Parameters:
  ///   - steps: For each step, whether it only reads, how long it took, and which steps it reads.
  ///   - isRelaxed: Whether only data orders the steps.
  init(_ steps: [(isSafe: Bool, time: Double, reads: Set<Int>)], isRelaxed: Bool) {
    var before: [Set<Int>] = []
    var ends: [Double] = []
    var lastWrite: Int?
    var readers: [Int] = []
    for (number, step) in steps.enumerated() {
      var known = step.reads
      for read in step.reads { known.formUnion(before[read]) }
      var added: [Int] = []
      if !isRelaxed {
        let wanted = (step.isSafe ? [] : readers.reversed()) + (lastWrite.map { [$0] } ?? [])
        for other in wanted where !known.contains(other) {
          added.append(other)
          known.insert(other)
          known.formUnion(before[other])
        }
        if step.isSafe {
          readers.append(number)
        } else {
          lastWrite = number
          readers = []
        }
      }
      before.append(known)
      waits.append(added.sorted())
      ends.append((known.map { ends[$0] }.max() ?? 0) + step.time)
      recordedTime += step.time
    }
    criticalTime = ends.max() ?? 0
  }
}

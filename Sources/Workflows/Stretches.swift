import Dispatch
import Synchronization

/// The elements of several lists in one.
func joined<Element>(_ lists: [[Element]]) -> [Element] {
  if lists.count == 1 { return lists[0] }
  var all: [Element] = []
  all.reserveCapacity(lists.reduce(0) { $0 + $1.count })
  for list in lists { all += list }
  return all
}

/// The results of work on many things, done on all processors, a stretch of `length` of them at a time.
///
/// The stretches are the same whatever the machine, so what comes of it does not depend on it. What
/// they share should be read seldom: its reference counts go from one processor's cache to the other's.
func inStretches<Result: Sendable>(
  of length: Int = 512, upTo count: Int, _ work: @Sendable (Range<Int>) -> Result
) -> [Result] {
  guard count > length else { return count > 0 ? [work(0..<count)] : [] }
  let results = Mutex<[Result?]>(Array(repeating: nil, count: (count - 1) / length + 1))
  DispatchQueue.concurrentPerform(iterations: (count - 1) / length + 1) { number in
    let start = number * length
    let result = work(start..<min(start + length, count))
    results.withLock { $0[number] = result }
  }
  return results.withLock { $0.compactMap { $0 } }
}

import Dispatch
import Synchronization

/// The elements of several lists in one.
package func joined<Element>(_ lists: [[Element]]) -> [Element] {
  if lists.count == 1 { return lists[0] }
  var all: [Element] = []
  all.reserveCapacity(lists.reduce(0) { $0 + $1.count })
  for list in lists { all += list }
  return all
}

/// The numbers below `count` in stretches of `length`. The last may be shorter.
package func stretches(of length: Int = 512, upTo count: Int) -> [Range<Int>] {
  stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }
}

/// The results of work on many things, done on all processors, a stretch of `length` of them at a time.
///
/// The stretches are the same on every machine, so the result does not depend on it. Shared objects
/// should be read rarely, because their reference counts move from one processor's cache to the
/// other's.
package func inStretches<Result: Sendable>(
  of length: Int = 512, upTo count: Int, _ work: @Sendable (Range<Int>) -> Result
) -> [Result] {
  let stretches = stretches(of: length, upTo: count)
  guard stretches.count > 1 else { return stretches.map(work) }
  let results = Mutex<[Result?]>(Array(repeating: nil, count: stretches.count))
  DispatchQueue.concurrentPerform(iterations: stretches.count) { number in
    let result = work(stretches[number])
    results.withLock { $0[number] = result }
  }
  return results.withLock { $0.compactMap { $0 } }
}

/// What `work` makes of each number below `count`, in order, done on all processors.
package func mapInStretches<Element: Sendable>(
  upTo count: Int, _ work: @Sendable (Int) -> Element
) -> [Element] {
  mapInStretches(upTo: count, gathering: ()) { number, _ in work(number) }.elements
}

/// Also returns the result that each stretch has gathered on the way, beginning with `start`.
package func mapInStretches<Element: Sendable, Gathered: Sendable>(
  upTo count: Int, gathering start: Gathered, _ work: @Sendable (Int, inout Gathered) -> Element
) -> (elements: [Element], gathered: [Gathered]) {
  var gathered: [Gathered] = []
  let elements = [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
    // Unsafe, because the compiler cannot see that no two threads write one place. Each number has
    // its own place, and belongs to one stretch. `inStretches` returns when all are filled.
    nonisolated(unsafe) let places = buffer
    gathered = inStretches(upTo: count) { numbers in
      var gathered = start
      for number in numbers {
        places.initializeElement(at: number, to: work(number, &gathered))
      }
      return gathered
    }
    initializedCount = count
  }
  return (elements, gathered)
}

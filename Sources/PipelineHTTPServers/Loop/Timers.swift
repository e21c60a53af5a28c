/// Points in time to wake a connection at, in a binary heap. Pure: the loop says what time it is.
///
/// Cancelling is the connection's matter: it remembers the serial of its one timer and lets others
/// pass. Adding and taking are O(log n).
struct Timers {
  struct Timer: Equatable {
    /// Monotonic nanoseconds.
    let deadline: UInt64
    let serial: UInt64
    /// The connection to wake.
    let token: UInt64

    fileprivate func precedes(_ other: Timer) -> Bool {
      (deadline, serial) < (other.deadline, other.serial)
    }
  }

  private var heap: [Timer] = []
  private var lastSerial: UInt64 = 0

  /// When the next timer is due.
  var nextDeadline: UInt64? { heap.first?.deadline }

  /// The new timer's serial, never 0.
  mutating func add(deadline: UInt64, token: UInt64) -> UInt64 {
    lastSerial += 1
    heap.append(Timer(deadline: deadline, serial: lastSerial, token: token))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
    return lastSerial
  }

  /// Takes the first timer that is due at `now`.
  mutating func take(due now: UInt64) -> Timer? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first
  }
}

internal import Synchronization

/// The memory that the body of one response may still take. A run gives `limits.memory` to all
/// bodies, rows and failures together.
///
/// A transport takes from it what it keeps of a body, as it arrives. The run gives back what was taken
/// when it is done with the response.
public final class ResponseBudget: Sendable {
  private let ledger: MemoryLedger
  private let limit: Int
  private let taken = Atomic<Int>(0)
  private let exhausted = Atomic(false)

  package init(_ ledger: MemoryLedger, limit: Int) {
    self.ledger = ledger
    self.limit = limit
  }

  deinit { giveBackAll() }

  /// Gives back what was taken.
  package func giveBackAll() {
    ledger.release(taken.exchange(0, ordering: .relaxed))
  }

  /// Takes `count` bytes. If fewer are left, it returns `false`, and the transport ends the request
  /// with an error of the kind `responseTooLarge`.
  ///
  /// - Parameter count: The number of bytes that arrived.
  /// - Returns: Whether the budget has room for them.
  public func take(_ count: Int) -> Bool {
    guard count > 0 else { return true }
    taken.add(count, ordering: .relaxed)
    if ledger.hold(count) <= limit { return true }
    exhausted.store(true, ordering: .relaxed)
    return false
  }

  /// Gives back `count` bytes of a body that is dropped.
  ///
  /// - Parameter count: The number of bytes that were taken and are dropped.
  public func giveBack(_ count: Int) {
    guard count > 0 else { return }
    taken.subtract(count, ordering: .relaxed)
    ledger.release(count)
  }

  /// Whether there was not enough.
  package var isExhausted: Bool { exhausted.load(ordering: .relaxed) }

  /// Takes what of a whole body the transport has not taken.
  package func settle(_ count: Int) -> Bool {
    take(count - taken.load(ordering: .relaxed)) && !isExhausted
  }
}

/// How many bytes rows, bodies and failures of a run take together.
package final class MemoryLedger: Sendable {
  private let bytes = Atomic<Int>(0)

  package init() {}

  package var held: Int { bytes.load(ordering: .relaxed) }

  /// Returns how many it is then.
  @discardableResult
  package func hold(_ count: Int) -> Int { bytes.add(count, ordering: .relaxed).newValue }

  package func release(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}

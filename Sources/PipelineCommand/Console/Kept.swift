import Synchronization

/// Values that are to live as long as their keeper.
final class Kept<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Keeps a value, and hands it back.
  func keep(_ value: Value) -> Value {
    values.withLock { $0.append(value) }
    return value
  }
}

/// A value in one word, for values that are passed on more often than they are read.
@usableFromInline package indirect enum Boxed<Value: Sendable>: Sendable {
  case value(Value)

  @inlinable
  package init(_ value: Value) {
    self = .value(value)
  }

  @inlinable
  package var value: Value {
    get {
      switch self {
      case .value(let value): value
      }
    }
    set { self = .value(newValue) }
  }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

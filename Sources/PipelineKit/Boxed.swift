/// A value in one word, for values that are passed on more often than they are read.
indirect enum Boxed<Value: Sendable>: Sendable {
  case value(Value)

  init(_ value: Value) {
    self = .value(value)
  }

  var value: Value {
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

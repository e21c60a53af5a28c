internal import PipelineJSONText

/// The value of one side of a comparison.
enum OperandValue {
  case node(JSONNode)
  /// What `length` and `count` give.
  case number(Int)
  /// No value: an empty node list, or a function that does not apply.
  case nothing
}

extension Evaluation {
  /// RFC 9535 §2.3.5.2.2.
  mutating func holds(_ comparison: Comparison, at current: JSONNode?) -> Bool {
    if let answer = holdsInPlace(comparison, at: current) { return answer }
    guard let slot = comparison.slot else { return compared(comparison, at: current) }
    return answer(at: slot) { $0.compared(comparison, at: current) }
  }

  private mutating func compared(_ comparison: Comparison, at current: JSONNode?) -> Bool {
    let left = value(of: comparison.left, at: current)
    let right = value(of: comparison.right, at: current)
    return Self.holds(left, comparison.comparator, right)
  }

  /// The common case `@.member == literal`, without a reference counted on the way.
  private func holdsInPlace(_ comparison: Comparison, at current: JSONNode?) -> Bool? {
    guard case .query(let query) = comparison.left, query.anchor == .current, !query.hasKey,
      case .literal(let literal) = comparison.right, let current
    else { return nil }
    let document = current.document
    guard let index = query.singularIndex(in: document, at: current.index, from: 0) else {
      // An absent value equals nothing and has no order.
      return comparison.comparator == .notEqual
    }
    return Self.holds(
      document, index, comparison.comparator, literal.node.document, literal.node.index)
  }

  mutating func value(of operand: Operand, at current: JSONNode?) -> OperandValue {
    switch operand {
    case .literal(let literal): return .node(literal.node)
    case .binding(let binding): return value(of: binding).map { .node($0) } ?? .nothing
    case .function(let call): return value(of: call, at: current)
    case .query(let query):
      guard query.anchor == .current else {
        return nodes(ofAbsolute: query).first.map { .node($0) } ?? .nothing
      }
      guard let current,
        let index = singularIndex(of: query, in: current.document, at: current.index)
      else { return .nothing }
      return .node(JSONNode(document: current.document, index: index))
    }
  }

  private static func holds(
    _ left: OperandValue, _ comparator: Comparison.Operator, _ right: OperandValue
  ) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing):
      return comparator == .equal || comparator == .lessOrEqual || comparator == .greaterOrEqual
    case (.nothing, _), (_, .nothing): return comparator == .notEqual
    case (.node(let left), .node(let right)):
      return holds(left.document, left.index, comparator, right.document, right.index)
    case (.number(let left), .number(let right)): return holds(comparator, order(left, right))
    case (.node(let left), .number(let right)):
      return holds(comparator, left.order(to: right))
    case (.number(let left), .node(let right)):
      return holds(comparator, right.order(to: left).map { -$0 })
    }
  }

  private static func holds(
    _ left: JSONDocument, _ leftIndex: Int, _ comparator: Comparison.Operator,
    _ right: JSONDocument, _ rightIndex: Int
  ) -> Bool {
    let element = left.element(at: leftIndex)
    let other = right.element(at: rightIndex)
    if element.isNumber && other.isNumber {
      return holds(
        comparator, left.compareNumbers(at: leftIndex, in: right, at: rightIndex))
    }
    switch comparator {
    case .equal: return left.isEqual(at: leftIndex, in: right, at: rightIndex)
    case .notEqual: return !left.isEqual(at: leftIndex, in: right, at: rightIndex)
    default: break
    }
    if element.isString && other.isString {
      return holds(comparator, left.stringOrder(at: leftIndex, in: right, at: rightIndex))
    }
    // Other kinds have no order, but equal values are also 'less or equal'.
    guard comparator == .lessOrEqual || comparator == .greaterOrEqual else { return false }
    return left.isEqual(at: leftIndex, in: right, at: rightIndex)
  }

  /// Whether the operator holds for an order of −1, 0 or 1; `nil` means without order and unequal.
  private static func holds(_ comparator: Comparison.Operator, _ order: Int?) -> Bool {
    guard let order else { return comparator == .notEqual }
    switch comparator {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    }
  }

  private static func order(_ left: Int, _ right: Int) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }
}

extension JSONNode {
  /// −1, 0 or 1 as the number is less than, equal to or greater than another; `nil` if either is
  /// not a number.
  fileprivate func order(to other: Int) -> Int? {
    guard document.element(at: index).isNumber else { return nil }
    return document.compareNumber(at: index, to: JSONNumber(other))
  }
}

extension JSONDocument {
  /// The order of two strings by Unicode scalars, which is the order of their UTF-8.
  fileprivate func stringOrder(at index: Int, in other: JSONDocument, at otherIndex: Int) -> Int {
    withUTF8(at: index) { left in
      other.withUTF8(at: otherIndex) { right in
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
      }
    }
  }
}

internal import PipelineByteText
internal import PipelineJSONPaths

extension ForeignOperator {
  /// A condition on a value of the response; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - operand: A query of one value: `@.body.name`.
  ///   - literal: The other side, as a query has it.
  func condition(on operand: String, _ literal: String) -> String? {
    if let comparator { return "\(operand) \(comparator) \(literal)" }
    var cursor = ScriptCursor(literal)
    guard let text = cursor.takeString() ?? (self == .contains ? literal : nil) else { return nil }
    let escaped = LiteralPattern.escaped(text)
    switch self {
    case .contains:
      // What is in the body may be a list, too, which has the value as an element.
      let isList = operand.hasPrefix(bytes: "@.body")
      let search = Self.call("search", operand, escaped)
      let filter = "\(operand)[?@ == \(literal)]"
      if !literal.hasPrefix(bytes: "'") { return isList ? filter : nil }
      return isList ? "(\(search) || \(filter))" : search
    case .begins: return Self.call("match", operand, escaped + Self.anything)
    case .ends: return Self.call("match", operand, Self.anything + escaped)
    case .matches:
      return IRegexp.meant(by: text).map { Self.call("search", operand, $0) }
    default: return nil
    }
  }

  /// A condition that a value is one of some, or none of them.
  func condition(on operand: String, anyOf literals: [String]) -> String? {
    guard !literals.isEmpty else { return nil }
    switch self {
    case .oneOf: return "(" + literals.map { "\(operand) == \($0)" }.joined(separator: " || ") + ")"
    case .noneOf:
      return literals.map { "\(operand) != \($0)" }.joined(separator: " && ")
    default: return nil
    }
  }

  fileprivate static let anything = "(.|\\n|\\r)*"

  fileprivate static func call(_ function: String, _ operand: String, _ pattern: String) -> String {
    "\(function)(\(operand), \(ScriptCursor.quoted(pattern)))"
  }
}

/// What other tools ask about a value alone.
enum ForeignTest: String {
  case exists, isDefined, isUndefined, isNull, isEmpty, isNotEmpty, isNumber, isString, isBoolean
  case isTruthy, isFalsy

  /// - Parameter operand: A query of one value.
  func condition(on operand: String) -> String {
    switch self {
    case .exists, .isDefined: operand
    case .isUndefined: "!\(operand)"
    case .isNull: "\(operand) == null"
    case .isEmpty: "length(\(operand)) == 0"
    case .isNotEmpty: "length(\(operand)) > 0"
    case .isNumber: "(\(operand) < 0 || \(operand) >= 0)"
    case .isString: ForeignOperator.call("match", operand, ForeignOperator.anything)
    case .isBoolean: "(\(operand) == true || \(operand) == false)"
    case .isTruthy: Self.truth(of: operand)
    case .isFalsy: "!(\(Self.truth(of: operand)))"
    }
  }

  /// What JavaScript takes for true.
  private static func truth(of operand: String) -> String {
    ([operand] + ["false", "null", "0", "''"].map { "\(operand) != \($0)" })
      .joined(separator: " && ")
  }
}

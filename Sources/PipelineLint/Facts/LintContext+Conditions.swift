import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning

/// A condition's step, and its place in the step.
struct ConditionSite {
  let step: LintStep
  let place: ConditionPlace
}

// The known shapes of both sides of a condition's comparisons.

extension LintContext {
  /// The shape of one side of a comparison, or of a tested query.
  func shape(of operand: Operand, in site: ConditionSite) -> ValueShape {
    switch operand {
    case .literal(let literal): return ValueShape(literal: literal.value)
    case .query(let query): return reading(of: query, in: site).shape
    case .binding(let binding): return read(binding.query, in: site.step.number).shape
    case .function(let call):
      switch call.function {
      case .length: return ValueShape.integer.absent()
      case .count: return .integer
      case .value: return .unknown
      case .datetime: return ValueShape.string.absent()
      case .match, .search: return .boolean
      }
    }
  }

  func reading(of query: Query, in site: ConditionSite) -> Reading {
    let number = site.step.number
    guard query.anchor == .current else { return read(query, in: number) }
    if site.place == .when { return .shape(.unknown) }
    if site.place == .row {
      guard case .list(let row) = shapes[number].value.content else { return .shape(.unknown) }
      return Self.walk(query, from: row, .run, first: 0)
    }
    if site.place == .event { return Self.walk(query, from: Self.event, .run, first: 0) }
    guard site.step.request != nil else {
      return Self.walk(query, from: shapes[number].row, .run, first: 0)
    }
    // A table with the step's own values in it would be made at each asking.
    if site.place == .expect, query.firstName == "values" {
      return Self.walk(query, from: shapes[number].row, .run)
    }
    // Before the last response it may lack them.
    if site.place == .poll, query.firstName == "values" {
      let reading = Self.walk(query, from: shapes[number].row, .run)
      return if case .shape(let shape) = reading { .shape(shape.absent()) } else { reading }
    }
    if query.segments.count > 1, let part = query.firstName {
      // A header and a cookie are texts.
      if query.segments.count == 2, part == "headers" || part == "cookies",
        query.segments[1].name != nil
      {
        return .shape(ValueShape.string.absent())
      }
      if part == "body", site.place == .expect, let body = body(of: site.step) {
        let reading = Self.walk(query, from: body, .run)
        if case .missing = reading { return .shape(.unknown) }
        return reading
      }
    }
    return Self.walk(
      query, from: site.place == .answer ? Self.answer : Self.response, .run, first: 0)
  }

  // MARK: - Inputs of few values

  /// An input that is one of a few values, compared with a literal.
  struct InputChoice {
    let input: String
    let allowed: [JSONNode]
    let comparator: Comparison.Operator
    let literal: Literal.Value

    /// The constant result, if no allowed value is the literal.
    var outcome: Bool? {
      switch comparator {
      case .equal: allowed.contains(where: isLiteral) ? nil : false
      case .notEqual: allowed.contains(where: isLiteral) ? nil : true
      case .less, .lessOrEqual, .greater, .greaterOrEqual: nil
      }
    }

    private func isLiteral(_ node: JSONNode) -> Bool {
      switch literal {
      case .string(let text): node.string.map { $0.utf8.elementsEqual(text.utf8) } ?? false
      case .number(let digits): node.number != nil && node.number == JSONNumber(digits)
      case .boolean(let value): node.boolean == value
      case .null: node.isNull
      }
    }
  }

  /// The inputs that are one of a few values.
  static func choices(of workflow: Workflow) -> [String: Input] {
    Dictionary(
      workflow.inputs.filter { !$0.allowed.isEmpty && $0.allowed.count <= 1_000 }
        .map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The comparison, if it is one of an input with `enum` and a literal.
  func choice(_ comparison: Comparison) -> InputChoice? {
    for (one, other) in [
      (comparison.left, comparison.right), (comparison.right, comparison.left),
    ] {
      guard case .query(let query) = one, case .literal(let literal) = other,
        query.firstName == "inputs", query.segments.count == 2,
        let name = query.segments[1].name,
        query.anchor == .root, let input = choices[name]
      else { continue }
      return InputChoice(
        input: "inputs.\(name)", allowed: input.allowed, comparator: comparison.comparator,
        literal: literal.value)
    }
    return nil
  }

  /// The constant result of an expression; `nil` if it depends on values.
  func constantOutcome(of expression: LogicalExpression, in site: ConditionSite) -> Bool? {
    switch expression {
    case .or(let parts):
      let outcomes = parts.map { constantOutcome(of: $0, in: site) }
      if outcomes.contains(true) || LiteralClaim.alternatives(in: parts) != nil { return true }
      return outcomes.allSatisfy { $0 == false } ? false : nil
    case .and(let parts):
      let outcomes = parts.map { constantOutcome(of: $0, in: site) }
      if outcomes.contains(false) || LiteralClaim.contradiction(in: parts) != nil { return false }
      return outcomes.allSatisfy { $0 == true } ? true : nil
    case .not(let inner, _): return constantOutcome(of: inner, in: site).map { !$0 }
    case .comparison(let comparison):
      return comparison.constantOutcome(
        shape(of: comparison.left, in: site), shape(of: comparison.right, in: site))
        ?? choice(comparison)?.outcome
    case .test: return nil
    }
  }

  /// `@` of a request: its response. The extracted values of its step are another matter.
  private static let response = ValueShape.object(
    answerMembers.with("values", .object([:], isOpen: true)))

  /// `@` of a condition that looks at a server-sent event.
  private static let event = ValueShape.object([
    "event": .string, "data": .unknown, "id": ValueShape.string.absent(),
  ])

  /// The same before anything is extracted.
  private static let answer = ValueShape.object(answerMembers)

  private static let answerMembers: ShapeMembers = [
    "status": .integer, "headers": .object([:], isOpen: true), "body": .unknown, "text": .string,
    "cookies": .object([:], isOpen: true), "url": .string, "elapsed": .number,
  ]
}

extension ValueShape {
  init(literal value: Literal.Value) {
    switch value {
    case .string: self = .string
    case .number(let digits):
      self = JSONNumber(digits)?.isInteger == true ? .integer : .number
    case .boolean: self = .boolean
    case .null: self = ValueShape(.null, maybeNull: true)
    }
  }
}

extension ValueShape {
  fileprivate var mayBeArray: Bool { maybeList || contentKind == .array }
}

extension Comparison {
  /// The constant result, if types alone decide; `nil` if it depends on values.
  func constantOutcome(_ left: ValueShape, _ right: ValueShape) -> Bool? {
    if case .literal(let one) = self.left, case .literal(let two) = self.right {
      return outcome(one.value, two.value)
    }
    // An absent side is equal to nothing but another absent one.
    guard !(left.maybeAbsent && right.maybeAbsent) else { return nil }
    guard let one = left.contentKind, let two = right.contentKind else { return nil }
    guard !(left.mayBeArray && right.mayBeArray) || one == two else { return nil }
    let mayBothBeNull = left.maybeNull && right.maybeNull
    switch comparator {
    case .equal: return one != two && !Self.mayBeEqual(left, right) ? false : nil
    case .notEqual: return one != two && !Self.mayBeEqual(left, right) ? true : nil
    case .less, .greater:
      return one == two && (one == .number || one == .string) ? nil : false
    case .lessOrEqual, .greaterOrEqual:
      if one == two { return nil }
      return mayBothBeNull || Self.mayBeEqual(left, right) ? nil : false
    }
  }

  private static func mayBeEqual(_ left: ValueShape, _ right: ValueShape) -> Bool {
    (left.maybeNull && right.maybeNull)
      || (left.maybeNull && right.contentKind == .null)
      || (right.maybeNull && left.contentKind == .null)
  }

  private func outcome(_ left: Literal.Value, _ right: Literal.Value) -> Bool? {
    switch (comparator, left, right) {
    case (.equal, .string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.notEqual, .string(let one), .string(let two)): !one.utf8.elementsEqual(two.utf8)
    case (_, .number(let one), .number(let two)): numbers(one, two)
    case (.equal, .boolean(let one), .boolean(let two)): one == two
    case (.notEqual, .boolean(let one), .boolean(let two)): one != two
    case (.equal, .null, .null): true
    case (.notEqual, .null, .null): false
    default: nil
    }
  }

  private func numbers(_ left: String, _ right: String) -> Bool? {
    guard let one = JSONNumber(left), let two = JSONNumber(right) else { return nil }
    return switch comparator {
    case .equal: one == two
    case .notEqual: one != two
    case .less: one < two
    case .lessOrEqual: one <= two
    case .greater: one > two
    case .greaterOrEqual: one >= two
    }
  }
}

import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A comparison that types alone decide.
enum ConstantComparison: LintRule {
  static let explanation = Explanation(
    "constant-comparison", .warning, PackageResources.constant_comparison_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions {
      let site = ConditionSite(step: step, place: condition.place)
      checkPatterns(condition, site, context, &found)
      for comparison in condition.walk.comparisons
      where !QueryOfFormat.comparesText(comparison, in: step) {
        let left = context.shape(of: comparison.left, in: site)
        let right = context.shape(of: comparison.right, in: site)
        let range = condition.range(of: comparison.range)
        if let (call, words) = Self.callOfNothing(in: comparison, site, context) {
          let always = comparison.comparator == .notEqual ? "always" : "never"
          let text = String(
            decoding: Array(condition.written.value.text.utf8)[call.range], as: UTF8.self)
          let what = call.function == .length ? "the length" : "the moment"
          found.append(
            finding(
              "this \(always) holds: \(text) is \(what) of \(words), which has none", at: range))
        } else if let holds = comparison.constantOutcome(left, right) {
          let message = Self.message(comparison, left, right, holds, condition.written.value.text)
          var finding = finding(message, at: range, related: left.related + right.related)
          finding.fix =
            Self.fix(comparison, left, right, at: range, context)
            ?? Self.meant(comparison, left, right).flatMap { condition.fix($0.text, for: $0.part) }
          found.append(finding)
        } else if let choice = context.choice(comparison), let holds = choice.outcome {
          found.append(
            finding(Self.message(choice, holds), at: range) {
              guard case .string(let text) = choice.literal else { return .none }
              let names = choice.allowed.compactMap(\.string)
              return .didYouMean(
                Spelling.nearest(to: text, among: names), at: context.place(of: text, in: range))
            })
        }
      }
    }
  }

  /// Finds patterns that are sought in what is no text.
  private static func checkPatterns(
    _ condition: LintCondition, _ site: ConditionSite, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for call in condition.walk.patternTests {
      guard case .query(let query)? = call.arguments.first else { continue }
      let shape = context.reading(of: query, in: site).shape
      guard let kinds = shape.possibleKinds, !kinds.contains(.string) else { continue }
      found.append(
        finding(
          "this never holds: \(call.function.rawValue) compares texts, and \(query.text) is"
            + " \(shape.words)", at: condition.range(of: call.range)))
    }
  }

  /// A call that asks for the length or the moment of what has none, and what that is.
  private static func callOfNothing(
    in comparison: Comparison, _ site: ConditionSite, _ context: LintContext
  ) -> (FunctionCall, String)? {
    for (operand, other) in [
      (comparison.left, comparison.right), (comparison.right, comparison.left),
    ] {
      guard case .function(let call) = operand, case .query(let query)? = call.arguments.first
      else { continue }
      let shape = context.reading(of: query, in: site).shape
      guard let kinds = shape.possibleKinds else { continue }
      let hasNone =
        switch call.function {
        case .length: kinds.isDisjoint(with: [.string, .array, .object])
        case .datetime: !kinds.contains(.string) || shape.time == .date
        case .count, .match, .search, .value: false
        }
      // Nothing equals nothing.
      let isOrder = comparison.comparator == .less || comparison.comparator == .greater
      guard hasNone, isOrder || !context.shape(of: other, in: site).maybeAbsent else { continue }
      return (call, call.function == .datetime && shape.time == .date ? "a date" : shape.words)
    }
    return nil
  }

  private static func message(_ choice: LintContext.InputChoice, _ holds: Bool) -> String {
    let values = choice.allowed.prefix(20).map { $0.string.map { "'\($0)'" } ?? $0.text }
    let isCut = values.count < choice.allowed.count
    var message = "this \(holds ? "always" : "never") holds: "
    message += "'\(choice.input)' is \(values.count == 1 ? "" : "one of ")"
    message += values.joined(separator: ", ") + (isCut ? ", …" : "")
    return message
  }

  /// The edit that drops the quotes of a text beside a number or a boolean, or that reads the body's
  /// 'status'.
  private static func fix(
    _ comparison: Comparison, _ left: ValueShape, _ right: ValueShape, at range: Range<Int>,
    _ context: LintContext
  ) -> DiagnosticFix? {
    for (operand, other, place) in [
      (comparison.left, right, comparison.right), (comparison.right, left, comparison.left),
    ] {
      guard case .literal(let literal) = operand, case .string(let value) = literal.value else {
        continue
      }
      let isMeant: Bool
      switch other.contentKind {
      case .number: isMeant = JSONNumber(value) != nil
      case .boolean: isMeant = value == "true" || value == "false"
      default: isMeant = false
      }
      let text = context.text(in: range)
      if isMeant, let quoted = context.place(of: value, in: range),
        text.contains(bytes: "'\(value)'")
      {
        return .replacing(
          quoted.lowerBound - 1..<quoted.upperBound + 1, with: value, isSafe: false)
      }
      if case .query(let query) = place, query.text == "@.status",
        let status = context.place(of: "status", in: range)
      {
        return .replacing(status, with: "body.status", isSafe: false)
      }
    }
    return nil
  }

  /// What is written for a comparison with null, and for one of a text or list with a number.
  private static func meant(
    _ comparison: Comparison, _ left: ValueShape, _ right: ValueShape
  ) -> (words: String, text: String, part: Range<Int>)? {
    for (operand, other, shape) in [
      (comparison.left, comparison.right, right), (comparison.right, comparison.left, left),
    ] {
      guard case .literal(let literal) = operand, case .query(let query) = other else { continue }
      switch (literal.value, shape.contentKind) {
      case (.null, _) where comparison.comparator == .equal || comparison.comparator == .notEqual:
        let test = (comparison.comparator == .equal ? "!" : "") + query.text
        return ("to test whether it is there, write '\(test)'", test, comparison.range)
      case (.number, .array?):
        let length = "length(\(query.text))"
        return ("its length is '\(length)'", length, query.range)
      case (.number(let digits), .string?)
      where comparison.comparator == .equal || comparison.comparator == .notEqual:
        return ("write '\(digits)' in single quotes", "'\(digits)'", operand.range)
      default: continue
      }
    }
    return nil
  }

  private static func message(
    _ comparison: Comparison, _ left: ValueShape, _ right: ValueShape, _ holds: Bool,
    _ text: String
  ) -> String {
    let always = holds ? "always" : "never"
    if case .literal = comparison.left, case .literal = comparison.right,
      left.contentKind == right.contentKind
    {
      let written = String(decoding: Array(text.utf8)[comparison.range], as: UTF8.self)
      return "'\(written)' \(always) holds; compare a value of a step or an input"
    }
    let one = words(for: comparison.left, left, text)
    let two = words(for: comparison.right, right, text)
    var message = "this \(always) holds: \(one), \(two)"
    if left.contentKind == right.contentKind, left.contentKind == .boolean {
      message += "; only numbers and texts have an order"
    }
    if let meant = meant(comparison, left, right) { message += "; " + meant.words }
    for (operand, other) in [(comparison.left, right), (comparison.right, left)] {
      guard case .literal(let literal) = operand, case .string(let value) = literal.value else {
        continue
      }
      let isMeant: Bool
      switch other.contentKind {
      case .number: isMeant = JSONNumber(value) != nil
      case .boolean: isMeant = value == "true" || value == "false"
      default: isMeant = false
      }
      if isMeant {
        message += "; write \(value) without quotes"
      } else if [one, two].contains(where: { $0.hasPrefix(bytes: "@.status ") }) {
        message += "; a member of the body is '@.body.status'"
      }
    }
    return message
  }

  private static func words(for operand: Operand, _ shape: ValueShape, _ text: String) -> String {
    let written = String(decoding: Array(text.utf8)[operand.range], as: UTF8.self)
    return "\(written) is \(shape.words)"
  }
}

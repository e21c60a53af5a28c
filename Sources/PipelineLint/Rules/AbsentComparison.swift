import PipelineJSONPaths
import PipelineTemplates
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A comparison both of whose sides may be absent.
enum AbsentComparison: LintRule {
  static let explanation = Explanation(
    "absent-comparison", .warning, PackageResources.absent_comparison_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions where !condition.walk.comparisons.isEmpty {
      let tested = Set(condition.walk.tests.map(\.text))
      let site = ConditionSite(step: step, place: condition.place)
      for comparison in condition.walk.comparisons {
        if let (query, words) = comparison.queryNotNothing, !tested.contains(query.text),
          words == "null"
            ? !context.hasFirstValue(.query(query), step)
              && context.reading(of: query, in: site).shape.maybeAbsent
            : context.isKnownMaybeAbsent(.query(query), in: site),
          comparison.constantOutcome(
            context.shape(of: comparison.left, in: site),
            context.shape(of: comparison.right, in: site)) == nil
        {
          let meant =
            words == "null"
            ? query.text : "\(query.text) && \(condition.text(of: comparison.range))"
          found.append(
            finding(
              "'\(query.text)' may be absent, and then this holds: absent is not \(words); test that it is"
                + " there: \"\(meant)\"", at: condition.range(of: comparison.range),
              fix: condition.fix(meant, for: comparison.range)))
          continue
        }
        guard [.equal, .lessOrEqual, .greaterOrEqual].contains(comparison.comparator),
          let left = Self.source(comparison.left), let right = Self.source(comparison.right),
          !tested.contains(left), !tested.contains(right),
          context.isKnownMaybeAbsent(comparison.left, in: site),
          context.isKnownMaybeAbsent(comparison.right, in: site)
        else { continue }
        found.append(
          finding(
            "'\(left)' and '\(right)' may both be absent, and then this holds; "
              + "test first that one of them is there: \"\(left) && …\"",
            at: condition.range(of: comparison.range),
            fix: condition.fix(
              "\(left) && \(condition.text(of: comparison.range))", for: comparison.range)))
      }
    }
  }

  private static func source(_ operand: Operand) -> String? {
    switch operand {
    case .query(let query): query.text
    case .binding(let binding): "$." + binding.query.shown
    case .literal, .function: nil
    }
  }
}

extension Comparison {
  /// The query of `$.a != null` and `$.a != ''`, and what it is compared with.
  fileprivate var queryNotNothing: (Query, String)? {
    guard comparator == .notEqual else { return nil }
    switch (left, right) {
    case (.query(let query), .literal(let literal)), (.literal(let literal), .query(let query)):
      return switch literal.value {
      case .null: (query, "null")
      case .string(let text) where text.isEmpty: (query, "''")
      default: nil
      }
    default: return nil
    }
  }
}

extension LintContext {
  /// Whether the author said that the value may be absent, rather than nothing being known.
  fileprivate func isKnownMaybeAbsent(_ operand: Operand, in site: ConditionSite) -> Bool {
    if hasFirstValue(operand, site.step) { return false }
    let shape = shape(of: operand, in: site)
    if shape.source != nil { return false }
    if case .unknown = shape.content, shape.maybeNull, case .query(let query) = operand {
      return query.anchor == .root && query.segments.count <= 2
    }
    return shape.maybeAbsent
  }

  /// Whether it is a carried value with a default, so that only what ends the rounds or pages decides
  /// whether it may be absent later.
  fileprivate func hasFirstValue(_ operand: Operand, _ step: LintStep) -> Bool {
    let query: Query
    switch operand {
    case .query(let plain) where plain.anchor == .root: query = plain
    case .binding(let binding): query = binding.query
    case .query, .literal, .function: return false
    }
    guard let name = query.firstName, query.segments.count == 1 else { return false }
    switch step.definition(of: name) {
    case .carried(let level, _)?:
      let owner = level == 0 ? step.number : parent(of: step.block, level: level - 1)
      return owner.flatMap { steps[$0].step.forEach?.rounds }?.carried
        .contains { $0.name == name && $0.first != nil } ?? false
    case .pageValue?: return step.step.pageValues.contains { $0.name == name && $0.first != nil }
    default: return false
    }
  }
}

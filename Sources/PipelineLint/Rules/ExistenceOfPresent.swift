import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A test for existence of a value that always exists.
enum ExistenceOfPresent: LintRule {
  static let explanation = Explanation("existence-test", .error, PackageResources.existence_test_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions where !condition.walk.tests.isEmpty {
      let site = ConditionSite(step: step, place: condition.place)
      for query in condition.walk.tests where query.isSingular {
        guard case .shape(let shape) = context.reading(of: query, in: site), !shape.maybeAbsent
        else {
          continue
        }
        let range = condition.range(of: query.range)
        let (words, text) = comparison(query, shape)
        let isNegated = context.text(in: range.lowerBound - 1..<range.lowerBound) == "!"
        found.append(
          finding(
            "'\(query.text)' is always there, so the test has no effect; \(words)"
              + (text.map { ", as in \"\($0)\"" } ?? ""), at: range,
            fix: text.map { .replacing(range, with: isNegated ? "(\($0))" : $0, isSafe: false) }))
      }
    }
  }

  private static func comparison(_ query: Query, _ shape: ValueShape) -> (String, String?) {
    switch shape.contentKind {
    case .boolean, nil: ("compare it", "\(query.text) == true")
    case .number: ("compare it", "\(query.text) > 0")
    case .string: ("compare it", "\(query.text) != ''")
    case .array: ("compare its length", "length(\(query.text)) > 0")
    case .object, .null: ("compare one of its members", nil)
    }
  }
}

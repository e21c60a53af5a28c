import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A comparison of a moment, which compares texts.
enum MomentAsText: LintRule {
  static let explanation = Explanation(
    "moment-as-text", .warning, PackageResources.moment_as_text_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    // In a filter '@' is a node of the list, and in a condition what the condition is about.
    for condition in step.parts.conditions {
      let site = ConditionSite(step: step, place: condition.place)
      for comparison in condition.walk.comparisons
      where !isOfMoments(comparison, { ofScope($0) { context.read($0, in: step.number) } }) {
        judge(comparison, in: condition.written.node, &found) {
          context.reading(of: $0, in: site)
        }
      }
    }
  }

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (comparison, node) in parts.comparisons {
      judge(comparison, in: node, &found) { ofScope($0) { context.read($0, in: reader) } }
    }
  }

  /// The result of a query of the scope. Of a node of a list nothing is known.
  private static func ofScope(_ query: Query, _ read: (Query) -> Reading) -> Reading {
    query.anchor == .root ? read(query) : .unresolved
  }

  private static func judge(
    _ comparison: Comparison, in node: JSONNode, _ found: inout [Diagnostic],
    _ read: (Query) -> Reading
  ) {
    let text = Array((node.string ?? "").utf8)
    guard comparison.range.upperBound <= text.count, isOfMoments(comparison, read) else { return }
    let sides = [comparison.left, comparison.right].map { side in
      "datetime(\(String(decoding: text[side.range], as: UTF8.self)))"
    }
    let meant = sides.joined(separator: " \(comparison.comparator.rawValue) ")
    found.append(
      finding(
        "moments compare as texts here; write \"\(meant)\"",
        at: node.sourceRange(ofDecoded: comparison.range),
        fix: WorkflowDecoder.fix(meant, for: comparison.range, in: node, isSafe: false)))
  }

  /// Whether it orders a moment and what may be one, too.
  private static func isOfMoments(_ comparison: Comparison, _ read: (Query) -> Reading) -> Bool {
    guard comparison.comparator != .equal, comparison.comparator != .notEqual else { return false }
    let sides = [comparison.left, comparison.right].map { side -> ValueShape? in
      switch side {
      case .query(let query): read(query).shape
      case .binding(let binding): read(binding.query).shape
      case .literal(let literal):
        // A day is compared with the first letters of a moment.
        if case .string(let text) = literal.value, RFC3339.isDateTime(text) { .moment } else { nil }
      case .function: nil
      }
    }
    guard let left = sides[0], let right = sides[1] else { return false }
    return (left.time == .moment || right.time == .moment) && left.mayBeMoment && right.mayBeMoment
  }
}

extension ValueShape {
  fileprivate var mayBeMoment: Bool {
    contentKind == nil || contentKind == .string && time != .date
  }
}

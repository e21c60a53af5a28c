import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A `forEach` without items, or whose items nothing reads.
enum IdleForEach: LintRule {
  static let explanation = Explanation("idle-for-each", .warning, PackageResources.idle_for_each_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = step.step.forEach, let item = loop.itemName else { return }
    if let problem = emptiness(of: loop.source.value, context.known) {
      found.append(finding("'forEach' has no items: \(problem)", at: loop.source.range))
      return
    }
    if case .range = loop.source.value { return }
    guard acts(step, context), !isOfOtherType(loop, step, context),
      !reads(step, loop.names, context)
    else { return }
    found.append(
      finding(
        "nothing reads '\(item)', so each item does the same; insert {{\(item)}}, or"
          + " write a range to repeat the step", at: loop.source.range))
  }

  /// Whether the source is not a list, which is another mistake.
  private static func isOfOtherType(
    _ loop: Iteration, _ step: LintStep, _ context: LintContext
  ) -> Bool {
    zip(step.uses, context.readings[step.number]).contains { use, reading in
      guard loop.source.range.contains(use.use.range.lowerBound) else { return false }
      guard let kind = reading.shape.kind else { return false }
      return kind != .array && !reading.shape.isList
    }
  }

  private static func emptiness(of source: Iteration.Source, _ known: KnownValues) -> String? {
    switch source {
    case .query, .rounds: return nil
    case .windows(let data):
      let count = data.fewestWindows(from: known.source) { _ in false }
      return count == 0 ? "'from' is not before 'to'" : nil
    case .list(let data):
      return data.node.kind == .array && data.node.count == 0 ? "the list is empty" : nil
    case .range(let from, let to, let by):
      guard let first = from.literal?.number?.int, let last = to.literal?.number?.int else {
        return nil
      }
      guard let step = by.map({ $0.literal?.number?.int }) ?? 1, step != 0 else { return nil }
      let isEmpty = step > 0 ? first > last : first < last
      return isEmpty ? "the range goes from \(first) to \(last) in steps of \(step)" : nil
    }
  }

  /// Whether the step sends something, so that the number of its items has an effect.
  private static func acts(_ step: LintStep, _ context: LintContext) -> Bool {
    switch step.step.action {
    case .request, .call: true
    case .block, .values, .wait, .fail, .say, .ask: false
    }
  }

  private static func reads(_ step: LintStep, _ names: [String], _ context: LintContext) -> Bool {
    step.uses.contains { use in
      switch use.definition {
      case .item(level: 0)?, .itemIndex(level: 0)?, .carried(level: 0, _)?: true
      // A name that is not understood may be the one that was meant.
      case nil: true
      default: use.use.query.references.contains { $0.query.firstName.map(names.contains) ?? false }
      }
    }
  }
}

import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A question, or a text, that does not do what was meant.
enum QuestionMisused: LintRule {
  static let explanation = Explanation(
    "question-misused", .warning, PackageResources.question_misused_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    checkTests(step, context, &found)
    let isQuestion: Bool
    switch step.step.action {
    case .ask: isQuestion = true
    case .say: isQuestion = false
    default: return
    }
    if isQuestion, isInFinally(step, context) {
      found.append(
        finding(
          "clean-up does not wait for people, so this question fails unless it was answered"
            + " beforehand; ask in a step before it", at: step.step.id.range))
    }
    let readings = context.readings[step.number]
    for number in readings.indices where readings[number].shape.isSecret {
      let use = step.uses[number].use
      guard use.site == .text else { continue }
      found.append(
        finding(
          "the text shows '•••' for a secret; leave '\(use.query.shown)' out", at: use.range))
    }
  }

  private static func isInFinally(_ step: LintStep, _ context: LintContext) -> Bool {
    var step = step
    while true {
      let block = context.blocks[step.block]
      if step.index >= block.mainCount { return true }
      guard let parent = block.parent else { return false }
      step = context.steps[parent]
    }
  }

  /// Tests for existence of an answer that may be absent. What is never absent has a rule of its own.
  private static func checkTests(
    _ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    for condition in step.parts.conditions where !condition.walk.tests.isEmpty {
      for query in condition.walk.tests where query.isSingular && query.segments.count == 2 {
        guard let name = query.firstNames.first, let answer = query.segments[1].name,
          let use = step.uses.first(where: { $0.use.query == query }),
          case .step(level: let level, index: let index)? = use.definition,
          let source = context.source(level: level, index: index, from: step.block),
          case .ask(let question) = source.step.action,
          question.answers.contains(where: {
            $0.name.equals(bytes: answer) && $0.type == .boolean
          }),
          case .shape(let shape) = context.reading(
            of: query, in: ConditionSite(step: step, place: condition.place)), shape.maybeAbsent
        else { continue }
        let range = condition.range(of: query.range)
        let text = "\(query.text) == true"
        let isNegated = context.text(in: range.lowerBound - 1..<range.lowerBound) == "!"
        found.append(
          finding(
            "this holds for 'no' too, because it asks whether '\(name)' has an answer; write"
              + " '\(text)'", at: range,
            fix: .replacing(range, with: isNegated ? "(\(text))" : text, isSafe: false)))
      }
    }
  }
}

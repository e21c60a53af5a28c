import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelineSourceText

/// A rule that compares a step with the answers that it got.
protocol RecordedRule: ExplainedRule {
  /// - Parameter answers: The responses of the step, at least one.
  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic])
}

/// Judges workflows by their recorded responses.
enum RecordedRules {
  static let all: [any RecordedRule.Type] = [
    UnreadFormat.self, NeverFound.self, FindsMany.self, RecordedType.self, NeverPasses.self,
  ]

  static let codes = Set(all.map { $0.explanation.code })

  static func findings(of workflow: Workflow, _ answers: RecordedAnswers) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if answers.isEmpty { return found }
    check(workflow.block, "", answers, &found)
    return found
  }

  private static func check(
    _ block: Block, _ prefix: String, _ answers: RecordedAnswers, _ found: inout [Diagnostic]
  ) {
    for step in block.steps + block.finally {
      let id = prefix + step.id.value
      switch step.action {
      case .block(let inner): check(inner, id + ".", answers, &found)
      case .request:
        let own = answers[id].map { $0.read(by: step) }
        guard !own.isEmpty else { continue }
        for rule in all { rule.check(step, own, &found) }
      case .call, .values, .wait, .fail, .say, .ask: break
      }
    }
  }
}

extension Step {
  /// The answers whose bodies the step extracts from.
  func expected(_ answers: [RecordedAnswers.Answer]) -> [RecordedAnswers.Answer] {
    answers.filter { answer in
      answer.body != nil && expect.status.contains { $0.matches(answer.status) }
    }
  }

  /// The extractors that read the body with a query.
  var bodyExtractors: [(extractor: Extractor, query: Written<Query>)] {
    guard case .request(let request) = action else { return [] }
    return request.extract.compactMap { extractor in
      // The result of a template is known in a run only.
      guard case .body(let query) = extractor.source, !query.value.text.contains(bytes: "{{")
      else { return nil }
      return (extractor, query)
    }
  }
}

import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An expectation that no recorded answer meets.
enum NeverPasses: RecordedRule {
  static let explanation = Explanation("never-passes", .warning, PackageResources.never_passes_md)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    let statuses = Set(answers.map(\.status)).sorted()
    let passing = answers.filter { answer in
      step.expect.status.contains { $0.matches(answer.status) }
    }
    if passing.isEmpty {
      // The values may come from the look-up.
      if step.settle != nil { return }
      let list = statuses.map(String.init).joined(separator: ", ")
      found.append(
        finding(
          "step '\(step.id.value)' expects"
            + " \(step.expect.status.map(\.description).joined(separator: ", ")), and recorded"
            + " answers have \(list)",
          at: step.expect.statusNode?.range ?? step.id.range))
      return
    }
    for check in step.expect.checks where isKnown(check.condition.value) {
      let condition = check.condition
      let views = passing.compactMap(view)
      guard !views.isEmpty, !views.contains(where: { holds(condition.value, $0) }) else { continue }
      found.append(
        finding(
          "'\(condition.value.text)' does not hold for "
            + (views.count == 1 ? "the recorded answer" : "any of \(views.count) recorded answers"),
          at: condition.range))
    }
  }

  /// Whether a condition reads nothing but a status and a body.
  private static func isKnown(_ condition: Condition) -> Bool {
    condition.references.isEmpty
      && !["values", "headers", "cookies", "url", "text", "contentType", "header"].contains {
        condition.mayRead($0)
      }
  }

  private static func view(_ answer: RecordedAnswers.Answer) -> JSONNode? {
    guard let body = answer.body else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("status")
    writer.integer(answer.status)
    writer.name("body")
    writer.value(body)
    writer.endObject()
    return writer.document().root
  }

  private static func holds(_ condition: Condition, _ view: JSONNode) -> Bool {
    var context = QueryContext(view)
    context.current = view
    do throws(ConditionError) {
      return try condition.holds(in: context)
    } catch {
      return false
    }
  }
}

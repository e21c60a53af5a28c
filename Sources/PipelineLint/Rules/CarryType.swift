import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A carried value that does not keep its type.
enum CarryType: LintRule {
  static let explanation = Explanation("carry-type", .error, PackageResources.carry_type_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step) else { return }
    for value in loop.rounds.carried {
      let first = value.first.map { data in
        context.shape(of: data) { context.read($0, in: step.number) }
      }
      if let type = value.type, let data = value.first, let first, !data.uses.isEmpty,
        let kind = first.kind, kind != type.shape.contentKind
      {
        found.append(
          finding(
            "the default of '\(value.name)' must be \(type.words), not \(first.words)",
            at: data.node.range))
      }
      guard let next = value.next else { continue }
      let given = context.shape(of: next.value) { context.read($0, inOutputsOf: loop.inner) }
      // An absent or null value may stand for "no more".
      guard let kind = given.kind, kind != .null else { continue }
      if let type = value.type {
        guard kind != type.shape.contentKind else { continue }
        found.append(
          finding(
            "the next value of '\(value.name)' must be \(type.words), not \(given.words)",
            at: next.node.range))
      } else if let first, let before = first.kind, before != .null, before != kind {
        var finding = finding(
          "'\(value.name)' begins as \(first.words), and its next value is \(given.words)",
          at: next.node.range)
        finding.severity = .warning
        found.append(finding)
      }
    }
  }
}

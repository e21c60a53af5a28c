import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A value that a step extracts, and nothing reads.
enum UnusedValue: LintRule {
  static let explanation = Explanation(
    "unused-extractor", .warning, PackageResources.unused_extractor_md)

  static let needsWholeStep = true

  private static func removal(of extractor: Extractor, from step: Step) -> DiagnosticFix? {
    .suggesting(
      "remove '\(extractor.name)'", [step.node.removing(extractor.name, from: "extract")])
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, !context.usage.isWhollyRead(step.number) else { return }
    for extractor in request.extract where !context.usage.reads(extractor.name, of: step) {
      found.append(
        finding(
          "nothing reads '\(extractor.name)', which step '\(step.step.id.value)' extracts",
          at: extractor.nameRange, fix: Self.removal(of: extractor, from: step.step)))
    }
  }
}

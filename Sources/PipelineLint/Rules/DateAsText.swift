import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A date that is a text, so that it is not computed.
enum DateAsText: LintRule {
  static let explanation = Explanation("date-as-text", .warning, PackageResources.date_as_text_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.workflow.inputs.compactMap { input in
      guard input.type == .string || input.type == nil, let value = input.defaultValue,
        let text = value.string, Timestamps.isRelative(text)
      else { return nil }
      return finding(
        "'\(text)' is a text here; write \"type\": \"date\" or \"datetime\" to have it computed",
        at: value.range,
        fix: input.node.suggesting(
          "type",
          text.hasSuffix(bytes: "h") || text.hasSuffix(bytes: "m") ? "\"datetime\"" : "\"date\""))
    }
  }
}

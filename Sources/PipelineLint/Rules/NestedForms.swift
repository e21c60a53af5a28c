import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// Forms nested so deep that they cannot be read at a glance.
enum NestedForms: LintRule {
  static let explanation = Explanation("nested-forms", .note, PackageResources.nested_forms_md)

  private static let most = 3

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for data in parts.forms {
      let depth = depth(of: data.root)
      guard depth > most else { continue }
      found.append(
        finding(
          "\(depth) forms are inside each other here; a step with \"values\" gives a part of them a"
            + " name", at: data.node.range))
    }
  }

  private static func depth(of node: DataTemplate.Node) -> Int {
    switch node {
    case .literal, .reference, .query, .text: 0
    case .object(let members): members.map { depth(of: $0.value) }.max() ?? 0
    case .array(let items): items.map { depth(of: $0) }.max() ?? 0
    case .form(let form):
      (form.parts.map { depth(of: $0.value) }.max() ?? 0) + (isDigest(form) ? 0 : 1)
    }
  }

  private static func isDigest(_ form: any DataForm) -> Bool {
    form.parts.first.map { $0.form.equals(bytes: "$hash") || $0.form.equals(bytes: "$hmac") }
      ?? false
  }
}

import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A collection that is not a list.
enum ForEachType: LintRule {
  static let explanation = Explanation("for-each-type", .error, PackageResources.for_each_type_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    switch step.step.forEach?.source.value {
    case .query(let query) where query.value.isSingular:
      let shape = context.read(query.value, in: step.number).shape
      let kind = shape.contentKind
      guard let kinds = shape.possibleKinds, kind != .array,
        shape.maybeList || !kinds.contains(.array)
      else { return }
      let name = query.value.text
      if shape.maybeList {
        var finding = finding(
          "'\(name)' is \(shape.words) by its extractor, but 'forEach' needs a list; if it is a list of"
            + " them, select them with [*] in the extractor", at: query.range,
          fix: selecting(query.value, step, context))
        finding.severity = .warning
        found.append(finding)
      } else {
        found.append(
          finding(
            "'\(name)' is \(shape.words), but 'forEach' needs a list\(wayOut(kind, name))",
            at: query.range,
            related: shape.related,
            fix: kind == .number
              ? .replacing(query.range, with: range(upTo: name), isSafe: false) : nil))
      }
    case .list(let data) where DataTemplate.isForm(data.node):
      let shape = context.shape(of: data) { context.read($0, in: step.number) }
      guard let kind = shape.contentKind, kind != .array else { return }
      found.append(
        finding(
          "the form gives \(shape.words), but 'forEach' needs a list", at: data.node.range))
    default: return
    }
  }

  private static func range(upTo name: String) -> String {
    "{\"from\": 1, \"to\": \"{{\(name.dropFirst(bytes: 2))}}\"}"
  }

  /// The edit that takes the elements of what an extractor finds.
  private static func selecting(
    _ query: Query, _ step: LintStep, _ context: LintContext
  ) -> DiagnosticFix? {
    guard let extractor = context.extractor(readBy: query, in: step),
      case .body(let taken) = extractor.source
    else { return nil }
    let meant = taken.value.text + "[*]"
    return WorkflowDecoder.fix(
      meant, for: 0..<taken.value.text.utf8.count, in: taken.node, isSafe: false)
  }

  private static func wayOut(_ kind: JSONKind?, _ name: String) -> String {
    switch kind {
    case .number:
      "; to count up to it write \(range(upTo: name))"
    case .object: "; {\"$entries\": \"\(name)\"} in a step with 'values' makes one"
    case .string: "; extract a list, or write one"
    default: ""
    }
  }
}

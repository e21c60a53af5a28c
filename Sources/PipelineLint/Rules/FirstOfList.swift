import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A `$first` with a list of queries, where one query selects many values.
enum FirstOfList: LintRule {
  static let explanation = Explanation("first-of-list", .warning, PackageResources.first_of_list_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for data in parts.forms {
      data.root.forEachForm { form in
        guard let first = form as? FirstForm, case .array(let items) = first.list.value else {
          return
        }
        judge(items, in: first.list.node, hasDefault: first.parts.count > 1, &found)
      }
    }
  }

  /// The last one of several may well be a list: it is taken if the others are not there.
  private static func judge(
    _ items: [DataTemplate.Node], in list: JSONNode, hasDefault: Bool, _ found: inout [Diagnostic]
  ) {
    let place = items.firstIndex { item in
      if case .query(let query, _) = item { !query.isSingular } else { false }
    }
    guard let place, case .query(let query, let node) = items[place] else { return }
    let texts = list.elements.map(\.text)
    let isLast = place == items.count - 1
    if items.count == 1 || isLast && hasDefault {
      found.append(
        finding(
          "'\(query.text)' selects many, and the list of them is one element here; "
            + (items.count == 1
              ? "drop the brackets"
              : "write {\"$first\": \(node.text)} for the first of them"),
          at: node.range,
          fix: items.count == 1
            ? .replacing(list.range, with: node.text, isSafe: false)
            : .replacing(node.range, with: "{\"$first\": \(node.text)}", isSafe: false)))
      return
    }
    guard !isLast, let next = list[place + 1] else { return }
    let rest = texts[(place + 1)...]
    let fallback = rest.count == 1 ? next.text : "{\"$first\": [\(rest.joined(separator: ", "))]}"
    let options = "{\"of\": \(node.text), \"default\": \(fallback)}"
    let before = texts[..<place]
    let fix =
      before.isEmpty
      ? options
      : "[\((before + ["{\"$first\": \(options)}"]).joined(separator: ", "))]"
    found.append(
      finding(
        "'\(query.text)' is a list, even if it finds nothing, so "
          + "\(next.string.map { "'\($0)'" } ?? next.text) is never taken; write "
          + "{\"$first\": \(options)}",
        at: node.range, fix: .replacing(list.range, with: fix, isSafe: false)))
  }
}

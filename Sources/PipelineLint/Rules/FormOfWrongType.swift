import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A data form that is given values of a type that it does not take.
enum FormOfWrongType: LintRule {
  static let explanation = Explanation(
    "data-form-type", .error,
    what: "A data form such as `$sum` is given values of a type that it does not take.",
    why: """
      Forms do not convert values: `$sum` adds numbers, and the text `"20.00"` is not a number. The \
      step fails when it is run. An extractor with `"type": "number"` makes numbers of texts. To \
      give a form the elements of a list, select them with `[*]`, or insert the list as a whole: \
      `{"$count": "{{list.ids}}"}`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "invoices",
            "endpoint": "GET https://api.example.com/invoices",
            "extract": { "amounts": { "body": "$.data[*].amount", "type": "string" } }
          },
          { "id": "total", "values": { "sum": { "$sum": "$.invoices.amounts[*]" } } }
        ],
        "outputs": { "sum": "{{total.sum}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "invoices",
            "endpoint": "GET https://api.example.com/invoices",
            "extract": { "amounts": { "body": "$.data[*].amount", "type": "number" } }
          },
          { "id": "total", "values": { "sum": { "$sum": "$.invoices.amounts[*]" } } }
        ],
        "outputs": { "sum": "{{total.sum}}" }
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for data in step.parts.forms {
      judge(data.root, &found) { context.read($0, in: step.number) }
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() {
      for data in block.outputs.forms {
        judge(data.root, &found) { context.read($0, inOutputsOf: number) }
      }
    }
    return found
  }

  private static func judge(
    _ node: DataTemplate.Node, _ found: inout [Diagnostic], _ read: (Query) -> Reading
  ) {
    switch node {
    case .literal, .reference, .query, .text: break
    case .object(let members): for member in members { judge(member.value, &found, read) }
    case .array(let items): for item in items { judge(item, &found, read) }
    case .merge(let items):
      for item in items {
        judgePart(item, of: .merge, takes: .object, &found, read)
        judge(item, &found, read)
      }
    case .base64(let inner, let node):
      let given = LintContext.shape(of: inner, read)
      if given.isContainer, !given.maybeList {
        report(.base64, "this is \(given.words); '$json' makes a text of it", at: node, &found)
        found[found.count - 1].fix = node["$base64"].map {
          .replacing($0.range, with: "{ \"$json\": \($0.text) }", isSafe: false)
        }
      }
      judge(inner, &found, read)
    case .json(let inner), .file(let inner, _, _):
      judge(inner, &found, read)
    case .join(let list, let separator, let node):
      judge(.join, list, at: node, &found, read)
      judge(list, &found, read)
      judge(separator, &found, read)
    case .form(let form, let inner, let node):
      judge(form, inner, at: node, &found, read)
      judge(inner, &found, read)
    }
  }

  private static func judge(
    _ form: DataForm, _ inner: DataTemplate.Node, at node: JSONNode,
    _ found: inout [Diagnostic], _ read: (Query) -> Reading
  ) {
    guard form != .files, form != .first else { return }
    let given = LintContext.shape(of: inner, read)
    guard let kinds = given.possibleKinds else { return }
    let takesObject = form == .entries || form == .count
    let takesList = form != .entries
    let takesAny = kinds.contains(.array) && takesList || kinds.contains(.object) && takesObject
    guard takesAny else {
      // Values that are wrong by themselves were reported when they were read.
      if !inner.isWritten { report(form, "this is \(given.words)", at: node, &found) }
      return
    }
    if form == .concat, case .array(let items) = inner {
      for item in items { judgePart(item, of: form, takes: .array, &found, read) }
      return
    }
    if let wrong = inner.writtenElements.first(where: { element in
      guard let kinds = element.possibleKinds else { return false }
      return !kinds.contains { takes($0, form) } || form == .object && element.isNoEntry
    }) {
      report(
        form,
        form == .object && wrong.isNoEntry
          ? "an element lacks one of them" : "an element is \(wrong.words)",
        at: node, &found)
      return
    }
    guard case .list(let element) = given.content, let kinds = element.possibleKinds,
      !kinds.contains(where: { takes($0, form) })
    else { return }
    let wayOut =
      form == .sum && kinds.contains(.string)
      ? "; its extractor makes it a number with \"type\": \"number\"" : ""
    report(form, "an element is \(element.words)\(wayOut)", at: node, &found)
  }

  /// One of the values that a form joins, which are written as a list.
  private static func judgePart(
    _ part: DataTemplate.Node, of form: DataForm, takes wanted: JSONKind,
    _ found: inout [Diagnostic], _ read: (Query) -> Reading
  ) {
    let given = LintContext.shape(of: part, read)
    guard let kinds = given.possibleKinds, !kinds.contains(wanted), let node = part.node else {
      return
    }
    report(form, "this is \(given.words)", at: node, &found)
    // By RFC 7396 anything but an object replaces the value that it is merged into.
    if form == .merge { found[found.count - 1].severity = .warning }
  }

  /// Whether a form takes elements of a kind.
  private static func takes(_ kind: JSONKind, _ form: DataForm) -> Bool {
    switch form {
    case .sum: kind == .number
    case .min, .max: kind == .number || kind == .string
    case .join: kind != .array && kind != .object && kind != .null
    case .concat: kind == .array
    case .object: kind == .object
    default: true
    }
  }

  private static func report(
    _ form: DataForm, _ what: String, at node: JSONNode, _ found: inout [Diagnostic]
  ) {
    found.append(
      finding("'\(form.rawValue)' takes \(form.wanted ?? ""), but \(what)", at: node.range))
  }
}

extension ValueShape {
  /// Whether it is certain that it is no object with `key` and `value`.
  fileprivate var isNoEntry: Bool {
    guard case .object(let members, isOpen: false) = content else { return false }
    return members["key"] == nil || members["value"] == nil
  }
}

extension DataTemplate.Node {
  /// The elements of a list that is written out, as far as they are written out themselves.
  fileprivate var writtenElements: [ValueShape] {
    switch self {
    case .literal(let node, _) where node.kind == .array:
      node.elements.map { ValueShape(literal: $0) }
    case .array(let items): items.flatMap { $0.writtenElement }
    default: []
    }
  }

  private var writtenElement: [ValueShape] {
    switch self {
    case .literal(let node, _): [ValueShape(literal: node)]
    case .text: [.string]
    case .object(let members):
      [.object(ShapeMembers(members.map { ($0.name, ValueShape.unknown) }))]
    default: []
    }
  }

  /// Where the value is written, if it is one string or a literal.
  fileprivate var node: JSONNode? {
    switch self {
    case .literal(let node, _), .reference(_, let node), .query(_, let node), .text(_, let node),
      .base64(_, let node), .file(_, _, let node), .form(_, _, let node), .join(_, _, let node):
      node
    case .object, .array, .json, .merge: nil
    }
  }

  /// Whether the author wrote the value itself, and not its source.
  fileprivate var isWritten: Bool {
    switch self {
    case .literal, .text, .object, .array, .json, .base64: true
    case .reference, .query, .file, .merge, .form, .join: false
    }
  }
}

import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A data form that is given values of a type that it does not take.
enum FormOfWrongType: LintRule {
  static let explanation = Explanation("data-form-type", .error, PackageResources.data_form_type_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    context.judgeForms(of: parts, in: reader, &found) { data, found in
      data.root.forEachForm { form in
        for part in form.parts {
          judge(part, of: form, &found) { context.read($0, in: reader) }
        }
      }
    }
  }

  private static func judge(
    _ part: FormPart, of form: any DataForm, _ found: inout [Diagnostic],
    _ read: (Query) -> Reading
  ) {
    let takes = part.takes
    let given = part.value.shape { read($0).shape }
    guard let wanted = takes.kinds, !takes.isPath, let kinds = given.possibleKinds else { return }
    guard !kinds.isDisjoint(with: wanted) else {
      // Values that are wrong by themselves were reported when they were read.
      if takes.isLeftToLint || !part.value.isWritten {
        let form = takes.wayOut == nil ? textForm(of: given, wanted) : nil
        let wayOut = form.map { "'\($0)' makes a text of it" } ?? takes.wayOut
        report(part, "this is \(given.words)" + (wayOut.map { "; " + $0 } ?? ""), &found)
        if let form {
          found[found.count - 1].fix = .replacing(
            part.node.range, with: "{ \"\(form)\": \(part.node.text) }", isSafe: false)
        }
      }
      return
    }
    guard let elements = takes.elements else { return }
    if elements == [.array], case .array(let items) = part.value {
      for item in items { judgeItem(item, of: part, elements, &found, read) }
      return
    }
    let isEntries = form is ObjectForm
    if let wrong = part.value.writtenElements.first(where: { element in
      guard let kinds = element.possibleKinds else { return false }
      return kinds.isDisjoint(with: elements) || isEntries && element.isNoEntry
    }) {
      report(
        part,
        isEntries && wrong.isNoEntry
          ? "an element lacks one of them"
          : "an element is \(wrong.words)" + wayOut(of: part, elements, wrong.possibleKinds), &found
      )
      return
    }
    // Elements of several types are judged one by one.
    let items: [(shape: ValueShape, node: JSONNode?)] =
      if case .list(let element) = given.content, element.contentKind != nil {
        [(element, nil)]
      } else if case .array(let items) = part.value {
        items.map { item in (item.shape { read($0).shape }, item.node) }
      } else {
        []
      }
    for (shape, node) in items {
      guard let kinds = shape.possibleKinds, kinds.isDisjoint(with: elements) else { continue }
      let wayOut =
        elements == [.number] && kinds.contains(.string)
        ? "; 'type' of its extractor, or 'columns' of its table, makes it a number" : ""
      report(part, "an element is \(shape.words)\(wayOut)", at: node, &found)
    }
  }

  /// The form that makes a text of what a part is given, if it takes a text and no list.
  private static func textForm(of given: ValueShape, _ wanted: Set<JSONKind>) -> String? {
    guard wanted.contains(.string), !wanted.contains(.array), !given.maybeList,
      given.possibleKinds != [.null]
    else { return nil }
    return given.isContainer ? "$json" : "$text"
  }

  /// One of the lists that a form joins, which are written as a list.
  private static func judgeItem(
    _ item: DataTemplate.Node, of part: FormPart, _ wanted: Set<JSONKind>,
    _ found: inout [Diagnostic], _ read: (Query) -> Reading
  ) {
    let given = item.shape { read($0).shape }
    guard let kinds = given.possibleKinds, kinds.isDisjoint(with: wanted), let node = item.node
    else { return }
    let what = "this is \(given.words)" + wayOut(of: part, wanted, kinds)
    found.append(message(part, what, at: node))
  }

  /// How texts are given that stand in the place of lists.
  private static func wayOut(
    of part: FormPart, _ wanted: Set<JSONKind>, _ kinds: Set<JSONKind>?
  ) -> String {
    guard wanted == [.array], kinds?.contains(.string) == true else { return "" }
    return part.takes.wayOut.map { "; " + $0 } ?? ""
  }

  private static func report(
    _ part: FormPart, _ what: String, at node: JSONNode? = nil, _ found: inout [Diagnostic]
  ) {
    found.append(message(part, what, at: node ?? part.node))
    // A run can go on with it.
    if part.takes.isLeftToLint { found[found.count - 1].severity = .warning }
  }

  private static func message(_ part: FormPart, _ what: String, at node: JSONNode) -> Diagnostic {
    finding("'\(part.form)' takes \(part.takes.words ?? ""), but \(what)", at: node.range)
  }
}

extension ValueShape {
  /// Whether it is certain that it is not an object with `key` and `value`.
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

  /// Where the value is written, if it is one string, a literal or a form.
  fileprivate var node: JSONNode? {
    switch self {
    case .literal(let node, _), .reference(_, let node), .query(_, let node), .text(_, let node):
      node
    case .form(let form): form.parts.first?.node
    case .object, .array: nil
    }
  }

  /// Whether the author wrote the value itself, and not its source.
  fileprivate var isWritten: Bool {
    switch self {
    case .literal, .text, .object, .array: true
    case .form: writtenKind != nil
    case .reference, .query: false
    }
  }
}

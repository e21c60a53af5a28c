import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A placeholder of another tool that names a value of the workflow.
enum UnreadPlaceholder: LintRule {
  static let explanation = Explanation(
    "unread-placeholder", .warning,
    what: "A text holds a placeholder of another tool, such as `$id` or `{list.total}`, or a call.",
    why: """
      It is sent as it is written. A template inserts a value: `{{inputs.id}}`. Data forms compute: \
      `{"$sum": "$.list.prices"}`. A default is taken as it is written too. To send such a text \
      unchanged, put it into `{"$literal": …}`.
      """,
    bad: """
      {
        "inputs": { "name": { "type": "string" } },
        "steps": [
          {
            "id": "greet",
            "endpoint": "POST https://api.example.com/mails",
            "body": { "json": { "to": "{{inputs.name}}", "text": "Hello $inputs.name" } }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "name": { "type": "string" } },
        "steps": [
          {
            "id": "greet",
            "endpoint": "POST https://api.example.com/mails",
            "body": { "json": { "to": "{{inputs.name}}", "text": "Hello {{inputs.name}}" } }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let names = VisibleNames(context: context, block: step.block, step: step.number)
    for (node, site, _) in step.parts.literals
    where mayHold(node) && !context.incomplete.contains(node.index) {
      judge(node, isURL: site.isURL, names, &found)
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() {
      let names = VisibleNames(context: context, block: number, step: nil)
      for (node, _, _) in block.outputs.literals {
        if let path = names.path(writtenAs: node) {
          found.append(
            finding(
              "'\(path)' is a text here; write '{{\(path)}}' for the value", at: node.range,
              fix: DiagnosticFix(
                message: "write {{\(path)}}",
                edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"{{\(path)}}\"")],
                isSafe: false)))
        } else if mayHold(node) {
          judge(node, isURL: false, names, &found)
        }
      }
    }
    judgeDefaults(context.workflow, &found)
    return found
  }

  /// Whether the text of a value holds anything that placeholders begin with.
  private static func mayHold(_ node: JSONNode) -> Bool {
    let range = node.range
    return node.document.bytes.withUnsafeBufferPointer { bytes in
      bytes[range].contains { $0 == 0x24 || $0 == 0x28 || $0 == 0x7B || $0 == 0x3C || $0 == 0x25 }
    }
  }

  private static func judge(
    _ node: JSONNode, isURL: Bool, _ names: VisibleNames, _ found: inout [Diagnostic]
  ) {
    switch node.kind {
    case .string:
      guard mayHold(node), let text = node.string else { return }
      judge(Array(text.utf8), in: node, isURL: isURL, names, &found)
    case .array: for element in node.elements { judge(element, isURL: isURL, names, &found) }
    case .object:
      for member in node.members where member.name != "$literal" {
        judge(member.value, isURL: isURL, names, &found)
      }
    case .number, .boolean, .null: break
    }
  }

  private static func judge(
    _ bytes: [UInt8], in node: JSONNode, isURL: Bool, _ names: VisibleNames,
    _ found: inout [Diagnostic]
  ) {
    if let call = PlaceholderScanner.call(bytes) {
      found.append(
        finding(
          "'\(call.text)' is a text here and calls nothing; write {\"\(call.form)\": \"\(call.query)\"}",
          at: node.range))
      return
    }
    for place in PlaceholderScanner(bytes, isURL: isURL).places {
      guard let meant = names.path(meantBy: place) else { continue }
      let range = node.sourceRange(ofDecoded: place.range)
      let written = String(decoding: bytes[place.range], as: UTF8.self)
      found.append(
        finding(
          "'\(written)' is not a template; write '{{\(meant)}}'", at: range,
          fix: DiagnosticFix(
            message: "write {{\(meant)}}",
            edits: [DiagnosticFix.Edit(range: range, replacement: "{{\(meant)}}")], isSafe: false)))
    }
  }

  /// A name in `env` that no shell can set.
  private static func judge(_ variable: Written<String>, _ found: inout [Diagnostic]) {
    guard !WorkflowDecoder.isName(variable.value) else { return }
    let bytes = variable.value.utf8.filter { !"${}% ".utf8.contains($0) }
    let bare = String(decoding: bytes, as: UTF8.self)
    if WorkflowDecoder.isName(bare) {
      found.append(
        finding(
          "an environment variable is named without '$' and braces; write \"\(bare)\"",
          at: variable.range,
          fix: DiagnosticFix(
            message: "write \"\(bare)\"",
            edits: [DiagnosticFix.Edit(range: variable.range, replacement: "\"\(bare)\"")],
            isSafe: false)))
      return
    }
    let joined = String(decoding: bytes.map { "-.".utf8.contains($0) ? 0x5F : $0 }, as: UTF8.self)
    found.append(
      finding(
        "'\(variable.value)' is not a name that a shell can set in 'env'"
          + (WorkflowDecoder.isName(joined) ? "; write \"\(joined.uppercased())\"" : ""),
        at: variable.range))
  }

  /// Defaults and the values of environments are taken as they are written.
  private static func judgeDefaults(_ workflow: Workflow, _ found: inout [Diagnostic]) {
    var values: [(String, JSONNode)] = []
    for input in workflow.inputs {
      if let variable = input.variable { judge(variable, &found) }
      if let value = input.defaultValue { values.append(("the default of '\(input.name)'", value)) }
    }
    for environment in workflow.environments {
      for member in environment.values {
        values.append(("the value of '\(member.name)'", member.value))
      }
    }
    for (words, node) in values {
      guard let text = node.string, let start = text.firstRange(bytes: "{{"),
        text[start.upperBound...].contains(bytes: "}}")
      else { continue }
      found.append(
        finding(
          "\(words) is taken as it is written, with its braces; insert the values in the step",
          at: node.range))
    }
  }
}

extension Site {
  fileprivate var isURL: Bool {
    if case .url = self { true } else { false }
  }
}

/// The names that a step, or the outputs of a block, can read.
struct VisibleNames {
  let context: LintContext
  let block: Int
  /// `nil`: the outputs read.
  let step: Int?

  /// The path of a template that a placeholder means; `nil`: it may be an ordinary text.
  func path(meantBy place: PlaceholderScanner.Place) -> String? {
    var path = place.names
    if path.count > 1, Self.owners.contains(path[0]), isStep(path[1]) {
      path.removeFirst()
      if path.count > 2, Self.values.contains(path[1]) { path.remove(at: 1) }
    }
    if path.count > 1, Self.outside.contains(path[0]), isInput(path[1]) { path[0] = "inputs" }
    let joined = path.joined(separator: ".")
    if path[0] == "inputs" { return path.count > 1 && isInput(path[1]) ? joined : nil }
    if path.count > 1 { return isStep(path[0]) || isLoopName(path[0]) ? joined : place.unknown }
    guard place.isCertain else { return nil }
    if isLoopName(path[0]) { return path[0] }
    return isInput(path[0]) ? "inputs.\(path[0])" : nil
  }

  /// The path of a value that a text consists of, such as `list.total`.
  func path(writtenAs node: JSONNode) -> String? {
    guard node.kind == .string, node.range.count < 200, let text = node.string,
      text.contains(bytes: ".")
    else { return nil }
    let parts = text.split(ascii: ".").map { String($0) }
    guard parts.count > 1, parts.allSatisfy(WorkflowDecoder.isName) else { return nil }
    if parts[0] == "inputs" { return isInput(parts[1]) ? text : nil }
    guard let step = context.blocks[block].resolution.step(named: parts[0]) else { return nil }
    let shape = context.shapes[context.blocks[block].steps[step]].row
    return shape.memberNames.contains(parts[1]) ? text : nil
  }

  private static let owners: Set<String> = ["steps", "step", "nodes", "tasks"]
  private static let values: Set<String> = ["outputs", "output", "response", "body"]
  private static let outside: Set<String> = ["input", "vars", "var", "env", "params", "variables"]

  private func isInput(_ name: String) -> Bool {
    if case .object(let members, _) = context.inputs.content { members[name] != nil } else { false }
  }

  private func isStep(_ name: String) -> Bool {
    around { block, _ in context.blocks[block].resolution.step(named: name) != nil }
  }

  private func isLoopName(_ name: String) -> Bool {
    around { _, step in
      let loop = step.flatMap { context.steps[$0].step.forEach }
      return loop?.itemName == name || loop?.indexName?.value == name
    }
  }

  /// Whether something holds of a block around the reader and the step that the reader is in there.
  private func around(_ holds: (_ block: Int, _ step: Int?) -> Bool) -> Bool {
    var (block, step) = (block, step)
    while true {
      if holds(block, step) { return true }
      guard let parent = context.blocks[block].parent else { return false }
      (block, step) = (context.steps[parent].block, parent)
    }
  }
}

/// Finds what other tools write for a value: `$name`, `$(a.b)`, `{a.b}`, `<a.b>`, `%a.b%`,
/// `%(a)s`, `<%= a %>`.
struct PlaceholderScanner {
  struct Place {
    let range: Range<Int>
    let names: [String]
    /// Whether one name alone is enough for it.
    let isCertain: Bool
    /// The replacement if nothing has this name; `nil`: it may be an ordinary text.
    var unknown: String?
  }

  private(set) var places: [Place] = []
  private let bytes: [UInt8]

  /// - Parameter isURL: There, braces, angles and percent signs are found when the URL is read.
  init(_ bytes: [UInt8], isURL: Bool) {
    self.bytes = bytes
    var index = 0
    while index < bytes.count {
      let place: Place?
      switch bytes[index] {
      case UInt8(ascii: "$"): place = dollar(at: index, isURL: isURL)
      case UInt8(ascii: "{") where !isURL: place = closed(at: index, by: UInt8(ascii: "}"))
      case UInt8(ascii: "%") where !isURL && bytes.dropFirst(index + 1).first == UInt8(ascii: "("):
        place = format(at: index)
      case UInt8(ascii: "<") where !isURL && bytes.dropFirst(index + 1).first == UInt8(ascii: "%"):
        place = output(at: index)
      case UInt8(ascii: "<") where !isURL: place = closed(at: index, by: UInt8(ascii: ">"))
      case UInt8(ascii: "%") where !isURL: place = closed(at: index, by: UInt8(ascii: "%"))
      case UInt8(ascii: "%") where isURL: place = escaped(at: index)
      default: place = nil
      }
      if let place { places.append(place) }
      index = place?.range.upperBound ?? index + 1
    }
  }

  /// A call such as `sum($.list.prices)`, which is the whole text.
  static func call(_ bytes: [UInt8]) -> (text: String, form: String, query: String)? {
    guard bytes.last == UInt8(ascii: ")"), let open = bytes.firstIndex(of: UInt8(ascii: "(")),
      open > 1,
      bytes[..<open].allSatisfy({ isNameByte($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let inside = String(decoding: bytes[(open + 1)...].dropLast(), as: UTF8.self)
    guard inside.hasPrefix(bytes: "$."), case .success = Query.parse(inside),
      let form = DataForm.form(ofFunction: String(decoding: bytes[..<open], as: UTF8.self))
    else { return nil }
    return (text, form, inside)
  }

  private func dollar(at start: Int, isURL: Bool) -> Place? {
    if start > 0, Self.isNameByte(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "$") {
      return nil
    }
    var index = start + 1
    guard index < bytes.count else { return nil }
    let isSegment = start > 0 && bytes[start - 1] == UInt8(ascii: "/")
    if bytes[index] == UInt8(ascii: "(") {
      let (names, end) = path(from: index + 1)
      guard !names.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: ")") else { return nil }
      let isWhole = start == 0 && end + 1 == bytes.count
      return Place(range: start..<end + 1, names: names, isCertain: isURL ? isSegment : isWhole)
    }
    // `${…}` is found when the text is read, and so is a query alone in data.
    if !isURL, bytes[index] == UInt8(ascii: ".") { return nil }
    if bytes[index] == UInt8(ascii: ".") { index += 1 }
    let (names, end) = path(from: index)
    guard !names.isEmpty else { return nil }
    let isWhole = start == 0 && end == bytes.count
    return Place(range: start..<end, names: names, isCertain: isURL ? isSegment : isWhole)
  }

  private func closed(at start: Int, by close: UInt8) -> Place? {
    if start > 0, [bytes[start], UInt8(ascii: "$"), UInt8(ascii: "#")].contains(bytes[start - 1]) {
      return nil
    }
    let (names, end) = path(from: start + 1)
    guard !names.isEmpty, end < bytes.count, bytes[end] == close,
      end + 1 == bytes.count || bytes[end + 1] != close
    else { return nil }
    let isWhole = start == 0 && end + 1 == bytes.count
    return Place(
      range: start..<end + 1, names: names, isCertain: isWhole && names.count == 1,
      unknown: isWhole && close == UInt8(ascii: "}") && names.count > 1 ? "step.value" : nil)
  }

  /// `%(id)s`.
  private func format(at start: Int) -> Place? {
    let (names, end) = path(from: start + 2)
    guard !names.isEmpty, end + 1 < bytes.count, bytes[end] == UInt8(ascii: ")"),
      "sdif".utf8.contains(bytes[end + 1])
    else { return nil }
    return Place(range: start..<end + 2, names: names, isCertain: true)
  }

  /// `<%= id %>`.
  private func output(at start: Int) -> Place? {
    var index = start + 2
    if index < bytes.count, bytes[index] == UInt8(ascii: "=") { index += 1 }
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
    var (names, end) = path(from: index)
    while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
    guard !names.isEmpty, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "%"),
      bytes[end + 1] == UInt8(ascii: ">")
    else { return nil }
    return Place(range: start..<end + 2, names: names, isCertain: true)
  }

  /// `%7B%7Binputs.id%7D%7D`: a template that was encoded.
  private func escaped(at start: Int) -> Place? {
    let text = String(decoding: bytes[start..<min(bytes.count, start + 6)], as: UTF8.self)
      .lowercased()
    guard text == "%7b%7b" else { return nil }
    let (names, end) = path(from: start + 6)
    guard !names.isEmpty, end + 6 <= bytes.count,
      String(decoding: bytes[end..<end + 6], as: UTF8.self).lowercased() == "%7d%7d"
    else { return nil }
    return Place(range: start..<end + 6, names: names, isCertain: true)
  }

  /// Names with dots between them, and their end.
  private func path(from start: Int) -> (names: [String], end: Int) {
    var names: [String] = []
    var index = start
    while true {
      var end = index
      while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
      guard end > index, !(0x30...0x39).contains(bytes[index]) else { break }
      names.append(String(decoding: bytes[index..<end], as: UTF8.self))
      index = end
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."),
        Self.isNameByte(bytes[index + 1])
      else { break }
      index += 1
    }
    return (names, index)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}

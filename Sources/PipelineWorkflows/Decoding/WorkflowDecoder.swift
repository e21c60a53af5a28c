import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// Reads a workflow out of a JSON document: all of it, whatever is wrong with parts.
///
/// Unreadable parts are reported and left out. `incomplete` remembers their places, so that nobody
/// reports the consequences. Performs no I/O.
struct WorkflowDecoder {
  let source: SourceFile
  let document: JSONDocument
  /// Reads the file that this one builds on.
  let loader: (any FileLoader)?
  private(set) var diagnostics: [Diagnostic] = []
  /// How many findings of a code were made.
  private var counts: [String: Int] = [:]
  /// The findings that authors silenced.
  var silencings: [Silencing] = []
  var defaults = Defaults()
  /// The first endpoint that would have to be appended to a `baseURL`, as a finding. It is reported
  /// if the file has none.
  var homeless: Diagnostic?
  /// The values, by their place in the document, that could not be read completely.
  var incomplete: Set<Int> = []
  /// The steps, by their place in the document, that have a key where they have an `id`.
  var namedByKey: Set<Int> = []
  /// The queries of bodies by their texts: steps of one API ask much the same.
  var queries: [String: Query] = [:]
  /// The names that the steps being read can see, with the places that gave them.
  var scopes: [[String: Range<Int>]] = []
  /// The number of steps with inner steps around those being read.
  var blockDepth = 0
  /// The key `state`; `nil`: the file has none, and `state` is an ordinary name.
  var statePlace: Range<Int>?

  init(source: SourceFile, document: JSONDocument, loader: (any FileLoader)? = nil) {
    self.source = source
    self.document = document
    self.loader = loader
  }

  // MARK: - Reporting

  mutating func report(
    _ code: DecodingCode, _ message: String, at range: Range<Int>,
    related: [Diagnostic.Related] = [], fix: DiagnosticFix? = nil
  ) {
    report(code.rawValue, message, at: range, related: related, fix: fix)
  }

  mutating func report(
    _ code: String, _ message: String, at range: Range<Int>, related: [Diagnostic.Related] = [],
    fix: DiagnosticFix? = nil
  ) {
    add(
      Diagnostic(
        code: code, severity: .error, message: message, range: range, related: related,
        fix: fix))
  }

  /// Keeps a finding, if there are not too many of its kind.
  mutating func add(_ finding: Diagnostic) {
    let count = counts[finding.code, default: 0] + 1
    counts[finding.code] = count
    // One more than is shown, so that the start of the rest is known.
    if count <= FindingBounds.shown + 1 { diagnostics.append(finding) }
  }

  /// How many findings of a code were not kept.
  var uncounted: [String: Int] {
    counts.compactMapValues { $0 > FindingBounds.shown + 1 ? $0 - FindingBounds.shown - 1 : nil }
  }

  /// Takes over the findings of another decoder, in a later part of the file or in another file.
  mutating func takeFindings(of other: WorkflowDecoder) {
    for finding in other.diagnostics { add(finding) }
    for (code, count) in other.uncounted { counts[code, default: 0] += count }
    silencings += other.silencings
    incomplete.formUnion(other.incomplete)
  }

  /// Says that a value is not what its key asks for: `'timeout' must be …, not the number 10`.
  mutating func mistyped(
    _ node: JSONNode, _ name: String, _ wanted: String, hint: String = "", fix: DiagnosticFix? = nil
  ) {
    // The value of a reported key is read as if it were meant for another.
    guard incomplete.insert(node.index).inserted else { return }
    report(
      .wrongType, "'\(name)' must be \(wanted), not \(Self.words(for: node))\(hint)",
      at: node.range, fix: fix)
  }

  /// Whether a value is a list. Reports any other value, with a fix for a single text.
  mutating func isList(_ node: JSONNode, _ name: String, _ wanted: String) -> Bool {
    if node.kind == .array { return true }
    guard node.kind == .string else {
      mistyped(node, name, wanted)
      return false
    }
    let list = "[\(node.text)]"
    mistyped(
      node, name, wanted, hint: "; write \(list)",
      fix: DiagnosticFix(
        message: "write a list",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: list)]))
    return false
  }

  /// A JSON value in a message: `the number 10`, `a list`.
  static func words(for node: JSONNode) -> String {
    switch node.kind {
    case .object: return node.count == 0 ? "an empty object" : "an object"
    case .array: return node.count == 0 ? "an empty list" : "a list"
    case .string:
      let text = node.string ?? ""
      if text.isEmpty { return "an empty text" }
      return "the text \"\(text.count > 40 ? text.prefix(39) + "…" : text[...])\""
    case .number: return "the number \(node.text)"
    case .boolean: return node.text
    case .null: return "null"
    }
  }

  // MARK: - Objects

  /// The members of an object that its table knows; `nil`, with a report, if `node` is not an
  /// object.
  ///
  /// Reports unknown and missing keys, keys that exclude one another and keys whose companion is
  /// missing.
  mutating func fields(
    of node: JSONNode, _ kind: LanguageObject.Kind, _ place: Place, wanted: String? = nil
  ) -> ObjectFields? {
    let table = kind.object
    guard node.kind == .object else {
      let hint = wanted ?? "an object such as \(Self.example(of: table))"
      if incomplete.insert(node.index).inserted {
        report(
          .wrongType, "\(place) must be \(hint), not \(Self.words(for: node))", at: node.range)
      }
      return nil
    }
    var entries: [ObjectFields.Entry] = []
    entries.reserveCapacity(node.count)
    var suspects: [String: JSONMember] = [:]
    var unknownCount = 0
    for member in node.members {
      if let key = table.index(of: member) {
        entries.append(ObjectFields.Entry(member, key: key, in: table))
        continue
      }
      let name = member.name
      if name == "$lint" {
        silence(member.value, within: node.range)
      } else if !LanguageObject.isIgnored(name) {
        unknownCount += 1
        let isAdvised = unknownCount <= FindingBounds.advised
        if let meant = unknown(member, of: node, in: table, place, isAdvised: isAdvised) {
          suspects[meant] = member
        }
      }
    }
    var fields = ObjectFields(table, node, place, entries, suspects: suspects)
    if !suspects.isEmpty { fields = readingMisspelt(fields) }
    check(fields)
    return fields
  }

  /// Reads the value of a misspelt key as if it were spelt right, so that its contents are not
  /// reported as missing.
  private func readingMisspelt(_ fields: ObjectFields) -> ObjectFields {
    var fields = fields
    for (name, member) in fields.suspects.sorted(by: { $0.key < $1.key }) {
      guard let key = fields.table.index(of: name), !fields.has(name),
        // What gives names that others read is read by whatever name.
        name == "forEach" || name == "dependsOn"
          || name == "steps" && Self.isListOfSteps(member.value)
          || name == "when" && Self.isCondition(member.name)
          || Spelling.nearest(to: member.name, among: [name]) != nil
            && (LanguageAliases.folded(member.name) == LanguageAliases.folded(name)
              || LanguageAliases.advice(on: member.name, in: fields.table.kind) == nil),
        !fields.table.choices.contains(where: { choice in
          choice.keys.contains(name) && choice.keys.contains(where: fields.has)
        })
      else { continue }
      let entry = ObjectFields.Entry(member, key: key, in: fields.table)
      fields = ObjectFields(
        fields.table, fields.node, fields.place, fields.entries + [entry],
        suspects: fields.suspects)
    }
    return fields
  }

  /// Whether a list under another key is one of steps as they are written here. In the words of
  /// another tool, each of its keys would be reported.
  private static func isListOfSteps(_ node: JSONNode) -> Bool {
    node.kind == .array && node.count > 0
      && node.elements.allSatisfy { step in
        step["id"] != nil && LanguageAction.allCases.contains { step[$0.rawValue] != nil }
      }
  }

  /// Whether other tools have this key for a condition that must hold.
  private static func isCondition(_ name: String) -> Bool {
    ["if", "condition", "cond", "runif", "case", "test", "is"].contains(
      LanguageAliases.folded(name))
  }

  /// Reports a key that the table does not have. Returns the key that was meant, if that is clear.
  ///
  /// - Parameter isAdvised: Whether it is one of the first of its object.
  private mutating func unknown(
    _ member: JSONMember, of object: JSONNode, in table: LanguageObject, _ place: Place,
    isAdvised: Bool
  ) -> String? {
    let name = member.name
    // The right place is named here. Endpoints without it are not a second mistake.
    if name == "baseURL" { defaults.namesBaseURL = true }
    guard isAdvised else {
      report(.unknownKey, "unknown key '\(name)' in \(place)", at: member.nameRange)
      incomplete.insert(member.value.index)
      return nil
    }
    let folded = LanguageAliases.folded(name)
    let same = table.keys.first { LanguageAliases.folded($0.name) == folded }?.name
    // A word of another tool is not a slip of the pen: 'if' is not meant for 'id'.
    var alias = same == nil ? LanguageAliases.advice(on: name, in: table.kind) : nil
    // 'states' is not meant for 'steps' beside 'steps', but for 'state'.
    if let key = alias?.key, object[key] != nil,
      let near = Spelling.nearest(to: name, among: table.keys.lazy.map(\.name)), near != key,
      object[near] == nil
    {
      alias = nil
    }
    let meant =
      same ?? (alias == nil ? Spelling.nearest(to: name, among: table.keys.lazy.map(\.name)) : nil)
    var message = "unknown key '\(name)' in \(place)"
    var fix: DiagnosticFix?
    var suspect = meant
    if let meant {
      message += "; did you mean '\(meant)'?"
      fix = DiagnosticFix(
        message: "write '\(meant)'",
        edits: [DiagnosticFix.Edit(range: member.nameRange, replacement: "\"\(meant)\"")])
    } else if let alias {
      message += "; \(alias.text)"
      suspect = alias.isComment ? nil : alias.key ?? Self.another
    } else if let owners = LanguageObject.owners[name] {
      message += "; it belongs \(Self.belonging(of: name, owners))"
    } else if let other = LanguageObject.ownedNames.first(where: {
      LanguageAliases.folded($0) == folded
    }) {
      message +=
        "; '\(other)' belongs \(Self.belonging(of: other, LanguageObject.owners[other] ?? []))"
    } else {
      message += "; a key of your own begins with 'x-'"
    }
    incomplete.insert(member.value.index)
    if let target = Self.target(of: object, in: table) {
      // The method and the URL are one endpoint, and reported at the URL.
      if target.method == member.name { return suspect }
      if target.url == member.name {
        message = "unknown key '\(name)' in \(place); \(target.advice)"
      }
    }
    report(.unknownKey, message, at: member.nameRange, fix: fix)
    return suspect
  }

  /// The method and the URL of an object that has them apart: their keys, and what to write.
  private static func target(
    of object: JSONNode, in table: LanguageObject
  ) -> (method: String, url: String, advice: String)? {
    guard table.kind == .step || table.kind == .branch, object["endpoint"] == nil,
      let method = ["method", "verb", "httpMethod"].first(where: { object[$0]?.string != nil }),
      let url = ["url", "uri", "path", "href", "URL"].first(where: { object[$0]?.string != nil })
    else { return nil }
    let text = (object[method]?.string ?? "").uppercased() + " " + (object[url]?.string ?? "")
    return (
      method, url,
      "write \"endpoint\": \(JSONValue.string(text)) for '\(method)' and '\(url)'"
    )
  }

  /// The meaning of another tool's key that the object itself does not have. The missing key is not
  /// a second mistake.
  private static let another = ""

  /// Where a key belongs: `in a step, beside 'endpoint'`.
  private static func belonging(of name: String, _ owners: [LanguageObject.Kind]) -> String {
    let places = owners.prefix(3).map { owner in
      let table = owner.object
      guard owner == .step, let actions = table[name]?.actions, actions.count == 1,
        let action = actions.first
      else { return table.place }
      return "\(table.place), beside '\(action.rawValue)'"
    }
    return places.joined(separator: " or ")
  }

  /// Reports missing keys, keys that exclude one another, and keys without their companion.
  private mutating func check(_ fields: ObjectFields) {
    let suspects = fields.suspects
    let start = fields.node.range.lowerBound
    let brace = start..<(start + 1)
    let isForeign = suspects[Self.another] != nil
    for key in fields.table.required
    where !fields.has(key.name) && suspects[key.name] == nil && !isForeign
      && !(key.name == "id" && namedByKey.contains(fields.node.index))
    {
      report(
        .missingKey,
        "\(fields.place) lacks the key '\(key.name)'; write \"\(key.name)\": \(key.example)",
        at: brace)
      incomplete.insert(fields.node.index)
    }
    var conflicting: Set<String> = []
    for choice in fields.table.choices {
      let given = choice.keys.compactMap { fields.member($0) }
      if given.count > 1 {
        conflicting.formUnion(given.map(\.name))
        let inOrder = given.sorted { $0.nameRange.lowerBound < $1.nameRange.lowerBound }
        let (first, second) = (inOrder[0], inOrder[1])
        report(
          .conflictingKeys,
          "\(fields.place) has both '\(first.name)' and '\(second.name)'; keep one of them",
          at: second.nameRange,
          related: [.init(range: first.nameRange, message: "'\(first.name)' is here")])
      } else if given.isEmpty, choice.isRequired, !isForeign,
        !choice.keys.contains(where: { suspects[$0] != nil })
      {
        report(
          .missingKey, "\(fields.place) needs one of \(Self.list(choice.keys))", at: brace)
        incomplete.insert(fields.node.index)
      }
    }
    for entry in fields.entries {
      let companions = fields.table.companions[entry.key]
      guard !companions.isEmpty, !conflicting.contains(entry.name), !isForeign,
        !companions.contains(where: { fields.has($0) || suspects[$0] != nil })
      else { continue }
      report(
        .missingKey, "'\(entry.name)' needs \(Self.list(companions)) beside it",
        at: entry.member.nameRange)
    }
  }

  /// `'a', 'b' or 'c'`.
  static func list(_ names: [String]) -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func example(of table: LanguageObject) -> String {
    let required = table.keys.filter(\.isRequired)
    let keys = required.isEmpty ? Array(table.keys.prefix(1)) : required
    return "{" + keys.map { "\"\($0.name)\": \($0.example)" }.joined(separator: ", ") + "}"
  }

  // MARK: - Silencing

  /// Reads `$lint`.
  private mutating func silence(_ node: JSONNode, within range: Range<Int>) {
    guard let fields = fields(of: node, .lint, .key("$lint")), let ignore = fields["ignore"]
    else { return }
    guard ignore.kind == .object else {
      mistyped(ignore, "ignore", "an object of codes and reasons")
      return
    }
    for member in ignore.members {
      let reason = member.value.string ?? ""
      if reason.allSatisfy(\.isWhitespace) {
        report(
          .silencingReason,
          "silencing '\(member.name)' needs a reason: a text for readers of the file",
          at: member.value.range)
      }
      silencings.append(Silencing(code: member.name, codeRange: member.nameRange, scope: range))
    }
  }
}

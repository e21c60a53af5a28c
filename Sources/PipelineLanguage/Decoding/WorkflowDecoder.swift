import PipelineByteText
import PipelineJSONPaths
package import PipelineJSONText
package import PipelineSourceText

/// Reads a workflow out of a JSON document: all of it, whatever is wrong with parts.
///
/// Unreadable parts are reported and left out. `incomplete` remembers their places, so that the
/// consequences are not reported. Performs no I/O.
package struct WorkflowDecoder {
  let source: SourceFile
  package let document: JSONDocument
  /// Whether the form `$file` is anywhere in the document.
  private(set) lazy var mentionsFiles = document.bytes.indices.contains { start in
    document.bytes[start] == UInt8(ascii: "$")
      && document.bytes[start...].starts(with: "$file\"".utf8)
  }
  /// Reads the file that this one builds on.
  let loader: (any FileLoader)?
  package private(set) var diagnostics: [Diagnostic] = []
  /// How many findings of a code were made.
  private var counts: [String: Int] = [:]
  /// The findings that authors silenced.
  package var silencings: [Silencing] = []
  /// The settings that the steps of the file inherit; `nil` for those of a file that declares none.
  var inherited: (any InheritedSettings)?
  /// Whether the file has a `baseURL`, valid or not.
  var namesBaseURL = false
  /// The first endpoint that would have to be appended to a `baseURL`, as a finding. It is reported
  /// if the file has none.
  var homeless: [Diagnostic] = []
  /// The keys that are in an object to which they do not belong.
  var misplaced: Set<String> = []
  /// The values, by their place in the document, that could not be read completely.
  var incomplete: Set<Int> = []
  /// The steps, by their place in the document, that have a key where they have an `id`.
  var namedByKey: Set<Int> = []
  /// The queries of bodies by their texts: steps of one API have many queries in common.
  var queries: [String: Query] = [:]
  /// The names that the steps being read can see, with the places that gave them.
  var scopes: [[String: Range<Int>]] = []
  /// The number of steps with inner steps around those being read.
  var blockDepth = 0
  /// The key `state` of the file or of a step; `nil` if there is none, and `state` is an ordinary
  /// name.
  var statePlace: Range<Int>?

  package init(source: SourceFile, document: JSONDocument, loader: (any FileLoader)? = nil) {
    self.source = source
    self.document = document
    self.loader = loader
  }

  // MARK: - Reporting

  package mutating func report(
    _ code: DecodingCode, _ message: String, at range: Range<Int>,
    related: [Diagnostic.Related] = [], fix: DiagnosticFix? = nil
  ) {
    report(code.rawValue, message, at: range, related: related, fix: fix)
  }

  /// - Parameter proposal: The end of the message, with its edit.
  package mutating func report(
    _ code: DecodingCode, _ message: String, _ proposal: Proposal, at range: Range<Int>
  ) {
    report(code.rawValue, message, proposal, at: range)
  }

  /// Reports a finding whose code belongs to a rule.
  package mutating func report(
    _ code: String, _ message: String, _ proposal: Proposal, at range: Range<Int>
  ) {
    report(code, message + proposal.text, at: range, fix: proposal.fix)
  }

  package mutating func report(
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
  package var uncounted: [String: Int] {
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
    _ node: JSONNode, _ name: String, _ wanted: String, hint: Proposal = .none
  ) {
    // The value of a reported key is read as if it were meant for another.
    guard incomplete.insert(node.index).inserted else { return }
    report(
      .wrongType, "'\(name)' must be \(wanted), not \(Self.words(for: node))", hint, at: node.range)
  }

  /// Whether a value is a list. Reports any other value, with a fix for a single text.
  mutating func isList(_ node: JSONNode, _ name: String, _ wanted: String) -> Bool {
    if node.kind == .array { return true }
    guard node.kind == .string else {
      mistyped(node, name, wanted)
      return false
    }
    mistyped(
      node, name, wanted, hint: .write("[\(node.text)]", for: node.range, isSafe: true))
    return false
  }

  /// A JSON value in a message: `the number 10`, `a list`.
  package static func words(for node: JSONNode) -> String {
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
  ///
  /// - Parameters:
  ///   - wanted: What must be there, if an example of the object does not show it.
  ///   - meant: The object that another value likely stands for.
  package mutating func fields(
    of node: JSONNode, _ kind: LanguageObject.Kind, _ place: Place, wanted: String? = nil,
    meant: String? = nil
  ) -> ObjectFields? {
    let table = kind.object
    guard node.kind == .object else {
      let hint =
        wanted ?? "an object such as \(meant ?? Self.example(of: table))"
      if incomplete.insert(node.index).inserted {
        report(
          .wrongType, "\(place) must be \(hint), not \(Self.words(for: node))", at: node.range,
          fix: meant.map { .replacing(node.range, with: $0, isSafe: false) })
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
        if let meant = unknown(
          member, of: node, in: table, place, taken: suspects, isAdvised: isAdvised)
        {
          suspects[meant] = member
        }
      }
    }
    var fields = ObjectFields(table, node, place, entries, suspects: suspects)
    if !suspects.isEmpty { fields = readingMisspelt(fields) }
    check(fields)
    return fields
  }

  /// Reports missing keys, keys that exclude one another, and keys without their companion.
  private mutating func check(_ fields: ObjectFields) {
    let suspects = fields.suspects
    let start = fields.node.range.lowerBound
    let brace = start..<(start + 1)
    let isForeign = suspects[Self.another] != nil
    for key in fields.table.required
    where !fields.has(key.name) && suspects[key.name] == nil && !isForeign
      && !(key.type == .name && namedByKey.contains(fields.node.index))
    {
      reportMissing(key.name, example: key.example, in: fields)
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
        case let names = choice.keys + [choice.substitute].compactMap({ $0 }),
        !names.contains(where: { suspects[$0] != nil || fields.has($0) })
      {
        report(.missingKey, "\(fields.place) needs one of \(Self.list(names))", at: brace)
        incomplete.insert(fields.node.index)
      }
    }
    for entry in fields.entries {
      let companions = fields.table.companions[entry.key]
      guard !companions.isEmpty, !conflicting.contains(entry.name), !isForeign,
        !companions.contains(where: { fields.has($0) || suspects[$0] != nil })
      else { continue }
      // One that another key excludes cannot be added.
      let other = fields.table.choices.first { choice in
        companions.allSatisfy { choice.keys.contains($0) }
      }?.keys.first { fields.has($0) }
      report(
        .missingKey,
        other.map {
          "'\(entry.name)' goes with \(Self.list(companions)), and this has '\($0)'; leave one of them"
            + " out"
        } ?? "'\(entry.name)' needs \(Self.list(companions)) beside it",
        at: entry.member.nameRange,
        fix: other == nil ? adding(companions, to: fields.node, of: fields.table) : nil)
    }
  }

  /// Reports an object that lacks a key.
  mutating func reportMissing(_ name: String, example: String, in fields: ObjectFields) {
    let start = fields.node.range.lowerBound
    let text = "\"\(name)\": \(example)"
    report(
      .missingKey, "\(fields.place) lacks the key '\(name)'; write \(text)",
      at: start..<(start + 1),
      fix: .inserting(
        " \(text)" + (fields.node.count == 0 ? " " : ","), at: start + 1, "add \(text)"))
    incomplete.insert(fields.node.index)
  }

  /// The edit that adds the only key that may be beside another, with an example of its value.
  private func adding(
    _ companions: [String], to object: JSONNode, of table: LanguageObject
  ) -> DiagnosticFix? {
    // The example of a query of the scope names a step that is not there.
    guard companions.count == 1, let key = table[companions[0]], !key.type.takes(.scopeQuery) else {
      return nil
    }
    return object.suggesting(key.name, key.example)
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
}

import PipelineByteText
import PipelineJSONText
import PipelineSourceText

// Keys that an object does not have: what was meant, and how it is read all the same.

extension WorkflowDecoder {
  /// Reads the value of a misspelt key as if it were spelt right, so that its contents are not
  /// reported as missing.
  func readingMisspelt(_ fields: ObjectFields) -> ObjectFields {
    var fields = fields
    for (name, member) in fields.suspects.sorted(by: { $0.key < $1.key }) {
      guard let key = fields.table.index(of: name), !fields.has(name),
        fields.table.keys[key].isMeant(member)
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

  /// Reports a key that the table does not have. Returns the key that was meant, if that is clear.
  ///
  /// - Parameters:
  ///   - taken: The keys that other unknown keys of the object are meant for.
  ///   - isAdvised: Whether it is one of the first of its object.
  mutating func unknown(
    _ member: JSONMember, of object: JSONNode, in table: LanguageObject, _ place: Place,
    taken: [String: JSONMember], isAdvised: Bool
  ) -> String? {
    let name = member.name
    let names = table.keys.lazy.map(\.name) + ["$lint"]
    // The right place is named here. What lacks it there is not a second mistake.
    if LanguageObject.owners[name] != nil { misplaced.insert(name) }
    let message = "unknown key '\(name)' in \(place)"
    incomplete.insert(member.value.index)
    guard isAdvised else {
      report(.unknownKey, message, at: member.nameRange)
      return nil
    }
    let folded = LanguageAliases.folded(name)
    let same = table.keys.first { LanguageAliases.folded($0.name) == folded }?.name
    // A word of another tool is not a slip of the pen: 'if' is not meant for 'id'.
    var alias = same == nil ? LanguageAliases.advice(on: name, in: table.kind) : nil
    // 'states' is not meant for 'steps' beside 'steps', but for 'state'. Nor is 'output' in a block
    // meant for 'extract'.
    let action = LanguageAction.allCases.first { object[$0.rawValue] != nil }
    func isAllowed(_ key: String) -> Bool {
      guard let action, let actions = table[key]?.actions else { return true }
      return actions.contains(action)
    }
    if let key = alias?.key, object[key] != nil || !isAllowed(key),
      let near = Spelling.nearest(to: name, among: names), near != key,
      object[near] == nil, isAllowed(near)
    {
      alias = nil
    }
    let meant = same ?? (alias == nil ? Spelling.nearest(to: name, among: names) : nil)
    var proposal: Proposal
    var suspect = meant
    if let meant, object[meant] != nil {
      proposal = "; '\(meant)' is beside it, so join the two"
    } else if let meant {
      // A second key of the same name would break the file.
      let fix = DiagnosticFix.replacing(
        member.nameRange, with: "\"\(meant)\"", isSafe: same != nil)
      proposal = Proposal("; did you mean '\(meant)'?", fix: taken[meant] == nil ? fix : nil)
    } else if let alias {
      proposal = Proposal(
        "; \(alias.text(for: member))",
        fix: ForeignMember(member, in: object, of: table.kind).fix
          ?? alias.fix(of: member, in: object, besides: taken))
      suspect = alias.isComment ? nil : alias.key ?? Self.another
    } else if let owners = LanguageObject.owners[name] {
      proposal = "; it belongs \(Self.belonging(of: name, owners))"
    } else if let other = LanguageObject.ownedNames.first(where: {
      LanguageAliases.folded($0) == folded
    }) {
      proposal =
        "; '\(other)' belongs \(Self.belonging(of: other, LanguageObject.owners[other] ?? []))"
    } else {
      proposal = "; remove it, or write 'x-\(name)' for a remark, which the run does not read"
    }
    if let target = Self.target(of: object, in: table) {
      // The method and the URL are one endpoint, and reported at the URL.
      if target.method == member.name { return suspect }
      if target.url == member.name { proposal = target.proposal }
    }
    report(.unknownKey, message, proposal, at: member.nameRange)
    return suspect
  }

  /// The method and the URL of an object that has them apart: their keys, and what to write.
  private static func target(
    of object: JSONNode, in table: LanguageObject
  ) -> (method: String, url: String, proposal: Proposal)? {
    guard table.kind == .step || table.kind == .branch, object["endpoint"] == nil,
      let method = ["method", "verb", "httpMethod"].first(where: { object[$0]?.string != nil }),
      let url = object.members.first(where: {
        ["url", "uri", "path", "href", "URL"].contains($0.name) && $0.value.string != nil
      })
    else { return nil }
    let text = (object[method]?.string ?? "").uppercased() + " " + (url.value.string ?? "")
    let endpoint = "\"endpoint\": \(JSONValue.string(text))"
    let removal = object.members.first { $0.name == method }.flatMap { object.removing($0) }
    let change = DiagnosticFix.Edit(
      range: url.nameRange.lowerBound..<url.value.range.upperBound, replacement: endpoint)
    let edits = [change, removal].compactMap { $0 }
    let isApart = removal.map { !$0.range.overlaps(change.range) } ?? false
    return (
      method, url.name,
      Proposal(
        "; write \(endpoint) for '\(method)' and '\(url.name)'",
        fix: isApart
          ? DiagnosticFix(message: "write \(endpoint)", edits: edits, isSafe: false) : nil)
    )
  }

  /// The meaning of another tool's key that the object itself does not have. The missing key is not
  /// a second mistake.
  static let another = ""

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
}

internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineLint
internal import PipelineSourceText

/// The named parts of files, and what can be done with them.
extension LanguageServer {
  /// The most symbols of a folder that are sent.
  private static let mostSymbols = 1000

  func symbols(_ question: Question) -> JSONValue {
    let entries = OutlineEntry.entries(of: question.analysis.document.root)
    if abilities.nestsSymbols { return .array(entries.map { Self.tree($0, question.text) }) }
    return .array(
      entries.flatMap { Self.flat($0, "", question.text, question.uri, matching: "") })
  }

  /// The symbols of the files in the editor's folders whose names hold a text.
  func workspaceSymbols(_ query: String) -> JSONValue {
    var found: [JSONValue] = []
    var texts: [(String, [UInt8])] = folder.names.map { ($0, folder.text($0)?.bytes ?? []) }
    let open = Set(folder.names.map { ExactText($0) })
    if !roots.isEmpty {
      for case .success(let file) in WorkflowFiles(files: files, kinds: [.workflows, .tests])
        .read(roots)
      where !open.contains(ExactText(file.name)) { texts.append((file.name, file.bytes)) }
    }
    for (name, bytes) in texts where found.count < Self.mostSymbols {
      let text = EditedText(bytes, abilities.encoding)
      let uri = uris[ExactText(name)] ?? FileURI.uri(of: name)
      let root = JSONDocument.parseRecovering(bytes).document.root
      found += OutlineEntry.entries(of: root)
        .flatMap { Self.flat($0, "", text, uri, matching: query.lowercased()) }
    }
    return .array(Array(found.prefix(Self.mostSymbols)))
  }

  private static func tree(_ entry: OutlineEntry, _ text: EditedText) -> JSONValue {
    [
      "name": .string(entry.name.isEmpty ? "(no name)" : entry.name),
      "detail": .string(entry.detail), "kind": JSONValue(number(of: entry.kind)),
      "range": ProtocolValue.range(entry.range, in: text),
      "selectionRange": ProtocolValue.range(entry.nameRange, in: text),
      "children": .array(entry.children.map { tree($0, text) }),
    ]
  }

  private static func flat(
    _ entry: OutlineEntry, _ owner: String, _ text: EditedText, _ uri: String,
    matching query: String
  ) -> [JSONValue] {
    let own: JSONValue = [
      "name": .string(entry.name.isEmpty ? "(no name)" : entry.name),
      "kind": JSONValue(number(of: entry.kind)),
      "containerName": .string(owner),
      "location": ["uri": .string(uri), "range": ProtocolValue.range(entry.range, in: text)],
    ]
    let isMeant = query.isEmpty || entry.name.lowercased().contains(query)
    return (isMeant ? [own] : [])
      + entry.children.flatMap { flat($0, entry.name, text, uri, matching: query) }
  }

  /// The protocol's `SymbolKind`.
  private static func number(of kind: OutlineEntry.Kind) -> Int {
    switch kind {
    case .input, .value: 13
    case .step: 12
    case .block: 3
    case .output: 7
    case .state: 8
    case .test: 24
    }
  }

  // MARK: Lenses

  func lenses(_ question: Question) -> JSONValue {
    let root = question.analysis.document.root
    guard FileURI.path(of: question.uri) != nil, root.kind == .object else { return [] }
    if let tests = root["tests"] {
      return [Self.lens("test", .test, at: tests.range.lowerBound, question)]
    }
    guard let steps = root["steps"], steps.kind == .array else { return [] }
    var lenses = [
      Self.lens("run", .run, at: root.range.lowerBound, question),
      Self.lens("plan", .plan, at: root.range.lowerBound, question),
    ]
    for step in steps.elements {
      guard let id = step["id"]?.string else { continue }
      lenses.append(
        Self.lens("run only this", .run, at: step.range.lowerBound, question, step: id))
    }
    return .array(lenses)
  }

  private static func lens(
    _ title: String, _ action: RunOrder.Action, at offset: Int, _ question: Question,
    step: String? = nil
  ) -> JSONValue {
    [
      "range": ProtocolValue.range(offset..<offset, in: question.text),
      "command": [
        "title": .string(title), "command": .string(action.command),
        "arguments": .array([.string(question.uri)] + (step.map { [.string($0)] } ?? [])),
      ],
    ]
  }

  // MARK: Actions

  func actions(_ question: Question, _ parameters: JSONNode?) -> JSONValue {
    guard abilities.takesActions else { return [] }
    let wanted = parameters?["context"]?["only"].map { $0.elements.compactMap(\.string) }
    func isWanted(_ kind: String) -> Bool {
      wanted.map { $0.contains { kind == $0 || kind.hasPrefix(bytes: $0 + ".") } } ?? true
    }
    var actions: [JSONValue] = []
    let part = parameters?["range"].flatMap { ProtocolValue.range($0) }
      .map { question.text.offset(of: $0.lowerBound)...question.text.offset(of: $0.upperBound) }
    if isWanted("quickfix") {
      for finding in question.analysis.findings {
        guard let part, finding.range.lowerBound <= part.upperBound,
          part.lowerBound <= finding.range.upperBound
        else { continue }
        let shown = ProtocolValue.finding(finding, in: question.text, question.uri)
        if let fix = finding.fix { actions.append(action(fix, shown, question)) }
        if let silencing = question.analysis.silencing(finding) {
          actions.append(action(silencing, shown, question))
        }
      }
    }
    if isWanted("refactor.extract"), let part {
      for kind in WorkflowAnalysis.NewInput.allCases {
        guard
          let fix = question.analysis.makingInput(
            kind, at: part.lowerBound,
            reanalysed: { folder.analysis(of: question.name, with: $0) })
        else { continue }
        actions.append([
          "title": .string(fix.message), "kind": "refactor.extract",
          "edit": workspaceEdit(fix.edits, question),
        ])
      }
    }
    if isWanted("source.fixAll.pipeline"),
      let edit = question.analysis.safeFixes(reanalysed: {
        folder.analysis(of: question.name, with: $0)
      })
    {
      actions.append([
        "title": "make all safe fixes", "kind": "source.fixAll.pipeline",
        "edit": workspaceEdit([edit], question),
      ])
    }
    return .array(actions)
  }

  private func action(
    _ fix: DiagnosticFix, _ finding: JSONValue, _ question: Question
  ) -> JSONValue {
    [
      "title": .string(fix.message), "kind": "quickfix", "diagnostics": [finding],
      "isPreferred": .boolean(fix.isSafe), "edit": workspaceEdit(fix.edits, question),
    ]
  }
}

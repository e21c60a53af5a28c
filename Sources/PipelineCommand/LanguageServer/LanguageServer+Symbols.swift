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
    for file in workspaceFiles where found.count < Self.mostSymbols {
      let text = EditedText(file.bytes, abilities.encoding)
      let uri = uris[ExactText(file.name)] ?? FileURI.uri(of: file.name)
      let root = JSONDocument.parseRecovering(file.bytes).document.root
      found += OutlineEntry.entries(of: root)
        .flatMap { Self.flat($0, "", text, uri, matching: query.lowercased()) }
    }
    return .array(Array(found.prefix(Self.mostSymbols)))
  }

  /// The open texts, and the other workflows and tests of the editor's folders.
  var workspaceFiles: [SourceFile] {
    let open = folder.names.map { SourceFile(name: $0, bytes: folder.text($0)?.bytes ?? []) }
    guard !roots.isEmpty else { return open }
    let names = Set(open.map { ExactText($0.name) })
    return open
      + WorkflowFiles(files: files, kinds: [.workflows, .tests]).read(roots)
      .compactMap { try? $0.get() }.filter { !names.contains(ExactText($0.name)) }
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
    guard let path = FileURI.path(of: question.uri), root.kind == .object else { return [] }
    if let tests = root["tests"] {
      return [Self.lens("test", .test, at: tests.range.lowerBound, question)]
    }
    guard let steps = root["steps"], steps.kind == .array else { return [] }
    var lenses = [
      Self.lens("run", .run, at: root.range.lowerBound, question),
      Self.lens("plan", .plan, at: root.range.lowerBound, question),
    ]
    if let run = lastRuns.run(of: path) {
      lenses.append(
        Self.lens(run.text, .show, at: root.range.lowerBound, question, name: run.id))
    }
    for step in steps.elements {
      guard let id = step["id"]?.string else { continue }
      lenses.append(
        Self.lens("run only this", .run, at: step.range.lowerBound, question, name: id))
    }
    return .array(lenses)
  }

  private static func lens(
    _ title: String, _ action: RunOrder.Action, at offset: Int, _ question: Question,
    name: String? = nil
  ) -> JSONValue {
    [
      "range": ProtocolValue.range(offset..<offset, in: question.text),
      "command": [
        "title": .string(title), "command": .string(action.command),
        "arguments": .array([.string(question.uri)] + (name.map { [.string($0)] } ?? [])),
      ],
    ]
  }
}

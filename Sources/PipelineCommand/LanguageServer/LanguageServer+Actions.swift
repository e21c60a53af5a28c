internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLint
internal import PipelineSourceText

/// What can be done with a place of a text.
extension LanguageServer {
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
      if !part.isEmpty, let action = extracting(part.lowerBound..<part.upperBound, question) {
        actions.append(action)
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

  /// The action that makes a file of the selected steps; `nil` if that makes anything worse, or if
  /// the editor makes no files.
  private func extracting(_ selection: Range<Int>, _ question: Question) -> JSONValue? {
    guard abilities.makesFiles, abilities.takesVersionedEdits,
      FileURI.path(of: question.uri) != nil
    else { return nil }
    func path(_ name: String) -> String { PathText.path(name, beside: question.name) }
    let extraction = StepExtraction(question.analysis, selection) { id in
      ([id] + (2...99).map { "\(id)\($0)" }).lazy.map { $0 + ".json" }
        .first { (try? files.kind(path($0))) == nil }
    }
    guard let extraction else { return nil }
    let name = extraction.path
    let content = WorkflowLayout.text(
      of: JSONDocument.parseRecovering(Array(extraction.content.utf8)).document.root)
    let title = "make a file of the selected steps, '\(name)'"
    let fix = DiagnosticFix(message: title, edits: extraction.edits, isSafe: false)
    let changed = question.analysis.file.applying([fix])
    guard changed.applied > 0 else { return nil }
    // The layout is kept where there is one.
    let root = question.analysis.document.root
    let isLaidOut = WorkflowLayout.text(of: root) == question.text.bytes
    let bytes =
      isLaidOut
      ? WorkflowLayout.text(of: JSONDocument.parseRecovering(changed.bytes).document.root)
      : changed.bytes
    let after = folder.analysis(of: question.name, with: bytes, beside: [path(name): content])
    let new = folder.analysis(of: path(name), with: content)
    let before = question.analysis.findings.count { $0.severity != .note }
    guard
      after.findings.count(where: { $0.severity != .note })
        + new.findings.count(where: { $0.severity != .note }) <= before
    else { return nil }
    let start: JSONValue = ["line": 0, "character": 0]
    let uri = JSONValue.string(FileURI.uri(of: path(name)))
    let edit = DiagnosticFix.Edit.difference(from: question.text.bytes, to: bytes)
    return [
      "title": .string(title), "kind": "refactor.extract",
      "edit": [
        "documentChanges": [
          ["kind": "create", "uri": uri],
          [
            "textDocument": ["uri": uri, "version": .null],
            "edits": [
              [
                "range": ["start": start, "end": start],
                "newText": .string(String(decoding: content, as: UTF8.self)),
              ]
            ],
          ],
          [
            "textDocument": [
              "uri": .string(question.uri),
              "version": folder.version(of: question.name).map { JSONValue($0) } ?? .null,
            ],
            "edits": [ProtocolValue.edit(edit, in: question.text)],
          ],
        ]
      ],
    ]
  }
}

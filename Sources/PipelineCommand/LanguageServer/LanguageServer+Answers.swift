internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineRPC
internal import PipelineSourceText

/// The answers to what an editor asks about a text.
extension LanguageServer {
  /// A text, the facts about it, and the place that is asked about.
  struct Question {
    let name: String
    let uri: String
    let text: EditedText
    let analysis: WorkflowAnalysis
    let offset: Int
  }

  mutating func answer(_ method: String, _ parameters: JSONNode?) throws(RPCError) -> JSONValue {
    switch method {
    case "textDocument/completion": completions(try question(parameters))
    case "completionItem/resolve": resolved(parameters)
    case "textDocument/hover": hover(try question(parameters))
    case "textDocument/definition": definition(try question(parameters))
    case "textDocument/references": references(try question(parameters), parameters)
    case "textDocument/prepareRename": try prepareRename(try question(parameters))
    case "textDocument/rename":
      try rename(try question(parameters), to: parameters?["newName"]?.string ?? "")
    case "textDocument/documentHighlight": highlights(try question(parameters))
    case "textDocument/documentSymbol": symbols(try question(parameters))
    case "workspace/symbol": workspaceSymbols(parameters?["query"]?.string ?? "")
    case "textDocument/codeAction": actions(try question(parameters), parameters)
    case "textDocument/codeLens": lenses(try question(parameters))
    case "textDocument/inlayHint": hints(try question(parameters), parameters)
    case "textDocument/documentLink": links(try question(parameters))
    case "textDocument/foldingRange": folds(try question(parameters))
    case "textDocument/selectionRange": selections(try question(parameters), parameters)
    case "textDocument/formatting": try formatting(try question(parameters), nil)
    case "textDocument/rangeFormatting":
      try formatting(try question(parameters), parameters?["range"])
    case "textDocument/diagnostic":
      ["kind": "full", "items": findings(of: try question(parameters).name) ?? []]
    case "workspace/diagnostic": workspaceFindings(parameters)
    default: throw .unknownMethod(method)
    }
  }

  private mutating func question(_ parameters: JSONNode?) throws(RPCError) -> Question {
    guard let uri = parameters?["textDocument"]?["uri"]?.string else {
      throw .invalidParameters("'textDocument.uri' is missing")
    }
    let name = FileURI.path(of: uri) ?? uri
    guard let text = folder.text(name), let analysis = folder.analysis(of: name) else {
      throw .invalidParameters("'\(name)' is not open")
    }
    let place = parameters?["position"].flatMap { ProtocolValue.position($0) }
    return Question(
      name: name, uri: uri, text: text, analysis: analysis,
      offset: place.map { text.offset(of: $0) } ?? 0)
  }

  private func location(_ range: Range<Int>, _ question: Question) -> JSONValue {
    ["uri": .string(question.uri), "range": ProtocolValue.range(range, in: question.text)]
  }

  // MARK: What is at a place

  private func completions(_ question: Question) -> JSONValue {
    let items = question.analysis.completions(at: question.offset) + files(at: question)
    let place = question.analysis.completionPlace(at: question.offset)
    let range = ProtocolValue.range(place.range, in: question.text)
    let position = ProtocolValue.position(question.text.position(at: question.offset))
    return .array(
      items.map { item in
        let kind =
          switch item.kind {
          case .key: 10
          case .name: 6
          case .value: 12
          case .file: item.text.hasSuffix(bytes: "/") ? 19 : 17
          }
        func written(_ text: String) -> String {
          place.isInString ? text : item.kind == .key ? "\"\(text)\": " : "\"\(text)\""
        }
        let text = written(item.text)
        return [
          "label": .string(item.text), "kind": JSONValue(kind), "detail": .string(item.detail),
          "filterText": .string(written(item.typed ?? item.text)),
          "textEdit": ["range": range, "newText": .string(text)],
          "data": ["uri": .string(question.uri), "position": position],
        ]
      })
  }

  /// The files and folders that may follow what is written of a path.
  private func files(at question: Question) -> [WorkflowCompletion] {
    guard let written = question.analysis.writtenPath(at: question.offset),
      FileURI.path(of: question.uri) != nil
    else { return [] }
    let folder = written.text.lastIndex(ascii: "/").map { String(written.text[...$0]) } ?? ""
    let place = PathText.path(folder.isEmpty ? "." : folder, beside: question.name)
    return ((try? files.names(place)) ?? []).compactMap { name -> WorkflowCompletion? in
      let text = folder + name
      guard !name.hasPrefix(bytes: "."), text.hasPrefix(bytes: written.text) else { return nil }
      let path = place + "/" + name
      if (try? files.kind(path)) == .folder {
        return WorkflowCompletion(kind: .file, text: text + "/", detail: "folder")
      }
      return written.kind.takes(name) && !FilePath.normalized(path).equals(bytes: question.name)
        ? WorkflowCompletion(kind: .file, text: text, detail: "file") : nil
    }
  }

  /// A proposal with what there is to say about it.
  private mutating func resolved(_ item: JSONNode?) -> JSONValue {
    guard let item else { return .null }
    let kept = item.members.map { JSONValue.Member($0.name, JSONValue($0.value)) }
    guard let data = item["data"], let uri = data["uri"]?.string,
      let place = data["position"].flatMap({ ProtocolValue.position($0) }),
      let analysis = folder.analysis(of: FileURI.path(of: uri) ?? uri),
      let text = folder.text(FileURI.path(of: uri) ?? uri)
    else { return .object(kept) }
    let offset = text.offset(of: place)
    guard
      let completion = analysis.completions(at: offset).first(where: {
        $0.text == item["label"]?.string
      })
    else { return .object(kept) }
    let lines = analysis.documentation(of: completion, at: offset)
    let isMarkdown = abilities.completionFormats.contains("markdown")
    let said = SymbolText.joined(lines, isMarkdown: isMarkdown)
    // An editor that names no format takes a plain string.
    let documentation: JSONValue =
      abilities.completionFormats.isEmpty
      ? .string(said) : ["kind": isMarkdown ? "markdown" : "plaintext", "value": .string(said)]
    return .object(kept + [.init("documentation", documentation)])
  }

  /// The symbol at a place. At the `id` or the `endpoint` of a step also what the step does in the
  /// end, with what it inherits.
  private func hover(_ question: Question) -> JSONValue {
    let isMarkdown = abilities.takesMarkdown
    let symbol = question.analysis.symbol(at: question.offset)
    var texts =
      symbol.map {
        [
          SymbolText($0, at: question.offset, in: question.analysis) {
            lastRuns.value($0, in: question.name)
          }.lines(isMarkdown: isMarkdown)
        ]
      } ?? []
    var range = symbol?.range
    let isReference = if case .reference = symbol { true } else { false }
    if !isReference, let head = question.analysis.stepHead(at: question.offset),
      let lines = plannedLines(ofStep: head.path, question.analysis)
    {
      texts.append(SymbolText.preformatted(lines, isMarkdown: isMarkdown))
      range = range ?? head.range
    }
    guard let range else { return .null }
    return [
      "contents": [
        "kind": isMarkdown ? "markdown" : "plaintext",
        "value": .string(texts.joined(separator: isMarkdown ? "\n\n" : "\n")),
      ],
      "range": ProtocolValue.range(range, in: question.text),
    ]
  }

  private func plannedLines(ofStep path: String, _ analysis: WorkflowAnalysis) -> String? {
    guard let plan = analysis.plan else { return nil }
    // The environment of this process is not shown.
    let text = PlanText(
      plan: plan, inputs: plan.inputs(given: [:]).values, state: plan.state(given: [:]).values,
      kept: [:])
    let lines = text.lines(ofStep: path)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private func definition(_ question: Question) -> JSONValue {
    if let link = question.analysis.links.first(where: {
      $0.range.lowerBound <= question.offset && question.offset <= $0.range.upperBound
    }) {
      let start: JSONValue = ["line": 0, "character": 0]
      return [
        "uri": .string(uri(of: link, in: question)), "range": ["start": start, "end": start],
      ]
    }
    if let place = question.analysis.occurrences(at: question.offset)?.definitions.first {
      return location(place, question)
    }
    guard case .reference(let reference) = question.analysis.symbol(at: question.offset),
      let place = reference.definition
    else { return .null }
    return location(place, question)
  }

  private func references(_ question: Question, _ parameters: JSONNode?) -> JSONValue {
    guard let found = question.analysis.occurrences(at: question.offset) else { return [] }
    let isWhole = parameters?["context"]?["includeDeclaration"]?.boolean ?? false
    let own = (isWhole ? found.all : found.reads).map { location($0, question) }
    let others = relatedFiles(found, question).flatMap { file in
      let uri = JSONValue.string(uris[ExactText(file.name)] ?? FileURI.uri(of: file.name))
      return file.places.map { place -> JSONValue in
        ["uri": uri, "range": ProtocolValue.range(place, in: file.text)]
      }
    }
    return .array(own + others)
  }

  private func highlights(_ question: Question) -> JSONValue {
    guard let found = question.analysis.occurrences(at: question.offset) else { return [] }
    return .array(
      found.definitions.map {
        ["range": ProtocolValue.range($0, in: question.text), "kind": 3]
      }
        + found.reads.map { ["range": ProtocolValue.range($0, in: question.text), "kind": 2] })
  }

  // MARK: Edits

  func workspaceEdit(_ edits: [DiagnosticFix.Edit], _ question: Question) -> JSONValue {
    workspaceEdit([(question.name, question.text, edits)])
  }

  func workspaceEdit(
    _ files: [(name: String, text: EditedText, edits: [DiagnosticFix.Edit])]
  ) -> JSONValue {
    let changes = files.map { file -> (uri: String, name: String, edits: JSONValue) in
      let uri = uris[ExactText(file.name)] ?? FileURI.uri(of: file.name)
      return (uri, file.name, .array(file.edits.map { ProtocolValue.edit($0, in: file.text) }))
    }
    guard abilities.takesVersionedEdits else {
      return ["changes": .object(changes.map { .init($0.uri, $0.edits) })]
    }
    return [
      "documentChanges": .array(
        changes.map { change in
          // A file that is not open has no version.
          let version = folder.version(of: change.name).map { JSONValue($0) } ?? .null
          return [
            "textDocument": ["uri": .string(change.uri), "version": version],
            "edits": change.edits,
          ]
        })
    ]
  }

  // MARK: The parts of a text

  private func links(_ question: Question) -> JSONValue {
    .array(
      question.analysis.links.map { link in
        [
          "range": ProtocolValue.range(link.range, in: question.text),
          "target": .string(uri(of: link, in: question)),
        ]
      })
  }

  private func uri(of link: FileLink, in question: Question) -> String {
    FileURI.uri(of: PathText.path(link.path, beside: question.name))
  }

  private func folds(_ question: Question) -> JSONValue {
    .array(
      question.analysis.foldingRanges.compactMap { range in
        let lines = question.text.range(range)
        guard lines.lowerBound.line < lines.upperBound.line else { return nil }
        return [
          "startLine": JSONValue(lines.lowerBound.line),
          // The bracket that ends it stays in view.
          "endLine": JSONValue(max(lines.upperBound.line - 1, lines.lowerBound.line)),
        ]
      })
  }

  private func selections(_ question: Question, _ parameters: JSONNode?) -> JSONValue {
    let places = parameters?["positions"].map { Array($0.elements) } ?? []
    return .array(
      places.map { place in
        let offset = ProtocolValue.position(place).map { question.text.offset(of: $0) } ?? 0
        let ranges = question.analysis.enclosingRanges(at: offset)
        var selection: JSONValue?
        for range in ranges.isEmpty ? [offset..<offset] : ranges.reversed() {
          var members: [JSONValue.Member] = [
            .init("range", ProtocolValue.range(range, in: question.text))
          ]
          if let selection { members.append(.init("parent", selection)) }
          selection = .object(members)
        }
        return selection ?? .null
      })
  }

  /// - Parameter part: The part whose layout is wanted; `nil` for the whole text.
  private func formatting(_ question: Question, _ part: JSONNode?) throws(RPCError) -> JSONValue {
    let text = question.text
    let (document, problems) = JSONDocument.parseRecovering(text.bytes)
    guard problems.isEmpty else {
      throw .requestFailed("the file is not JSON yet: \(problems[0].message)")
    }
    let whole = 0..<text.bytes.count
    let range =
      part.flatMap { ProtocolValue.range($0) }
      .map { text.offset(of: $0.lowerBound)..<text.offset(of: $0.upperBound) }
    let edits = WhiteSpaceDifference.edits(
      from: text.bytes, to: WorkflowLayout.text(of: document.root), in: range ?? whole)
    return .array((edits ?? []).map { ProtocolValue.edit($0, in: text) })
  }

  private func hints(_ question: Question, _ parameters: JSONNode?) -> JSONValue {
    let part = parameters?["range"].flatMap { ProtocolValue.range($0) }
    return .array(
      question.analysis.inferredDependencies.compactMap { dependency in
        let place = question.text.position(at: dependency.place)
        if let part, !(part.lowerBound <= place && place <= part.upperBound) { return nil }
        return [
          "position": ProtocolValue.position(place),
          "label": .string("after " + dependency.steps.joined(separator: ", ")),
          "paddingLeft": true,
        ]
      })
  }
}

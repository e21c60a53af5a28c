internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineLint
internal import PipelineRPC
internal import PipelineSourceText

/// The findings of a file as the editor has them.
struct KeptFindings {
  let bytes: [UInt8]
  /// The state of the folder in which the file was linted.
  var generation: Int
  let items: JSONValue
  /// The name of this result for the editor.
  let identifier: String
}

/// The findings of lint, pushed to editors or pulled by them.
extension LanguageServer {
  mutating func pushFindings() {
    for name in folder.names {
      let key = ExactText(name)
      guard let items = findings(of: name), items != shown[key] else { continue }
      shown[key] = items
      send(
        "textDocument/publishDiagnostics",
        [
          "uri": .string(uris[key] ?? FileURI.uri(of: name)),
          "version": JSONValue(folder.version(of: name) ?? 0), "diagnostics": items,
        ])
    }
  }

  /// What the editor shows of an open text; `nil` if it is not open.
  mutating func findings(of name: String) -> JSONValue? {
    guard let analysis = folder.analysis(of: name), let text = folder.text(name) else { return nil }
    return Self.items(analysis, text, uris[ExactText(name)] ?? FileURI.uri(of: name))
  }

  private static func items(
    _ analysis: WorkflowAnalysis, _ text: EditedText, _ uri: String
  ) -> JSONValue {
    .array(analysis.findings.map { ProtocolValue.finding($0, in: text, uri) })
  }

  /// The findings of all files in the editor's folders, open or not. A file is linted again only
  /// after something has changed.
  mutating func workspaceFindings(_ parameters: JSONNode?) -> JSONValue {
    var known: [String: String] = [:]
    for result in parameters?["previousResultIds"].map({ Array($0.elements) }) ?? [] {
      if let uri = result["uri"]?.string { known[uri] = result["value"]?.string }
    }
    var current: [ExactText: KeptFindings] = [:]
    var reports: [JSONValue] = []
    for file in workspaceFiles {
      let key = ExactText(file.name)
      let uri = uris[key] ?? FileURI.uri(of: file.name)
      let found = findings(of: file, uri)
      current[key] = found
      let version = folder.version(of: file.name).map { JSONValue($0) } ?? .null
      let name = JSONValue.string(found.identifier)
      reports.append(
        known[uri] == found.identifier
          ? ["kind": "unchanged", "uri": .string(uri), "version": version, "resultId": name]
          : [
            "kind": "full", "uri": .string(uri), "version": version, "resultId": name,
            "items": found.items,
          ])
    }
    kept = current
    return ["items": .array(reports)]
  }

  private mutating func findings(of file: SourceFile, _ uri: String) -> KeptFindings {
    let before = kept[ExactText(file.name)]
    if let before, before.generation == folder.generation, before.bytes == file.bytes {
      return before
    }
    let analysis = folder.analysis(of: file.name) ?? folder.analysis(ofFile: file)
    let text = folder.text(file.name) ?? EditedText(file.bytes, abilities.encoding)
    let items = Self.items(analysis, text, uri)
    if var before, before.items == items, before.bytes == file.bytes {
      before.generation = folder.generation
      return before
    }
    results += 1
    return KeptFindings(
      bytes: file.bytes, generation: folder.generation, items: items, identifier: "\(results)")
  }
}

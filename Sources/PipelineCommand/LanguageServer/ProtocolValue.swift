internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineSourceText

/// Values as the Language Server Protocol writes them.
enum ProtocolValue {
  static func position(_ node: JSONNode) -> TextPosition? {
    guard let line = node["line"].flatMap({ Int($0.text) }),
      let character = node["character"].flatMap({ Int($0.text) })
    else { return nil }
    return TextPosition(line: max(line, 0), character: max(character, 0))
  }

  static func range(_ node: JSONNode) -> Range<TextPosition>? {
    guard let start = node["start"].flatMap(position), let end = node["end"].flatMap(position)
    else { return nil }
    // Some editors write a selection backwards.
    return min(start, end)..<max(start, end)
  }

  static func position(_ position: TextPosition) -> JSONValue {
    ["line": JSONValue(position.line), "character": JSONValue(position.character)]
  }

  static func range(_ range: Range<Int>, in text: EditedText) -> JSONValue {
    let range = text.range(range)
    return ["start": position(range.lowerBound), "end": position(range.upperBound)]
  }

  static func finding(_ finding: Diagnostic, in text: EditedText, _ uri: String) -> JSONValue {
    let severity =
      switch finding.severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    var members: [JSONValue.Member] = [
      .init("range", range(finding.range, in: text)), .init("severity", JSONValue(severity)),
      .init("code", .string(finding.code)), .init("source", "pipeline"),
      .init("message", .string(finding.message)),
    ]
    if finding.code.hasPrefix(bytes: "unused-") { members.append(.init("tags", [1])) }
    if !finding.related.isEmpty {
      members.append(
        .init(
          "relatedInformation",
          .array(
            finding.related.map { related in
              [
                "location": location(of: related, in: text, uri),
                "message": .string(related.message),
              ]
            })))
    }
    return .object(members)
  }

  private static func location(
    of related: Diagnostic.Related, in text: EditedText, _ uri: String
  ) -> JSONValue {
    guard let file = related.file else {
      return ["uri": .string(uri), "range": range(related.range, in: text)]
    }
    // The place is in one line.
    let start = file.position(at: related.range.lowerBound)
    let line = file.line(start.line)
    let parts = [related.range.lowerBound, related.range.upperBound].map { end in
      let before = line.lowerBound..<max(line.lowerBound, min(end, line.upperBound))
      let units = file.bytes[before].reduce(0) { $0 + text.encoding.units(of: $1) }
      return position(TextPosition(line: start.line - 1, character: units))
    }
    return [
      "uri": .string(FileURI.uri(of: file.name)), "range": ["start": parts[0], "end": parts[1]],
    ]
  }

  static func edit(_ edit: DiagnosticFix.Edit, in text: EditedText) -> JSONValue {
    ["range": range(edit.range, in: text), "newText": .string(edit.replacement)]
  }
}

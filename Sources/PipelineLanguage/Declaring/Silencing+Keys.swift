import PipelineJSONText

extension Keys {
  /// The codes in `$lint`, with their reasons.
  mutating func ignored() -> [JSONMember]? {
    required(
      "ignore", ReasonsType(), "Findings that are not reported here: code → reason.",
      example: #"{"unused-extractor": "read by another tool"}"#)
  }
}

extension WorkflowDecoder {
  /// Reads `$lint`.
  mutating func silence(_ node: JSONNode, within range: Range<Int>) {
    guard let fields = fields(of: node, .lint, .key("$lint")) else { return }
    for member in reading(fields, { $0.ignored() }) ?? [] {
      silencings.append(Silencing(code: member.name, codeRange: member.nameRange, scope: range))
    }
  }
}

/// A reason for each code.
private struct ReasonsType: ValueType {
  var description: LanguageType { .map(.text) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [JSONMember]? {
    guard node.kind == .object else {
      decoder.mistyped(node, name, "an object of codes and reasons")
      return nil
    }
    let members = Array(node.members)
    for member in members where member.value.string?.allSatisfy(\.isWhitespace) ?? true {
      decoder.report(
        .silencingReason,
        "silencing '\(member.name)' needs a reason: a text for readers of the file",
        at: member.value.range)
    }
    return members
  }
}

internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// The texts of a response that a message may show.
///
/// A value that a secret extractor selects is masked, however short. If a secret may be anywhere in
/// the body, nothing of the body is shown.
struct ResponseFacts {
  private let step: RequestStep
  private let found: ResponseSecrets?

  init(_ reader: ResponseReader) {
    step = reader.step
    found = ResponseSecrets.of(reader.body, in: reader.step)
  }

  /// Whether no text of the body may be shown: a secret that was expected in it was not found, or
  /// may be spelled in another way there.
  var hidesBody: Bool { found?.hidesBody == true }

  /// The message of a violation without a secret in the value that it quotes at its end.
  func hidingValue(in message: String) -> String {
    guard let found, let place = message.firstRange(bytes: ", but is ") else { return message }
    return message[..<place.upperBound]
      + found.values.maskedAnywhere(String(message[place.upperBound...]))
  }

  /// A text of the body for a message, cut to `count` characters.
  func shown(_ text: String, to count: Int) -> String {
    hidesBody ? Redactor.mask : masked(text, to: count)
  }

  /// The value of a query of `@` (language.md §7).
  func text(of node: JSONNode, at query: Query) -> String {
    let name = query.firstName
    if name == "url", let url = node.string {
      return JSONValue.string(step.shown(url: url)).node.text.shortened(to: 80)
    }
    if name == "values" || name == nil {
      let taint = step.valueTaint.selected(by: query.segments.dropFirst())
      if !taint.isNone { return name == nil ? Redactor.mask : node.masked(taint).text }
    }
    let isOfBody = !["status", "headers", "cookies", "url", "elapsed"].contains(name ?? "")
    guard hidesBody, isOfBody else { return masked(node.text, to: 80) }
    switch node.kind {
    case .object, .array: return ResponseBody.outline(of: node).shortened(to: 80)
    case .string, .number: return Redactor.mask
    case .boolean, .null: return node.text
    }
  }

  private func masked(_ text: String, to count: Int) -> String {
    guard let found else { return step.redactor.shown(text, to: count) }
    // More is searched than is shown: a secret that is cut in two would not be found.
    let beginning = text.utf8.count > Self.searched ? String(text.prefix(Self.searched)) : text
    return step.redactor.shown(found.values.maskedAnywhere(beginning), to: count)
  }

  private static let searched = 8 << 10
}

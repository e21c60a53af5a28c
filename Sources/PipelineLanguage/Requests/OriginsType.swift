import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

/// Origins that may get credentials: fixed ones, and inputs.
struct OriginsType: ValueType {
  var description: LanguageType { .list(.text) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Written<BaseURL>]? {
    guard node.kind == .array else {
      decoder.mistyped(
        node, name, "a list of origins such as [\"https://files.example.com\"]")
      return nil
    }
    return node.elements.compactMap { element in
      guard let origin = decoder.writtenText(element, name) else { return nil }
      return origin.value.contains(bytes: "{{")
        ? decoder.originOfInputs(origin) : decoder.fixedOrigin(origin)
    }
  }
}

extension WorkflowDecoder {
  fileprivate mutating func fixedOrigin(_ origin: Written<String>) -> Written<BaseURL>? {
    guard let uri = URI.parse(origin.value), let parsed = uri.origin else {
      let whole = URI.parse("https://" + origin.value)?.origin.map { "\"\($0)\"" }
      report(
        .invalidValue,
        "'\(origin.value)' is not an origin; write a scheme and a host: "
          + (whole ?? "\"https://files.example.com\""),
        at: origin.range,
        fix: whole.map { .replacing(origin.range, with: $0, isSafe: false) })
      return nil
    }
    guard uri.path.isEmpty || uri.path == "/", uri.query == nil, uri.fragment == nil,
      uri.userinfo == nil
    else {
      reportPath(
        in: origin, write: "\"\(parsed)\"",
        fix: DiagnosticFix(
          message: "write \"\(parsed)\"",
          edits: [DiagnosticFix.Edit(range: origin.range, replacement: "\"\(parsed)\"")],
          isSafe: false))
      return nil
    }
    return Written(BaseURL.parse(origin.value).base, at: origin.node)
  }

  /// An origin that reads inputs, which the person who starts the run chooses.
  fileprivate mutating func originOfInputs(_ text: Written<String>) -> Written<BaseURL>? {
    let (base, problems) = BaseURL.parse(text.value)
    report(problems, in: text.node)
    guard problems.isEmpty else { return nil }
    for (reference, position) in base.url.references {
      guard reference.query.firstNames.allSatisfy({ $0 == "inputs" }) else {
        report(
          .invalidValue,
          "an origin that gets credentials is fixed or an input, because a response must not choose"
            + " it; write it out, or make it an input", at: text.range(of: reference.range))
        return nil
      }
      guard position == .start || position == .authority else {
        reportPath(in: text, write: Self.anInput)
        return nil
      }
    }
    // What is left without the references is the scheme, and perhaps a part of the host.
    var fixed = Array(base.url.text.utf8)
    for (reference, _) in base.url.references.reversed() { fixed.removeSubrange(reference.range) }
    let rest = String(decoding: fixed, as: UTF8.self)
    let mark = rest.firstRange(bytes: "://")?.upperBound ?? rest.startIndex
    if rest[mark...].utf8.contains(where: { "/?#".utf8.contains($0) }) {
      reportPath(in: text, write: Self.anInput)
      return nil
    }
    return Written(base, at: text.node)
  }

  private static let anInput = "only an input such as \"{{inputs.files}}\""

  /// Reports an origin that has more than a scheme, a host and a port.
  private mutating func reportPath(
    in origin: Written<String>, write words: String, fix: DiagnosticFix? = nil
  ) {
    report(
      .invalidValue,
      "an origin is a scheme, a host and a port, and credentials cannot be kept to a part of one;"
        + " write \(words)", at: origin.range, fix: fix)
  }
}

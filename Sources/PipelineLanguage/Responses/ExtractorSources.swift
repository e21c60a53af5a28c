import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

// Where an extractor takes its value: each source is one key.

extension Extractor.Source {
  static var forms: [(lead: String, read: (inout Keys) -> Self?)] {
    [
      ("body", { $0.body() }), ("header", { $0.header() }), ("headers", { $0.headers() }),
      ("cookie", { $0.cookie() }), ("status", { $0.status() }), ("url", { $0.url() }),
      ("text", { $0.text() }), ("value", { $0.carried() }),
    ]
  }
}

extension Keys {
  fileprivate typealias Source = Extractor.Source

  fileprivate mutating func body() -> Source? {
    optional(
      "body", .bodyQuery, "A query of the body.", example: #""$.data.id""#,
      foreign: [
        .says(
          "path jsonpath query json selector expression jsonPointer pointer field from fieldPath"
            + " response", "write 'body': \"$.data.id\"", as: "…"),
        .says("jq jmespath", "write 'body' with a JSONPath query, such as \"$.data[*].id\""),
      ]
    ).map { .body($0) }
  }

  fileprivate mutating func header() -> Source? {
    optional(
      "header", HeaderNameType(), "A header of the response.", example: #""Location""#
    ).map { .header($0) }
  }

  fileprivate mutating func headers() -> Source? {
    optional(
      "headers", AllHeadersType(start: range(of: "headers")?.lowerBound),
      "`true` takes all headers as an object: names in lower case, repeated ones joined with `, `.",
      example: "true")
  }

  fileprivate mutating func cookie() -> Source? {
    optional(
      "cookie", .written(.text), "A cookie that the response sets.", example: #""session""#
    ).map { .cookie($0) }
  }

  fileprivate mutating func status() -> Source? {
    optional(
      "status", .yes, "`true` takes the status.", example: "true",
      foreign: [.says("statusCode code", "write 'status': true", as: "true")]
    ).map { _ in .status }
  }

  fileprivate mutating func url() -> Source? {
    optional(
      "url", .yes, "`true` takes the URL of the response, after redirects.", example: "true",
      foreign: [.says("location", "write 'url': true", as: "true")]
    ).map { _ in .url }
  }

  fileprivate mutating func text() -> Source? {
    optional(
      "text", .yes, "`true` takes the body as text.", example: "true",
      foreign: [.says("raw string", "write 'text': true", as: "true")]
    ).map { _ in .text }
  }

  mutating func regex() -> Written<IRegexp>? {
    optional(
      "regex", PatternType(),
      "A pattern for the text that the source gives, or alone for the body's text; the value is the"
        + " match of its first group, or the whole match if it has none.",
      example: #""id=([0-9]+)""#,
      foreign: [
        .says(
          "xpath css xml",
          "there are no queries of HTML and XML; write 'regex': \"<title>([^<]*)\""),
        "pattern match regexp re",
      ])
  }

  fileprivate mutating func carried() -> Source? {
    optional(
      "value", .data, "Any template, to add a value to the row.", example: #""{{id}}""#
    ).map { .value($0) }
  }
}

/// The name of a header.
private struct HeaderNameType: ValueType {
  var description: LanguageType { .text }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<String>? {
    guard let header = decoder.writtenText(node, name) else { return nil }
    if header.value.hasPrefix(bytes: "$.") {
      let meant = header.value.split(ascii: ".").last ?? ""
      decoder.report(
        .header, "'\(name)' takes a name, not a query", .write("\"\(meant)\"", for: header.range),
        at: header.range)
    } else if !header.value.isToken {
      decoder.report(.header, "'\(header.value)' is not a header name", at: header.range)
    }
    return header
  }
}

/// `true` for all headers. The name of one is meant for `header`.
private struct AllHeadersType: ValueType {
  /// Where the key begins.
  let start: Int?

  var description: LanguageType { .yes }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Extractor.Source? {
    guard let header = node.string, header.isToken, header != "true" else {
      return YesType().read(node, name, &decoder).map { _ in .headers }
    }
    let text = "\"header\": \"\(header)\""
    decoder.mistyped(
      node, name, "true",
      hint: Proposal(
        "; for one of them write \(text)",
        fix: .replacing(
          (start ?? node.range.lowerBound)..<node.range.upperBound, with: text, isSafe: false)))
    return .header(Written(header, at: node))
  }
}

/// An RFC 9485 pattern.
private struct PatternType: ValueType {
  var description: LanguageType { .pattern }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<IRegexp>? {
    guard let text = decoder.text(node, name) else { return nil }
    switch IRegexp.parse(text) {
    case .success(let pattern): return Written(pattern, at: node)
    case .failure(let error):
      decoder.report(
        .pattern, error.message, at: node.sourceRange(ofDecoded: error.range),
        fix: error.fix.flatMap {
          WorkflowDecoder.fix(
            $0, for: error.range, in: node, isSafe: !error.isGuessOfCapture)
        })
      return nil
    }
  }
}

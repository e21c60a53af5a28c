import PipelineByteText
package import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// The body of a request.
package struct Body: Sendable {
  package enum Content: Sendable {
    case json(DataTemplate)
    /// `application/x-www-form-urlencoded`.
    case form([RequestParameter])
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    case text(Text)
    /// A text that a data form makes.
    case madeText(DataTemplate)
    /// The content of a file, or a part of it.
    case file(File)
    /// GraphQL over HTTP. Errors in the response fail the step.
    case graphQL(GraphQL)
  }

  package let content: Content
  /// Whether it comes from the file's `defaults`.
  package var isInherited = false
  package let node: JSONNode

  /// Whether it is an object of JSON when it is sent, or may be one.
  var isJSON: Bool {
    switch content {
    case .json, .graphQL: true
    case .form, .multipart, .text, .madeText, .file: false
    }
  }

  /// A file. All or a part of it is sent.
  package struct File: Sendable {
    package let path: Written<Template>
    package let part: FilePart?
  }

  /// A text, which an author may write as a list of lines.
  package struct Text: Sendable {
    package let lines: [Written<Template>]
  }
}

extension Body.Content: DeclaredObject {
  init?(_ keys: inout Keys) {
    let content = keys.one(of: Self.forms)
    keys.advise([
      .says("mode raw options", "write 'json' for JSON, 'text' for a text, or 'form'"),
      .says("type contentType mimeType", "the kind of the body is its key: {\"json\": …}"),
    ])
    guard let content else { return nil }
    self = content
  }

  private static var forms: [(lead: String, read: (inout Keys) -> Self?)] {
    [
      ("json", { $0.json().map { .json($0) } }),
      ("form", { $0.form().map { .form($0) } }),
      ("multipart", { $0.multipart().map { .multipart($0) } }),
      ("text", { $0.text() }),
      ("file", { $0.file().map { .file($0) } }),
      ("graphql", { $0.graphQL().map { .graphQL($0) } }),
    ]
  }

  /// Calls `visit` with each part that is read for a request.
  func forEachPart(_ visit: (StepPart) -> Void) {
    switch self {
    case .json(let data): visit(.data(data))
    case .form(let fields):
      for field in fields { visit(.parameter(field, .field(field.style))) }
    case .multipart(let parts): for part in parts { part.forEachPart(visit) }
    case .text(let text): for line in text.lines { visit(.text(line)) }
    case .madeText(let data): visit(.data(data))
    case .file(let file):
      visit(.path(file.path))
      for amount in [file.part?.from, file.part?.length] {
        if let data = amount?.data { visit(.data(data, .bound)) }
      }
    case .graphQL(let operation): operation.forEachPart(visit)
    }
  }
}

extension Keys {
  fileprivate mutating func json() -> DataTemplate? {
    optional(
      "json", .data, "Any JSON.", example: #"{"name": "{{inputs.name}}"}"#,
      foreign: ["payload data object content body value"])
  }

  fileprivate mutating func form() -> [RequestParameter]? {
    optional(
      "form", FieldsType(), "Fields, encoded like an HTML form.",
      example: #"{"grant_type": "password"}"#,
      foreign: [
        .says("urlencoded formUrlencoded formParams params", "write 'form', an object")
      ])
  }

  fileprivate mutating func text() -> Body.Content? {
    optional(
      "text", BodyTextType(), "A text, a list of its lines, or a data form that makes it.",
      example: #""hello {{inputs.name}}""#,
      foreign: ["string xml plain"])
  }

  fileprivate mutating func file() -> Body.File? {
    optional(
      "file", BodyFileType(), "A file's content, or a part of it.", example: #""./report.pdf""#,
      foreign: ["path src binary filename"])
  }
}

/// The fields of a form.
struct FieldsType: ValueType {
  var description: LanguageType { .map(.either([.data, .object(.parameter)])) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RequestParameter]? {
    guard decoder.isMap(node, name, "an object of names and values", mayBePairs: true) else {
      return nil
    }
    return node.members.map { decoder.styledParameter($0) }
  }
}

/// A text, a list of its lines, or a form such as `{"$ndjson": "{{rows}}"}`.
private struct BodyTextType: ValueType {
  var description: LanguageType { .either([LinesType().description, .data]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Body.Content? {
    guard node.kind == .object else {
      return LinesType().read(node, name, &decoder).map { .text($0) }
    }
    guard node.members.contains(where: { $0.name.hasPrefix(bytes: "$") }) else {
      decoder.mistyped(
        node, name,
        "a text, a list of lines or a form such as {\"$ndjson\": …}; 'json' sends an object")
      return nil
    }
    return .madeText(decoder.data(node))
  }
}

/// A text, or a list of its lines.
struct LinesType: ValueType {
  var description: LanguageType { .either([.content, .list(.content)]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Body.Text? {
    switch node.kind {
    case .array: return Body.Text(lines: node.elements.compactMap { decoder.template($0, name) })
    case .string: return decoder.template(node, name).map { Body.Text(lines: [$0]) }
    default:
      decoder.mistyped(node, name, "a text or a list of lines")
      return nil
    }
  }
}

extension ValueType where Self == LinesType {
  static var lines: LinesType { LinesType() }
}

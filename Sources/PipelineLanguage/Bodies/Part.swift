import PipelineByteText
import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

extension Body {
  /// One part of a multipart body.
  package struct Part: Sendable {
    package enum Content: Sendable {
      case value(DataTemplate)
      case file(Written<Template>)
    }

    package let name: Written<Template>
    package let content: Content
    package let filename: Written<Template>?
    package let contentType: Written<Template>?

    /// Calls `visit` with each part of the step that is read for it.
    func forEachPart(_ visit: (StepPart) -> Void) {
      visit(.text(name))
      switch content {
      case .value(let data): visit(.data(data))
      case .file(let path): visit(.path(path, .file))
      }
      if let filename { visit(.text(filename)) }
      if let contentType { visit(.text(contentType, .header)) }
    }
  }
}

extension Body.Part: DeclaredObject {
  init?(_ keys: inout Keys) {
    let name = keys.required(
      "name", .template, "The part's name.", example: #""image""#,
      foreign: ["key field fieldName"])
    let content: Content? = keys.one(of: [
      (
        "value",
        { keys in
          keys.optional(
            "value", .data, "The content of the part. A list makes a part of each element.",
            example: #""{{inputs.title}}""#, foreign: ["data content text body"]
          ).map { .value($0) }
        }
      ),
      (
        "file",
        { keys in
          keys.optional(
            "file", .pathTemplate,
            "A file with the content of the part. A template that is a list of paths makes a part of each.",
            example: #""./cat.png""#, foreign: ["src path"]
          ).map { .file($0) }
        }
      ),
    ])
    filename = keys.optional(
      "filename", .template, "The file name that is sent to the server.",
      example: #""cat.png""#, foreign: ["fileName"])
    contentType = keys.optional(
      "contentType", .template, "The part's media type.", example: #""image/png""#,
      foreign: [
        .says(
          "type",
          "write 'contentType' for a media type; 'file' and 'value' tell files from texts"),
        "mimeType",
      ])
    for text in [name, filename, contentType] {
      if let text { keys.decoder.checkCharacters(of: text.node, .header) }
    }
    guard let name, let content else { return nil }
    self.name = name
    self.content = content
  }
}

extension Keys {
  mutating func multipart() -> [Body.Part]? {
    optional(
      "multipart", PartsType(), "Parts of any type, encoded like a file upload of an HTML form.",
      example: #"[{"name": "image", "file": "./cat.png"}]"#,
      foreign: [
        .says(
          "formdata multipartForm multipartFormData parts files",
          "write 'multipart': [{\"name\": …, \"value\": …}]")
      ])
  }
}

private struct PartsType: ValueType {
  var description: LanguageType { .list(.object(.part)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Body.Part]? {
    guard node.kind == .array else {
      decoder.mistyped(
        node, name, "a list of parts such as {\"name\": \"image\", \"file\": …}",
        hint: Self.proposal(for: node))
      return nil
    }
    var parts: [Body.Part] = []
    for (number, element) in node.elements.enumerated() {
      if let text = Self.nameless(element) {
        decoder.report(
          .missingKey, "part \(number + 1) lacks 'name' and 'value'; write \(text)",
          at: element.range, fix: .replacing(element.range, with: text, isSafe: false))
        continue
      }
      guard let fields = decoder.fields(of: element, .part, .numbered("part", number + 1)),
        let part = decoder.object(Body.Part.self, fields)
      else { continue }
      parts.append(part)
    }
    return parts
  }

  /// How `{"title": "x"}` in the list is written; `nil` if its name is that of a key.
  private static func nameless(_ node: JSONNode) -> String? {
    guard node.kind == .object, node.count == 1,
      let member = node.members.first(where: { _ in true }),
      LanguageObject.Kind.part.object[member.name] == nil,
      LanguageAliases.advice(on: member.name, in: .part) == nil
    else { return nil }
    let (head, content) = part(member)
    return head + content + "}"
  }

  /// A part of a name and its value, in two pieces.
  private static func part(_ member: JSONMember) -> (head: String, content: String) {
    let file = member.value.string.flatMap { text in
      text.hasPrefix(bytes: "@") ? String(text.dropFirst(bytes: 1)) : nil
    }
    let head =
      "{\"name\": \(JSONValue.string(member.name)), \"\(file == nil ? "value" : "file")\": "
    return (head, file.map { "\(JSONValue.string($0))" } ?? member.value.text)
  }

  /// How `{"image": "@./cat.png"}` is written.
  private static func proposal(for node: JSONNode) -> Proposal {
    let parts = node.members.map(part)
    guard let first = parts.first else { return .none }
    let list = parts.map { $0.0 + $0.1 + "}" }.joined(separator: ", ")
    return Proposal(
      "; write [\(first.0)…}]", fix: .replacing(node.range, with: "[\(list)]", isSafe: false))
  }
}

import PipelineJSONText
import PipelineTemplates

/// The part of a file that is sent.
package struct FilePart: Sendable {
  /// The first byte, counted from 0; `nil` for the file's first.
  package let from: Amount?
  /// The most bytes; `nil` for all that follow.
  package let length: Amount?
  /// Whether `Content-Range` says which part of how many bytes it is.
  package let sendsRange: Bool
}

/// The object of `file`.
private struct FilePartKeys: DeclaredObject {
  let path: Written<Template>?
  let part: FilePart

  init(_ keys: inout Keys) {
    path = keys.required(
      "path", .pathTemplate, "The path of the file.", example: #""./film.mp4""#,
      foreign: ["file src name filename"])
    let from = keys.optional(
      "from", AmountType(minimum: 0), "The first byte that is sent, counted from 0.",
      standard: "0", example: #""{{offset}}""#, foreign: ["offset start"])
    let length = keys.optional(
      "length", AmountType(),
      "The maximum number of bytes that are sent; by default, all to the end.",
      example: "8388608", foreign: ["size count chunkSize bytes limit"])
    let sendsRange = keys.value(
      "contentRange", .boolean, default: false,
      "Whether the header `Content-Range` says which part of the file it is.", example: "true",
      foreign: ["range"])
    part = FilePart(from: from, length: length, sendsRange: sendsRange)
  }
}

extension LanguageObject {
  /// `file` of a body if it is a part of a file.
  static let filePart = LanguageObject(
    .filePart, "part of a file", place: "in 'file'", of: FilePartKeys.self)
}

/// The path of a file, or an object that says which part of it is sent.
struct BodyFileType: ValueType {
  var description: LanguageType { .either([.template, .object(.filePart)]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Body.File? {
    guard node.kind == .object else {
      return PathTemplateType().read(node, name, &decoder).map { Body.File(path: $0, part: nil) }
    }
    guard let keys = ObjectType<FilePartKeys>(kind: .filePart).read(node, name, &decoder) else {
      return nil
    }
    return keys.path.map { Body.File(path: $0, part: keys.part) }
  }
}

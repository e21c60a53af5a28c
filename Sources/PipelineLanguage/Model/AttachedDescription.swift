import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// A description of an API that a workflow file names, for lint and editors. A run reads it
/// only if it compares responses.
package struct AttachedDescription: Sendable {
  /// The beginning of the URLs that it describes, without a slash at its end; `nil` if its own
  /// servers say it.
  package let base: Base?
  /// The path of the description, as written.
  package let file: Written<String>
  /// Where `pipeline api get` fetched it from.
  package let url: Written<String>?
  /// The digest of the file, in hexadecimal digits.
  package let sha256: Written<String>?
  /// The name of the file that this is written in.
  package let holder: String

  /// A base URL and its place in the file.
  package struct Base: Sendable {
    package let text: String
    package let range: Range<Int>
  }
}

/// The value of `api`: a path, or a description for each base URL.
struct AttachedDescriptionsType: ValueType {
  var description: LanguageType { .either([.path, .map(.either([.path, .object(.api)]))]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [AttachedDescription]? {
    if node.kind == .string {
      return decoder.descriptionFile(node, name).map { [attached(nil, $0, decoder)] }
    }
    guard node.kind == .object else {
      decoder.mistyped(
        node, name, "a path such as \"./petstore.yaml\", or an object of base URLs and paths")
      return nil
    }
    return node.members.compactMap { member in
      let base = decoder.descriptionBase(member)
      if member.value.kind == .object {
        return decoder.fields(of: member.value, .api, .key(name)).flatMap { fields in
          decoder.reading(fields) { AttachedDescription(&$0, base: base) }
        }
      }
      return decoder.descriptionFile(member.value, member.name)
        .map { attached(base, $0, decoder) }
    }
  }

  private func attached(
    _ base: AttachedDescription.Base?, _ file: Written<String>, _ decoder: WorkflowDecoder
  ) -> AttachedDescription {
    AttachedDescription(
      base: base, file: file, url: nil, sha256: nil, holder: decoder.source.name)
  }
}

extension AttachedDescription {
  init?(_ keys: inout Keys, base: Base?) {
    let file = keys.required(
      "file", DescriptionFileType(), "The path of the description.",
      example: #""./petstore.yaml""#, foreign: ["path spec definition openapi swagger"])
    url = keys.optional(
      "url", .written(.text), "The URL that `pipeline api get` fetched it from.",
      example: #""https://api.example.com/petstore.yaml""#, foreign: ["source from location"])
    sha256 = keys.optional(
      "sha256", .written(DigestType()),
      "The SHA-256 of the file, which `pipeline api get` writes. Lint reports another file.",
      example: #""\#(String(repeating: "0f", count: 32))""#, foreign: ["digest hash checksum"])
    self.base = base
    holder = keys.decoder.source.name
    guard let file else { return nil }
    self.file = file
  }
}

extension LanguageObject {
  static let api = LanguageObject(.api, "API description", place: "in 'api'") { keys in
    _ = AttachedDescription(&keys, base: nil)
  }
}

private struct DescriptionFileType: ValueType {
  var description: LanguageType { .path }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<String>? {
    decoder.descriptionFile(node, name)
  }
}

/// A SHA-256 in hexadecimal digits.
private struct DigestType: ValueType {
  var description: LanguageType { .text }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    guard let text = decoder.text(node, name) else { return nil }
    guard text.utf8.count == 64, text.utf8.allSatisfy(ASCIISet.hexadecimal.contains) else {
      decoder.report(
        .invalidValue,
        "'\(name)' is not a SHA-256: 64 hexadecimal digits, which 'pipeline api get'"
          + " writes", at: node.range)
      return nil
    }
    return text.lowercasedASCII
  }
}

extension WorkflowDecoder {
  /// The path of a description.
  fileprivate mutating func descriptionFile(_ node: JSONNode, _ name: String) -> Written<String>? {
    guard let text = text(node, name, example: "./petstore.yaml") else { return nil }
    guard !text.hasPrefix(bytes: "http://"), !text.hasPrefix(bytes: "https://") else {
      report(
        .unreadableFile,
        "lint fetches nothing; 'pipeline api get \(text)' writes the file, whose path is written here",
        at: node.range)
      return nil
    }
    return Written(text, at: node)
  }

  /// The beginning of the URLs that a description is about. A template is compared as it is written.
  fileprivate mutating func descriptionBase(_ member: JSONMember) -> AttachedDescription.Base {
    let name = member.name
    if !["http://", "https://", "sandbox:", "{{"].contains(where: { name.hasPrefix(bytes: $0) }) {
      report(
        .invalidValue,
        "'\(name)' is not the base URL of a server; write one such as \"https://api.example.com\"",
        at: member.nameRange)
    }
    let base = name.hasSuffix(bytes: "/") ? String(name.dropLast(bytes: 1)) : name
    return AttachedDescription.Base(text: base, range: member.nameRange)
  }
}

internal import PipelineByteText
package import PipelineJSONText
internal import PipelineLanguage

/// The responses that another tool keeps beside its requests, as answers of a test.
package struct SavedAnswers: Sendable {
  /// The answers by step.
  package private(set) var given: [(step: String, answer: JSONValue)] = []
  /// The steps without one.
  package private(set) var missing: [String] = []

  /// - Parameter ids: The ids of the steps of the requests.
  init(_ requests: [ImportedRequest], _ ids: [String]) {
    for (request, id) in zip(requests, ids) {
      guard let saved = request.fittingExample else {
        missing.append(id)
        continue
      }
      given.append((id, saved.answer))
    }
  }

  init() {}
}

/// A response that another tool keeps as an example.
struct SavedResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)] = []
  var body: String?

  /// Names and values as the tools write them: a list of entries that are on, or an object.
  static func headers(_ node: ReadNode?) -> [(name: String, value: String)] {
    let entries = node.items.compactMap { entry -> (name: String, value: String)? in
      guard let name = (entry["key"] ?? entry["name"])?.string,
        entry["disabled"]?.boolean != true, entry["enabled"]?.boolean != false
      else { return nil }
      return (name, entry["value"]?.plain ?? "")
    }
    return entries + node.memberList.map { (name: $0.name, value: $0.value.plain) }
  }

  /// The answer of a test. Headers that are made for each response, or may hold credentials, are
  /// left out.
  var answer: JSONValue {
    var members: [JSONValue.Member] = []
    if status != 200 { members.append(.init("status", JSONValue(status))) }
    let own = headers.filter { field in
      !CredentialNames.isHeader(field.name) && Self.kept.contains(field.name.lowercasedASCII)
    }
    if !own.isEmpty {
      members.append(.init("headers", .object(own.map { .init($0.name, .string($0.value)) })))
    }
    if let body, !body.isEmpty {
      if let document = try? JSONDocument.parse(Array(body.utf8)) {
        members.append(.init("json", Self.withoutCredentials(JSONValue(document.root), named: "")))
      } else {
        members.append(.init("text", .string(body.replacing(bytes: "{{", with: "{{{{"))))
      }
    }
    return .object(members)
  }

  private static let kept: Set<String> = [
    "content-type", "location", "link", "etag", "retry-after",
  ]

  private static func withoutCredentials(_ value: JSONValue, named name: String) -> JSONValue {
    switch value {
    case .object(let members):
      return .object(
        members.map { .init($0.name, withoutCredentials($0.value, named: $0.name)) })
    case .array(let elements):
      return .array(elements.map { withoutCredentials($0, named: name) })
    case .string(let text):
      let isCredential =
        CredentialNames.isField(name) || CredentialNames.isShape(Array(text.utf8))
      return isCredential ? .string("example") : value
    default: return value
    }
  }
}

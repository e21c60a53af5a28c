internal import PipelineByteText
internal import PipelineJSONText

extension ForeignKind {
  /// The kind of a JSON or YAML document; `nil` if it is of none.
  init?(of root: JSONNode) {
    guard root.kind == .object else { return nil }
    if let kind = Self.marked(root) ?? Self.shaped(root) {
      self = kind
      return
    }
    return nil
  }

  /// Kinds whose files say what they are.
  private static func marked(_ root: JSONNode) -> ForeignKind? {
    let type = root["type"]?.string ?? ""
    if root["arazzo"] != nil { return .arazzo }
    if root["openapi"] != nil || root["swagger"] != nil { return .apiDescription }
    if root["opencollection"] != nil { return .openCollection }
    if ["collection", "environment", "mock", "spec"].contains(where: {
      type.hasPrefix(bytes: $0 + ".insomnia.rest/")
    }) {
      return .insomnia5
    }
    if root["__export_format"] != nil { return .insomnia4 }
    if root["_type"]?.string?.equals(bytes: "export") == true { return .insomnia4 }
    if root["$kind"]?.string != nil { return .postmanFolder }
    return nil
  }

  /// Kinds whose files are known by their members.
  private static func shaped(_ root: JSONNode) -> ForeignKind? {
    if root["log"]?["entries"] != nil { return .har }
    if let first = root["entries"]?[0], first["request"] != nil { return .har }
    if root["item"] != nil, root["info"] != nil { return .postmanCollection }
    // Version 1 has lists of requests and of their order.
    if root["requests"] != nil, root["order"] != nil || root["folders"] != nil {
      return .postmanCollection
    }
    if root["values"] != nil, root["name"]?.string != nil { return .postmanEnvironment }
    if root["steps"] != nil { return .workflow }
    let info = root["info"]
    if info?["name"] != nil, ["http", "graphql", "grpc", "websocket"].contains(where: has(root)) {
      return .openCollection
    }
    if info?["name"] != nil, info?["seq"] != nil || info?["type"] != nil { return .openCollection }
    if root["name"]?.string != nil, root["variables"]?.kind == .array {
      return .openCollectionEnvironment
    }
    return HTTPEnvironments.isOne(root) ? .httpEnvironments : nil
  }

  private static func has(_ root: JSONNode) -> (String) -> Bool { { root[$0] != nil } }

  /// Whether a file that begins so is a HAR recording: its first member is `log` or `entries`.
  package static func beginsRecording(_ start: [UInt8]) -> Bool {
    let text = start.filter { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    if text.starts(with: Array("{\"log\":{".utf8)) { return true }
    return text.starts(with: Array("{\"entries\":[{".utf8))
  }

  /// The kind of a text that is neither JSON nor YAML; `nil` if it is of none.
  ///
  /// - Complexity: Linear in the length of the text.
  package init?(ofText text: String) {
    let lines = text.split(ascii: "\n", omittingEmptySubsequences: true).lazy.map {
      String($0).trimmed
    }
    var hasSeparator = false
    var requests = 0
    var isHurl = false
    var isFirst = true
    for line in lines where !line.isEmpty {
      if line.hasPrefix(bytes: "###") { hasSeparator = true }
      if line.hasPrefix(bytes: "#") || line.hasPrefix(bytes: "//") { continue }
      if isFirst {
        isFirst = false
        let command = line.hasPrefix(bytes: "$ ") ? line.dropFirst(bytes: 2) : line[...]
        if command.hasPrefix(bytes: "curl ") {
          self = .curl
          return
        }
        if Self.beginsBruBlock(line) {
          self = .bruno
          return
        }
      }
      if Self.isRequest(line) { requests += 1 }
      if requests > 0, Self.isOfHurl(line) { isHurl = true }
    }
    guard requests > 0 else { return nil }
    self = !hasSeparator && (isHurl || requests > 1) ? .hurl : .http
  }

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    "GRAPHQL", "GRPC", "WEBSOCKET", "RSOCKET", "LINK", "UNLINK", "PURGE", "LOCK", "UNLOCK",
    "PROPFIND", "VIEW",
  ]

  /// `GET https://…`, or a URL alone.
  private static func isRequest(_ line: String) -> Bool {
    if line.hasPrefix(bytes: "http://") || line.hasPrefix(bytes: "https://") { return true }
    let words = line.split(ascii: " ", maxSplits: 1)
    guard words.count == 2, methods.contains(String(words[0])) else { return false }
    let target = String(words[1]).trimmed
    return ["/", "{{", "localhost"].contains { target.hasPrefix(bytes: $0) }
      || target.contains(bytes: "://") || target.contains(bytes: ".")
  }

  private static let sections: Set<String> = [
    "[Query]", "[QueryStringParams]", "[Form]", "[FormParams]", "[Multipart]",
    "[MultipartFormData]", "[Cookies]", "[BasicAuth]", "[Options]", "[Captures]", "[Asserts]",
  ]

  /// A section, or the line of an expected response: `HTTP 200`, `HTTP/1.1 *`.
  private static func isOfHurl(_ line: String) -> Bool {
    if sections.contains(String(line.prefix(before: "#")).trimmed) { return true }
    guard line.hasPrefix(bytes: "HTTP") else { return false }
    let words = String(line.prefix(before: "#")).trimmed.split(ascii: " ")
    guard words.count <= 2 else { return false }
    let versions = ["HTTP", "HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]
    guard versions.contains(where: { words[0].equals(bytes: $0) }) else { return false }
    return words.count == 1 || words[1].equals(bytes: "*")
      || words[1].utf8.count == 3 && words[1].utf8.allSatisfy(ASCIISet.digits.contains)
  }

  private static let bruBlocks: Set<String> = [
    "meta", "get", "post", "put", "patch", "delete", "options", "head", "trace", "connect", "http",
    "grpc", "ws", "graphql", "query", "headers", "metadata", "auth", "body", "vars", "params",
    "assert", "script", "tests", "docs", "settings", "example", "color",
  ]

  /// `meta {`, `auth:basic {`, `vars:secret [`.
  private static func beginsBruBlock(_ line: String) -> Bool {
    guard line.hasSuffix(bytes: "{") || line.hasSuffix(bytes: "[") else { return false }
    let name = String(line.dropLast(bytes: 1)).trimmed.prefix(before: ":")
    return bruBlocks.contains(String(name))
  }

  /// Whether a text that is not valid YAML was meant to be: a name and a colon come first.
  static func beginsLikeYAML(_ text: String) -> Bool {
    let first = text.split(ascii: "\n").lazy.map { String($0).trimmed }.first {
      !$0.isEmpty && !$0.hasPrefix(bytes: "#")
    }
    guard let first, let colon = first.firstIndex(ascii: ":"), colon != first.startIndex else {
      return false
    }
    let name = first[..<colon]
    let rest = first[colon...].dropFirst(bytes: 1)
    let plain = ASCIISet.letters.union(.digits).union(ASCIISet("_-$."))
    return name.utf8.allSatisfy(plain.contains)
      && (rest.isEmpty || rest.hasPrefix(bytes: " "))
  }
}

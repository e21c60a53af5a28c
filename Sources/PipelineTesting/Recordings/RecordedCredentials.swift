internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineRecordings

/// The credentials that stand in a place of their own: header fields, cookies, parameters of URLs.
///
/// They are hidden in recordings even if the workflow does not mark them as secrets.
enum RecordedCredentials {
  /// A credential, and the name that takes its place.
  typealias Use = (_ value: String, _ name: String) -> Void

  /// Cookies with shorter values hold settings: `theme=dark`.
  private static let shortestCookie = SecretIndex.shortest

  /// The value of a header field, with names in place of credentials.
  static func named(_ field: String, _ value: String, _ use: Use) -> String {
    guard CredentialNames.isHeader(field) || field.equalsIgnoringASCIICase("set-cookie"),
      !SecretPlaceholder.isIn(value), !value.isEmpty
    else { return value }
    switch field.lowercasedASCII {
    case "cookie":
      return value.split(ascii: ";", omittingEmptySubsequences: false).map {
        cookie(String($0), use)
      }.joined(separator: ";")
    case "set-cookie":
      let pair = String(value.prefix(before: ";"))
      return cookie(pair, use) + value.dropFirst(bytes: pair.utf8.count)
    case "authorization", "proxy-authorization":
      guard let blank = value.firstIndex(ascii: " ") else { return name(value, field, use) }
      return value[...blank] + name(String(value[blank...].dropFirst(bytes: 1)), field, use)
    default: return name(value, field, use)
    }
  }

  /// A URL with names in place of the values of credential parameters.
  static func named(url: String, _ use: Use) -> String {
    var bytes = Array(url.utf8)
    for range in CredentialNames.values(in: url).reversed() {
      let start =
        bytes[..<range.lowerBound].lastIndex { "?&".utf8.contains($0) }.map { $0 + 1 } ?? 0
      let parameter = String(decoding: bytes[start..<range.lowerBound - 1], as: UTF8.self)
      let value = String(decoding: bytes[range], as: UTF8.self)
      bytes.replaceSubrange(range, with: name(value, "query." + parameter, use).utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func cookie(_ pair: String, _ use: Use) -> String {
    guard let equals = pair.firstIndex(ascii: "=") else { return pair }
    let value = String(pair[equals...].dropFirst(bytes: 1))
    guard value.utf8.count >= shortestCookie else { return pair }
    return pair[...equals] + name(value, "cookie." + pair[..<equals].trimmed, use)
  }

  private static func name(_ value: String, _ place: String, _ use: Use) -> String {
    let name = place.lowercasedASCII.replacing(bytes: "}", with: "_")
    use(value, name)
    return String(decoding: SecretPlaceholder.text(name), as: UTF8.self)
  }

  // MARK: What may be one

  /// The texts of an exchange that look like credentials and are not hidden, each with its place:
  /// `the response of 'login' at $.token`.
  static func suspects(in exchange: RecordedExchange) -> [String: String] {
    var found: [String: String] = [:]
    let step = exchange.key.map { "'\($0.step)'" } ?? "a step"
    if case .bytes(let body, _)? = exchange.request.body {
      add(body, of: "the request of \(step)", to: &found)
    }
    if let response = exchange.response {
      add(response.body, of: "the response of \(step)", to: &found)
    }
    return found
  }

  private static func add(_ body: [UInt8], of message: String, to found: inout [String: String]) {
    guard let document = try? JSONDocument.parse(body) else { return }
    var names: [String] = []
    func visit(_ node: JSONNode, isField: Bool) {
      switch node.kind {
      case .object:
        for member in node.members {
          names.append("." + member.name)
          visit(member.value, isField: CredentialNames.isField(member.name))
          names.removeLast()
        }
      case .array:
        names.append("[*]")
        for element in node.elements { visit(element, isField: isField) }
        names.removeLast()
      case .string:
        // Nearly no text is one, so most are not decoded.
        guard isField || KnownCredentials.name(in: node) != nil, let text = node.string,
          text.utf8.count >= SecretIndex.shortest, !SecretPlaceholder.isIn(text)
        else { return }
        if found[text] == nil { found[text] = "\(message) at $\(names.joined())" }
      case .number, .boolean, .null: break
      }
    }
    visit(document.root, isField: false)
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

/// A value that a response gave and a later request may have sent.
struct ProducedValue: Sendable, Hashable {
  /// The position of the exchange whose response it is.
  let exchange: Int
  let source: ImportedSource
  /// The name under which it is, then the names around it, from the inside.
  let names: [String]
  /// Whether it is a JSON number.
  let isNumber: Bool
}

/// The values of responses that requests sent, by their text. All others are forgotten at once, so
/// that memory does not grow with the responses.
struct ProducedValues: Sendable {
  private let wanted: Set<ExactText>
  private(set) var byText: [ExactText: [ProducedValue]] = [:]

  /// A response may repeat a value in each of its records.
  private static let limit = 12

  init(wanted: Set<ExactText>) { self.wanted = wanted }

  private mutating func add(
    _ text: String, _ exchange: Int, _ source: ImportedSource, _ names: [String],
    isNumber: Bool = false
  ) {
    let key = ExactText(text)
    guard wanted.contains(key) else { return }
    let value = ProducedValue(
      exchange: exchange, source: source, names: names, isNumber: isNumber)
    let known = byText[key, default: []]
    guard known.count(where: { $0.exchange == exchange }) < Self.limit, !known.contains(value)
    else { return }
    byText[key, default: []].append(value)
  }

  /// Adds what a response gave.
  mutating func read(_ response: RecordedExchange.Response, of exchange: Int) {
    for field in response.headers { readHeader(field, exchange) }
    let type = response.header("content-type")?.lowercased() ?? ""
    if let document = try? JSONDocument.parse(response.body) {
      read(document.root, "$", [], exchange)
    } else if type.contains(bytes: "html") {
      readHTML(String(decoding: response.body, as: UTF8.self), exchange)
    } else if response.body.count <= 512 {
      add(String(decoding: response.body, as: UTF8.self), exchange, .text, ["text"])
    }
  }

  private static let ignored: Set<String> = [
    "date", "content-type", "content-length", "content-encoding", "connection", "server", "vary",
    "age", "via", "last-modified", "expires", "cache-control", "transfer-encoding", "keep-alive",
    "status", "pragma", "alt-svc", "access-control-allow-origin", "strict-transport-security",
  ]

  private mutating func readHeader(_ field: RecordedField, _ exchange: Int) {
    let name = field.name.lowercased()
    if name.equals(bytes: "set-cookie") {
      let pair = field.value.prefix(before: ";")
      let cookie = String(pair.prefix(before: "=")).trimmed
      guard let equals = pair.firstIndex(ascii: "=") else { return }
      let value = String(pair[equals...].dropFirst(bytes: 1))
      add(value, exchange, .cookie(cookie), [cookie])
      return
    }
    guard !Self.ignored.contains(name) else { return }
    add(field.value, exchange, .header(field.name), [field.name])
    if name.equals(bytes: "location") || name.equals(bytes: "content-location") {
      readURL(field.value, exchange, .header(field.name))
    }
  }

  /// The segments and parameters of a URL that a response gives.
  private mutating func readURL(_ url: String, _ exchange: Int, _ source: ImportedSource) {
    guard let uri = URI.parse(url) else { return }
    for parameter in uri.parameters {
      guard let text = parameter.text else { continue }
      add(text, exchange, .parameter(parameter.name, of: source), [parameter.name])
    }
    var before = ""
    for segment in uri.path.split(ascii: "/") {
      let segment = String(segment)
      let isWord = !segment.utf8.contains(where: ASCIISet.digits.contains)
      if !before.isEmpty, !isWord || ValueStrength.bits(of: segment) >= ValueStrength.strongBits {
        add(
          segment, exchange,
          .match("/\(LiteralPattern.escaped(before))/([^/?#]+)", of: source), ["id", before])
      }
      before = isWord ? segment : ""
    }
  }

  /// - Complexity: Linear. Recursion is bounded by the depth that the parser allows.
  private mutating func read(
    _ node: JSONNode, _ path: String, _ names: [String], _ exchange: Int
  ) {
    switch node.kind {
    case .object:
      for member in node.members {
        read(
          member.value, JSONDifference.path(path, member.name),
          [member.name] + names.prefix(2), exchange)
      }
    case .array:
      for (number, element) in node.elements.enumerated() {
        read(element, path + "[\(number)]", names, exchange)
      }
    case .number: add(node.text, exchange, .body(path), names, isNumber: true)
    case .string:
      guard let text = node.string else { return }
      add(text, exchange, .body(path), names)
      if text.hasPrefix(bytes: "http") || text.hasPrefix(bytes: "/"), text.utf8.count < 2048 {
        readURL(text, exchange, .body(path))
      }
    default: break
    }
  }

  /// The values of hidden fields and of `meta` elements.
  private mutating func readHTML(_ text: String, _ exchange: Int) {
    for tag in text.split(ascii: "<")
    where tag.hasPrefix(bytes: "input") || tag.hasPrefix(bytes: "meta") {
      for attribute in ["value=\"", "content=\""] {
        guard let start = tag.firstRange(bytes: attribute) else { continue }
        let value = String(tag[start.upperBound...].prefix(before: "\""))
        let name = tag.firstRange(bytes: "name=\"").map {
          String(tag[$0.upperBound...].prefix(before: "\""))
        }
        guard let name, !value.isEmpty else { continue }
        let before = String(tag[..<start.upperBound])
        guard let named = before.firstRange(bytes: "name=\"") else { continue }
        let pattern = LiteralPattern.escaped(String(before[named.lowerBound...])) + "([^\"]*)"
        add(value, exchange, .match(pattern, of: .text), [name])
      }
    }
  }
}

/// Texts as patterns (RFC 9485).
enum LiteralPattern {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if ".^$*+?()[]{}|\\-".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

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
    } else if let text = String(validating: response.body, as: UTF8.self) {
      if type.contains(bytes: "html") { readHTML(text, exchange) }
      if response.body.count <= 512 { add(text, exchange, .text, ["text"]) }
      if response.body.count <= Self.textLimit { readText(response.body, text, exchange) }
    }
  }

  /// How long a text may be in which names and values are looked for.
  private static let textLimit = 1 << 20

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
      if Self.isMap(node) {
        for (number, member) in node.members.enumerated() {
          add(member.name, exchange, .key(of: path, index: number), ["id"] + names.prefix(2))
        }
      }
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

  /// Whether the names of an object's members are ids: all have digits.
  private static func isMap(_ node: JSONNode) -> Bool {
    node.members.allSatisfy { member in
      member.name.utf8.contains(where: ASCIISet.digits.contains)
    }
  }

  private static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_-"))
  private static let endBytes = ASCIISet(" \t\r\n\"'&;,<>")

  /// The values that have a name in a text: `token=…`, `token: …`, `"csrf":"…"` in a script.
  ///
  /// - Complexity: Linear in the length of the text for each value that a request sent.
  private mutating func readText(_ bytes: [UInt8], _ text: String, _ exchange: Int) {
    var start = 0
    while start < bytes.count {
      guard Self.nameBytes.contains(bytes[start]) else {
        start += 1
        continue
      }
      var position = bytes[start...].firstIndex { !Self.nameBytes.contains($0) } ?? bytes.count
      let name = String(decoding: bytes[start..<position], as: UTF8.self)
      func skip(_ set: String) {
        while position < bytes.count, set.utf8.contains(bytes[position]) { position += 1 }
      }
      skip("\"' ")
      let separator = position
      skip("=:")
      let end = position
      skip("\"' ")
      let first = position
      let last = bytes[first...].firstIndex(where: Self.endBytes.contains) ?? bytes.count
      guard (1...2).contains(end - separator), last > first, last - first < 4096 else {
        start = max(separator, start + name.utf8.count)
        continue
      }
      let value = String(decoding: bytes[first..<last], as: UTF8.self)
      if wanted.contains(ExactText(value)) {
        let before = String(decoding: bytes[start..<first], as: UTF8.self)
        // The pattern finds the first place.
        let offset = text.firstRange(bytes: before).map {
          text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
        }
        if offset == start {
          let pattern = LiteralPattern.escaped(before) + "([^ \\t\\r\\n\"'&;,<>]+)"
          add(value, exchange, .match(pattern, of: .text), [name])
        }
      }
      start = first
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

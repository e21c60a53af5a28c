internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

extension ProducedValues {
  /// Adds what a response gave.
  mutating func read(_ response: RecordedExchange.Response, of exchange: Int) {
    for field in response.headers { readHeader(field, exchange) }
    let type = response.header("content-type")?.lowercased() ?? ""
    if let document = try? JSONDocument.parse(response.body) {
      var way: [Way] = []
      read(document.root, &way, exchange)
    } else if let text = String(validating: response.body, as: UTF8.self) {
      if type.contains(bytes: "html") { readHTML(text, exchange) }
      if response.body.count <= 512 { add(text, exchange, .text, ["text"]) }
      if response.body.count <= Self.textLimit { readText(response.body, text, exchange) }
    }
  }

  /// How long a text may be in which names and values are looked for.
  private static let textLimit = 1 << 20
  /// How long a value may be in such a text.
  private static let valueLimit = 4096

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

  /// - Parameter way: The members and positions on the way to the node.
  /// - Complexity: Linear. Recursion is bounded by the depth that the parser allows.
  private mutating func read(_ node: JSONNode, _ way: inout [Way], _ exchange: Int) {
    switch node.kind {
    case .object:
      if Self.isMap(node) {
        let path = Way.path(way)
        for (number, member) in node.members.enumerated() {
          add(
            member.name, exchange, .key(of: path, index: number), ["id"] + Way.names(way).prefix(2))
        }
      }
      for member in node.members {
        way.append(.member(member))
        read(member.value, &way, exchange)
        way.removeLast()
      }
    case .array:
      for (number, element) in node.elements.enumerated() {
        way.append(.position(number))
        read(element, &way, exchange)
        way.removeLast()
      }
    case .number:
      guard isLikely(node.utf8) else { return }
      add(node.text, exchange, .body(Way.path(way)), Way.names(way), isNumber: true)
    case .string:
      let isURL = node.document.withUTF8(at: node.index) { text in
        text.count < 2048 && (text.first == UInt8(ascii: "/") || text.starts(with: "http".utf8))
      }
      guard isURL || node.document.withUTF8(at: node.index, { isLikely($0) }),
        let text = node.string
      else { return }
      add(text, exchange, .body(Way.path(way)), Way.names(way))
      if isURL { readURL(text, exchange, .body(Way.path(way))) }
    default: break
    }
  }

  /// A step on the way from a body to one of its values.
  private enum Way {
    case member(JSONMember)
    case position(Int)

    static func path(_ way: [Way]) -> String {
      way.reduce("$") { path, step in
        switch step {
        case .member(let member): JSONDifference.path(path, member.name)
        case .position(let number): path + "[\(number)]"
        }
      }
    }

    /// The last three names, from the inside.
    static func names(_ way: [Way]) -> [String] {
      way.reversed().lazy.compactMap { step in
        if case .member(let member) = step { member.name } else { nil }
      }.prefix(3).map(\.self)
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
      let nameEnd = position
      func skip(_ set: String) {
        while position < bytes.count, set.utf8.contains(bytes[position]) { position += 1 }
      }
      skip("\"' ")
      let separator = position
      skip("=:")
      let end = position
      skip("\"' ")
      let first = position
      let limit = min(bytes.count, first + Self.valueLimit)
      let last = bytes[first..<limit].firstIndex(where: Self.endBytes.contains) ?? limit
      guard (1...2).contains(end - separator), last > first else {
        start = separator
        continue
      }
      if isLikely(bytes[first..<last]) {
        let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self)
        let value = String(decoding: bytes[first..<last], as: UTF8.self)
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

  /// The values of fields, hidden ones too, and of `meta` elements.
  private mutating func readHTML(_ text: String, _ exchange: Int) {
    // A pattern finds the first place alone.
    var patterns: Set<String> = []
    for part in text.split(ascii: "<") {
      let word = part.prefix { $0.isLetter }.lowercased()
      guard let key = ["input": "value", "meta": "content"][word] else { continue }
      let tag = HTMLTag(part)
      guard let name = tag["name"], let value = tag[key], !name.value.isEmpty, !value.value.isEmpty
      else { continue }
      let pattern = tag.pattern(of: value, beside: name)
      guard patterns.insert(pattern).inserted else { continue }
      add(value.value, exchange, .match(pattern, of: .text), [name.value])
    }
  }
}

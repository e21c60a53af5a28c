internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineRecordings
internal import PipelineURIs

/// A place in a recorded request at which a value of a response may be.
struct RequestSlot: Sendable {
  enum Kind: String, Sendable {
    case path, query, header, cookie, body, form, part
  }

  let kind: Kind
  /// The name by which the value is sent: of the parameter, header, cookie or member. For a segment
  /// of the path, the segment before it.
  let name: String
  /// The value, decoded.
  let text: String
  /// Where it is, for people: `query 'page'`, `body $.user.id`.
  let title: String
  /// Whether it is a JSON number, or a JSON string; `nil` outside of JSON.
  var isNumber: Bool?
  /// The bytes of the JSON body that it is written with.
  var range = 0..<0
}

/// A recorded request, taken apart into its slots.
struct SlottedRequest: Sendable {
  private enum Body: Sendable {
    case none
    case json([UInt8])
    case text(String)
    case form([String])
    case multipart([RecordedExchange.Part])
    /// Bytes that are no text, or a file that is not in the recording.
    case unknown(String)
  }

  private(set) var slots: [RequestSlot] = []
  /// The scheme, the host and the port.
  let origin: String
  /// The name and password that the URL has.
  private let user: (name: ForeignText, password: ForeignText)?
  let method: String
  private var segments: [String] = []
  /// The fields of the query as they were sent: each with its `=`, if it has one.
  private var query: [(name: String, value: String?)] = []
  private var parameters: [String] = []
  /// The form as it was sent, if fields of one name are apart in it.
  private var rawForm: String?
  private var headers: [String] = []
  private var cookies: [String] = []
  private var body = Body.none
  /// The headers that a browser or client sends by itself, in lower case.
  private(set) var leftOut: Set<String> = []

  init(_ request: RecordedExchange.Request) {
    method = request.method
    let cut = ForeignText(plain: request.url).withoutUserInfo
    user = cut.map { ($0.user, $0.password) }
    let url = String((cut?.url.plain ?? request.url).prefix(before: "#"))
    let address = String(url.prefix(before: "?"))
    let start = address.firstRange(bytes: "://")?.upperBound ?? address.startIndex
    let slash = address[start...].firstIndex(ascii: "/") ?? address.endIndex
    origin = String(address[..<slash])
    readPath(address[slash...])
    if let mark = url.firstIndex(ascii: "?") {
      readQuery(String(url[url.utf8.index(after: mark)...]))
    }
    readHeaders(request.headers)
    if let body = request.body { readBody(body) }
  }

  /// The last word of the path: what the request is about.
  var resource: String {
    segments.last { !$0.utf8.contains(where: ASCIISet.digits.contains) && !$0.isEmpty } ?? ""
  }

  /// What requests for the same with other data have in common.
  var shape: String { path + "?" + parameters.joined(separator: "&") }

  /// The method and the path, with a star for each segment that holds digits.
  var path: String {
    let path = segments.map { $0.utf8.contains(where: ASCIISet.digits.contains) ? "*" : $0 }
    return method + " " + origin + "/" + path.joined(separator: "/")
  }

  // MARK: Reading

  private mutating func readPath(_ path: Substring) {
    var before = ""
    for segment in path.split(ascii: "/", omittingEmptySubsequences: false).dropFirst() {
      let text = URI.percentDecode(String(segment)) ?? String(segment)
      segments.append(String(segment))
      slots.append(
        RequestSlot(kind: .path, name: before, text: text, title: "path '/\(before)/…'"))
      if !text.utf8.contains(where: ASCIISet.digits.contains) { before = text }
    }
  }

  private mutating func readQuery(_ text: String) {
    for pair in text.split(ascii: "&", omittingEmptySubsequences: false) {
      let name = String(pair.prefix(before: "="))
      let value = pair.firstIndex(ascii: "=").map { String(pair[$0...].dropFirst(bytes: 1)) }
      query.append((name, value))
      if !name.isEmpty {
        addParameter(decoded(name) ?? name, value.map { decoded($0) ?? $0 } ?? "")
      }
    }
  }

  private mutating func addParameter(_ name: String, _ value: String) {
    parameters.append(name)
    slots.append(RequestSlot(kind: .query, name: name, text: value, title: "query '\(name)'"))
  }

  private func decoded(_ text: String) -> String? {
    URI.percentDecode(text.replacing(bytes: "+", with: " "))
  }

  private mutating func readHeaders(_ fields: [RecordedField]) {
    for field in fields {
      let name = field.name.lowercased()
      if name.equals(bytes: "cookie") {
        for pair in field.value.split(ascii: ";") {
          let text = String(pair).trimmed
          let cookie = String(text.prefix(before: "="))
          guard !cookie.isEmpty, !ClientHeaders.isOfAnalytics(cookie: cookie),
            let equals = text.firstIndex(ascii: "=")
          else { continue }
          cookies.append(cookie)
          slots.append(
            RequestSlot(
              kind: .cookie, name: cookie, text: String(text[equals...].dropFirst(bytes: 1)),
              title: "cookie '\(cookie)'"))
        }
      } else if ClientHeaders.isOfClient(name, field.value) {
        leftOut.insert(name)
      } else {
        headers.append(field.name)
        slots.append(
          RequestSlot(
            kind: .header, name: field.name, text: field.value, title: "header '\(field.name)'"))
      }
    }
  }

  private mutating func readBody(_ content: RecordedExchange.Body) {
    switch content {
    case .file(let name, _): body = .unknown("the content of the file '\(name)'")
    case .form(let parts, _): readParts(parts)
    case .bytes(let bytes, let type):
      let type = String(type.prefix(before: ";")).trimmed.lowercased()
      guard let text = String(validating: bytes, as: UTF8.self) else {
        body = .unknown("bytes that are not text")
        return
      }
      if type.hasPrefix(bytes: "multipart/") {
        readParts(MultipartText.parts(of: text))
      } else if type.equals(bytes: "application/x-www-form-urlencoded"), readForm(text) {
        return
      } else if let document = try? JSONDocument.parse(bytes),
        [.object, .array].contains(document.root.kind)
      {
        body = .json(bytes)
        readJSON(document.root, "$", "")
      } else {
        body = .text(text)
      }
    }
  }

  private mutating func readParts(_ parts: [RecordedExchange.Part]) {
    body = .multipart(parts)
    for part in parts {
      slots.append(
        RequestSlot(
          kind: .part, name: part.name, text: part.fileName == nil ? part.value ?? "" : "",
          title: "part '\(part.name)'"))
    }
  }

  private mutating func readForm(_ text: String) -> Bool {
    var fields: [(String, String)] = []
    for pair in text.split(ascii: "&") {
      guard let equals = pair.firstIndex(ascii: "="), let name = decoded(String(pair[..<equals])),
        let value = decoded(String(pair[equals...].dropFirst(bytes: 1))), !name.isEmpty
      else { return false }
      fields.append((name, value))
    }
    guard !fields.isEmpty else { return false }
    body = .form(fields.map(\.0))
    let names = fields.map(\.0)
    let isApart = zip(names, names.dropFirst()).filter { $0 != $1 }.count + 1 > Set(names).count
    if isApart { rawForm = text }
    for (name, value) in fields {
      slots.append(RequestSlot(kind: .form, name: name, text: value, title: "form '\(name)'"))
    }
    return true
  }

  private mutating func readJSON(_ node: JSONNode, _ path: String, _ name: String) {
    switch node.kind {
    case .object:
      for member in node.members {
        readJSON(member.value, JSONDifference.path(path, member.name), member.name)
      }
    case .array:
      for (number, element) in node.elements.enumerated() {
        readJSON(element, path + "[\(number)]", name)
      }
    case .string, .number:
      slots.append(
        RequestSlot(
          kind: .body, name: name, text: node.string ?? node.text, title: "body \(path)",
          isNumber: node.kind == .number, range: node.range))
    default: break
    }
  }

  // MARK: Writing

  /// The request, with some slots filled.
  ///
  /// - Parameter fills: What is sent at a slot in place of the recorded text.
  func request(
    line: Int, fills: [Int: ForeignText], _ report: inout ImportReport
  ) -> ImportedRequest {
    var request = ImportedRequest(line: line)
    request.method = method
    var number = 0
    func next() -> ForeignText? {
      defer { number += 1 }
      return fills[number]
    }
    request.url = ForeignText(plain: origin)
    for segment in segments {
      request.url.append(.text("/"))
      request.url.append(
        next().map { Self.filled(segment, with: $0) } ?? ForeignText(plain: segment))
    }
    request.word = word(without: fills)
    if let user { request.auth = .basic(user: user.name, password: user.password) }
    for (position, field) in query.enumerated() {
      request.url.append(.text((position == 0 ? "?" : "&") + field.name))
      if field.value != nil { request.url.append(.text("=")) }
      let fill = field.name.isEmpty ? nil : next()
      let value = field.value ?? ""
      request.url.append(fill.map { Self.filled(value, with: $0) } ?? ForeignText(plain: value))
    }
    for slot in slots[number...].prefix(while: { $0.kind == .header || $0.kind == .cookie }) {
      let text = next() ?? ForeignText(plain: slot.text)
      if slot.kind == .header {
        request.headers.append((slot.name, text))
      } else {
        request.cookies.append((slot.name, text))
      }
    }
    switch body {
    case .none: break
    case .text(let text): request.body = .text(ForeignText(plain: text))
    case .form where rawForm != nil && fills.keys.allSatisfy({ slots[$0].kind != .form }):
      request.body = .text(ForeignText(plain: rawForm ?? ""))
      request.headers.append(
        ("Content-Type", ForeignText(plain: "application/x-www-form-urlencoded")))
    case .form(let names):
      request.body = .form(
        names.map { name in
          let recorded = slots[number].text
          return (name, next() ?? ForeignText(plain: recorded))
        })
    case .json(let bytes): request.body = .json(json(bytes, from: number, fills))
    case .multipart(let parts):
      request.body = .multipart(
        parts.map { part in
          let recorded = slots[number].text
          let text = next() ?? ForeignText(plain: recorded)
          guard let file = part.fileName else {
            return .init(name: part.name, value: text, contentType: part.type)
          }
          let name = Self.fileName(file)
          report.approximate(
            line, "the content of '\(name)' is not kept; put the file beside the workflow")
          return .init(
            name: part.name, value: ForeignText(plain: "./" + name), isFile: true,
            contentType: part.type)
        })
    case .unknown(let what): report.refuse(line, "the body is \(what)")
    }
    return request
  }

  /// What is sent in place of a part of a URL. What is beside the value keeps its bytes.
  ///
  /// - Parameters:
  ///   - sent: The part as it was sent.
  ///   - fill: The value, between what is beside it, decoded.
  private static func filled(_ sent: String, with fill: ForeignText) -> ForeignText {
    let octets = URLQuery.octets(of: sent)
    var result = ForeignText()
    for (number, part) in fill.parts.enumerated() {
      guard case .text(let text) = part else {
        result.append(part)
        continue
      }
      let count = text.utf8.count
      let kept = number == 0 ? octets.prefix(count) : octets.suffix(count)
      result.append(.text(kept.joined()))
    }
    return result
  }

  /// The last name of a path. A recording may name any path.
  private static func fileName(_ path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "file"
  }

  /// The content of the files in the body, by their paths in the workflow.
  var files: [(path: String, content: String)] {
    guard case .multipart(let parts) = body else { return [] }
    return parts.compactMap { part in
      part.fileName.map { ("./" + Self.fileName($0), part.value ?? "") }
    }
  }

  /// What the request is about: the last segment of its path that is a word.
  private func word(without fills: [Int: ForeignText]) -> String {
    let words = segments.enumerated().filter { number, segment in
      fills[number] == nil && !segment.isEmpty
        && segment.utf8.count { ASCIISet.digits.contains($0) } * 3 < segment.utf8.count
        && segment.utf8.count <= 30
    }
    guard let last = words.last else { return "" }
    // `/orders/71` is about one order.
    let isOfOne = segments[(last.offset + 1)...].contains { !$0.isEmpty }
    return isOfOne ? ValueStrength.singular(last.element) : last.element
  }

  private func json(_ bytes: [UInt8], from first: Int, _ fills: [Int: ForeignText]) -> ForeignText {
    var text = ForeignText()
    var start = 0
    for (number, slot) in slots.enumerated().dropFirst(first) {
      guard let fill = fills[number] else { continue }
      let isString = slot.isNumber == false
      text.append(.text(String(decoding: bytes[start..<slot.range.lowerBound], as: UTF8.self)))
      if isString { text.append(.text("\"")) }
      text.append(fill.mapTexts { JSONValue.string($0).node.text.dropQuotes } ?? fill)
      if isString { text.append(.text("\"")) }
      start = slot.range.upperBound
    }
    text.append(.text(String(decoding: bytes[start...], as: UTF8.self)))
    return text
  }
}

extension String {
  /// A JSON string without its quotes.
  fileprivate var dropQuotes: String { String(dropFirst(bytes: 1).dropLast(bytes: 1)) }
}

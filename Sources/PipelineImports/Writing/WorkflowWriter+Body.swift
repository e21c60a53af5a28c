internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

extension WorkflowWriter {
  /// A body, and the headers without those that it brings itself.
  mutating func body(
    _ body: ImportedRequest.Body, _ headers: inout [Field], _ line: Int
  ) -> JSONValue? {
    switch body {
    case .json(let text):
      guard let data = data(text, line) else {
        report.approximate(line, "the body is not valid JSON, so it is sent as text")
        if contentType(of: headers) == nil {
          headers.append(("Content-Type", ForeignText(plain: "application/json")))
        }
        return ["text": nearJSON(text, line)]
      }
      drop("application/json", from: &headers)
      return ["json": data]
    case .text(let text):
      let isForm =
        contentType(of: headers)?.hasPrefix(bytes: "application/x-www-form-urlencoded") == true
      guard isForm else { return ["text": value(text, line)] }
      if let fields = Self.formFields(text) { return self.body(.form(fields), &headers, line) }
      return ["text": .string(withoutCredentials(text, line) { $0.insertion(of: $1, $2, line) })]
    case .form(let fields):
      drop("application/x-www-form-urlencoded", from: &headers)
      var members: [JSONValue.Member] = []
      add("form", fields, to: &members, line)
      return members.isEmpty ? nil : .object(members)
    case .multipart(let parts):
      drop("multipart/form-data", from: &headers)
      // A file without a name is refused.
      let parts = parts.filter { !$0.isFile || !$0.value.isEmpty }
      return parts.isEmpty ? nil : ["multipart": .array(parts.map { part($0, line) })]
    case .file(let path): return ["file": file(path, line)]
    case .pieces(let pieces):
      return ["text": FileText.joined(pieces.map { piece($0, line) })]
    case .graphql(let query, let variables, let operation):
      drop("application/json", from: &headers)
      var members: [JSONValue.Member] = [.init("query", value(query, line))]
      if let variables, !variables.trimmed.isEmpty {
        let data = data(variables, line)
        if data == nil { report.refuse(line, "the variables of the GraphQL query are not JSON") }
        if let data, data != .object([]) { members.append(.init("variables", data)) }
      }
      if let operation, !operation.isEmpty {
        members.append(.init("operationName", value(operation, line)))
      }
      return ["graphql": .object(members)]
    }
  }

  private func contentType(of headers: [Field]) -> String? {
    headers.first { $0.name.equalsIgnoringASCIICase("content-type") }?.value.plain?.lowercased()
  }

  /// Removes a `Content-Type` that the body brings itself.
  private func drop(_ type: String, from headers: inout [Field]) {
    headers.removeAll {
      $0.name.equalsIgnoringASCIICase("content-type")
        && $0.value.plain?.lowercased().hasPrefix(bytes: type) == true
    }
  }

  /// The fields of a form; `nil` if the text has none, or a map would change their order.
  private static func formFields(_ text: ForeignText) -> [Field]? {
    guard let fields = fields(ofForm: text), !fields.isEmpty else { return nil }
    return text.plain == nil || FieldOrder.isKept(fields.map(\.name)) ? fields : nil
  }

  private mutating func part(_ part: ImportedRequest.Part, _ line: Int) -> JSONValue {
    var members: [JSONValue.Member] = [.init("name", .string(part.name))]
    switch part.kind {
    case .text: members.append(.init("value", value(part.value, of: part.name, line)))
    case .file: members.append(.init("file", file(part.value, line)))
    case .fileContent:
      members.append(.init("value", FileText.content(of: file(part.value, line))))
    }
    if let name = part.fileName { members.append(.init("filename", .string(name))) }
    if let type = part.contentType { members.append(.init("contentType", .string(type))) }
    return .object(members)
  }

  private mutating func piece(_ piece: ImportedRequest.Piece, _ line: Int) -> JSONValue {
    switch piece {
    case .text(let text): .string(withoutCredentials(text, line) { $0.insertion(of: $1, $2, line) })
    case .file(let path): FileText.content(of: file(path, line))
    case .lines(let path): FileText.contentWithoutLineEnds(of: file(path, line))
    }
  }

  // MARK: JSON with placeholders

  private static let open: Unicode.Scalar = "\u{F0000}"
  private static let close: Unicode.Scalar = "\u{F0001}"

  /// JSON in which placeholders are strings or parts of strings; `nil` if it is not JSON.
  private mutating func data(_ text: ForeignText, _ line: Int) -> JSONValue? {
    var marked = ""
    var raw: Set<Int> = []
    var isInString = false
    for (number, part) in text.parts.enumerated() {
      if case .text(let literal) = part {
        marked += literal
        isInString = Self.endsInString(literal, isInString)
        continue
      }
      let mark = "\(Self.open)\(number)\(Self.close)"
      if !isInString { raw.insert(number) }
      marked += isInString ? mark : "\"\(mark)\""
    }
    guard let document = try? JSONDocument.parse(Array(marked.utf8)) else { return nil }
    let root = JSONValue(document.root)
    guard !Self.hasMarkedNames(root) else { return nil }
    return value(root, text.parts, raw, line)
  }

  /// A text that is nearly JSON, in which credentials are secret inputs as far as it can be read.
  private mutating func nearJSON(_ text: ForeignText, _ line: Int) -> JSONValue {
    guard let plain = text.plain else { return value(text, line) }
    let bytes = Array(plain.utf8)
    var written = ""
    var end = 0
    func cut(_ range: Range<Int>) -> ForeignText {
      ForeignText(plain: String(decoding: bytes[range], as: UTF8.self))
    }
    for member in Self.credentials(in: JSONDocument.parseRecovering(bytes).document.root) {
      let range = member.value.range
      guard range.count > 2, range.lowerBound >= end else { continue }
      // Its quotes stay in the text.
      let inner = range.lowerBound + 1..<range.upperBound - 1
      written += template(cut(end..<inner.lowerBound), line: line)
      written += insertion(of: member.name, cut(inner), line)
      end = inner.upperBound
    }
    return .string(written + template(cut(end..<bytes.count), line: line))
  }

  private static func credentials(in node: JSONNode) -> [(name: String, value: JSONNode)] {
    node.elements.flatMap { credentials(in: $0) }
      + node.members.flatMap { member in
        member.value.kind == .string && CredentialNames.isField(member.name)
          ? [(member.name, member.value)] : credentials(in: member.value)
      }
  }

  private static func endsInString(_ text: String, _ start: Bool) -> Bool {
    var isInString = start
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInString
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return isInString
  }

  private static func hasMarkedNames(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let elements): elements.contains { hasMarkedNames($0) }
    case .object(let members):
      members.contains {
        $0.name.unicodeScalars.contains(open) || hasMarkedNames($0.value)
      }
    default: false
    }
  }

  private mutating func value(
    _ node: JSONValue, _ parts: [ForeignText.Part], _ raw: Set<Int>, _ line: Int
  ) -> JSONValue {
    switch node {
    case .string(let text):
      guard !CredentialNames.isShape(Array(text.utf8)) else {
        return secret("token", unmarked(text, parts), line)
      }
      return .string(template(text, parts, raw, line).text)
    case .array(let elements): return .array(elements.map { value($0, parts, raw, line) })
    case .object(let members):
      let object = JSONValue.object(
        members.map { member in
          guard case .string(let text) = member.value, CredentialNames.isField(member.name),
            !text.isEmpty
          else { return .init(member.name, value(member.value, parts, raw, line)) }
          return .init(member.name, secret(member.name, unmarked(text, parts), line))
        })
      // A single member whose name begins with '$' would be a data form.
      return members.count == 1 && members[0].name.hasPrefix(bytes: "$")
        ? ["$literal": .object(members)] : object
    case .null, .boolean, .number: return node
    }
  }

  private mutating func template(
    _ text: String, _ parts: [ForeignText.Part], _ raw: Set<Int>, _ line: Int
  ) -> (text: String, isRaw: Bool) {
    let unmarked = unmarked(text, parts)
    let result = template(unmarked, line: line)
    let isRaw = unmarked.parts.count == 1 && raw.contains { parts[$0] == unmarked.parts[0] }
    if isRaw, result.hasPrefix(bytes: "{{inputs.") {
      inputs.markRaw(String(result.dropFirst(bytes: 9).dropLast(bytes: 2)))
    }
    return (result, isRaw)
  }

  /// A string of the marked JSON, with its placeholders again.
  private func unmarked(_ text: String, _ parts: [ForeignText.Part]) -> ForeignText {
    var result = ForeignText()
    var rest = Substring(text).unicodeScalars
    while let start = rest.firstIndex(of: Self.open),
      let end = rest[start...].firstIndex(of: Self.close)
    {
      result.append(.text(String(rest[..<start])))
      let number = Int(String(rest[rest.index(after: start)..<end]))
      if let number, parts.indices.contains(number) { result.append(parts[number]) }
      rest = rest[rest.index(after: end)...]
    }
    result.append(.text(String(rest)))
    return result
  }

  /// The path of a file that is sent. One that leads out of the workflow's folder is replaced by
  /// the name of the file, because a run reads no others.
  private mutating func file(_ path: ForeignText, _ line: Int) -> JSONValue {
    guard let plain = path.plain else { return value(path, line) }
    let names = plain.replacing(bytes: "\\", with: "/").split(ascii: "/").map { String($0) }
    let isDrive = names.first.map { $0.utf8.count == 2 && $0.hasSuffix(bytes: ":") } ?? false
    let leadsOut =
      plain.hasPrefix(bytes: "/") || plain.hasPrefix(bytes: "\\") || plain.hasPrefix(bytes: "~")
      || isDrive || names.contains { $0.equals(bytes: "..") }
    guard leadsOut, let name = names.last(where: { ![".", "..", "~"].contains($0) }) else {
      return value(path, line)
    }
    report.approximate(
      line, "the file '\(plain)' is read from beside the workflow, as '\(name)'; put it there")
    return .string(name.replacing(bytes: "{{", with: "{{{{"))
  }
}

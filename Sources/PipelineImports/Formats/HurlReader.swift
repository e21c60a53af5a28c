internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings

/// Reads a Hurl file: requests one after another, each with what is expected of its response.
struct HurlReader {
  private var collection = ImportedCollection()
  private var report: ImportReport
  private let lines: [String]
  private var number = 0
  /// The variables that options have set so far.
  private var scope = VariableScope()
  private var definitions = 0
  private var captured: Set<String> = []

  static func collection(of text: String, _ report: inout ImportReport) -> ImportedCollection {
    var reader = HurlReader(text, report)
    reader.read()
    report = reader.report
    return reader.collection
  }

  private init(_ text: String, _ report: ImportReport) {
    let text = text.hasPrefix(bytes: "\u{FEFF}") ? String(text.dropFirst(bytes: 3)) : text
    lines = text.split(ascii: "\n", omittingEmptySubsequences: false).map {
      String($0.hasSuffix(bytes: "\r") ? $0.dropLast(bytes: 1) : $0)
    }
    self.report = report
  }

  /// The line that is read, without blanks at its ends; `nil` at the end of the file.
  private var line: String? { number < lines.count ? lines[number].trimmed : nil }

  private mutating func foreign(_ text: String) -> ForeignText {
    ForeignText(text, line: number + 1, &report)
  }

  // MARK: Entries

  private mutating func read() {
    while let line {
      if line.isEmpty || line.hasPrefix(bytes: "#") {
        number += 1
      } else if let (method, url) = Self.request(line) {
        readEntry(method, url)
      } else {
        report.refuse(number + 1, "'\(String(line.prefix(60)))' is not a request")
        number += 1
      }
    }
  }

  /// `GET https://…`
  private static func request(_ line: String) -> (method: String, url: String)? {
    let words = line.split(ascii: " ", maxSplits: 1)
    guard words.count == 2, words[0].utf8.allSatisfy({ $0 &- 0x41 < 26 }), words[0] != "HTTP" else {
      return nil
    }
    return (String(words[0]), HurlText.withoutComment(String(words[1])))
  }

  /// The status of `HTTP 200`, `HTTP/1.1 *`; `nil` if it is another line.
  private static func response(_ line: String) -> String? {
    let words = HurlText.withoutComment(line).split(ascii: " ")
    guard words.count == 2, words[0] == "HTTP" || words[0].hasPrefix(bytes: "HTTP/") else {
      return nil
    }
    return String(words[1])
  }

  private mutating func readEntry(_ method: String, _ url: String) {
    var request = ImportedRequest(line: number + 1)
    request.method = method
    request.url = foreign(url)
    request.followsRedirects = false
    request.acceptsAnyStatus = true
    number += 1
    var options = HurlOptions()
    readPart(&request, &options, isResponse: false)
    if let line, let status = Self.response(line) {
      if let code = Int(status) {
        request.statuses = [code]
        request.acceptsAnyStatus = false
      }
      number += 1
      readPart(&request, &options, isResponse: true)
    }
    options.apply(to: &request, &report)
    let texts = request.texts
    for name in texts.flatMap(\.variables) { declareGiven(name) }
    request.scope = scope.visible(to: texts)
    for (name, _) in request.sets {
      scope.remove(name)
      captured.insert(name)
    }
    collection.requests.append(request)
  }

  /// Declares a variable that nothing in the file gives before it is read.
  private mutating func declareGiven(_ name: String) {
    guard scope.definitions[name] == nil, !captured.contains(name),
      collection.variable(name) == nil
    else { return }
    collection.declare(.init(name: name))
  }

  private static let sections: Set<String> = [
    "Query", "QueryStringParams", "Form", "FormParams", "Multipart", "MultipartFormData",
    "Cookies", "BasicAuth", "Options", "Captures", "Asserts",
  ]

  private static func section(_ line: String) -> String? {
    let text = HurlText.withoutComment(line)
    guard text.hasPrefix(bytes: "["), text.hasSuffix(bytes: "]") else { return nil }
    let name = String(text.dropFirst(bytes: 1).dropLast(bytes: 1))
    return sections.contains(name) ? name : nil
  }

  /// The headers, sections and body of a request or of a response.
  private mutating func readPart(
    _ request: inout ImportedRequest, _ options: inout HurlOptions, isResponse: Bool
  ) {
    var section: String?
    while let line {
      if Self.request(line) != nil || Self.response(line) != nil { return }
      if let name = Self.section(line) {
        section = name
        number += 1
      } else if line.isEmpty || line.hasPrefix(bytes: "#") {
        number += 1
      } else if Self.beginsBody(line) {
        let start = number + 1
        let body = readBody(line)
        if isResponse {
          expectBody(body, start, &request)
        } else {
          request.body = body
        }
        section = nil
      } else {
        let text = HurlText.withoutComment(line)
        if let section {
          readLine(text, of: section, &request, &options)
        } else if let (name, value) = HurlText.pair(text) {
          if isResponse {
            expectHeader(name, value, &request)
          } else {
            request.headers.append((name, foreign(value)))
          }
        } else {
          report.refuse(number + 1, "'\(String(text.prefix(60)))' is not a header")
        }
        number += 1
      }
    }
  }

  /// The members of an expected body as conditions, if they are few and plain. It is also a response
  /// for a test.
  private mutating func expectBody(
    _ body: ImportedRequest.Body?, _ line: Int, _ request: inout ImportedRequest
  ) {
    guard case .json(let text)? = body, let plain = text.plain,
      let document = try? JSONDocument.parse(Array(plain.utf8))
    else {
      return report.refuse(
        line, "the expected body is not translated; write 'expect.where' instead")
    }
    request.examples = [
      SavedResponse(
        status: request.statuses.first ?? 200, headers: [("Content-Type", "application/json")],
        body: plain)
    ]
    guard let conditions = Self.conditions(document.root, "@.body"),
      conditions.count <= Self.conditionLimit
    else {
      return report.refuse(
        line,
        "the expected body has more than \(Self.conditionLimit) values; write 'expect.where'")
    }
    request.conditions += conditions.filter { !request.conditions.contains($0) }
    report.approximate(
      line, "the expected body is compared value by value; it may have further members")
  }

  private static let conditionLimit = 20

  /// A condition for each value; `nil` if there are too many.
  private static func conditions(_ node: JSONNode, _ path: String) -> [String]? {
    switch node.kind {
    case .object:
      var all: [String] = []
      for member in node.members {
        let place = JSONDifference.path("", member.name)
        guard let own = conditions(member.value, path + place) else {
          return nil
        }
        all += own
        if all.count > conditionLimit { return nil }
      }
      return all
    case .array:
      var all = ["length(\(path)) == \(node.count)"]
      for (number, element) in node.elements.enumerated() {
        guard all.count <= conditionLimit, let own = conditions(element, "\(path)[\(number)]")
        else { return nil }
        all += own
      }
      return all
    case .string: return ["\(path) == \(ScriptCursor.quoted(node.string ?? ""))"]
    case .number, .boolean, .null: return ["\(path) == \(node.text)"]
    }
  }

  private mutating func expectHeader(
    _ name: String, _ value: String, _ request: inout ImportedRequest
  ) {
    guard !value.contains(bytes: "{{") else {
      return report.refuse(number + 1, "the expected header '\(name)' is made of variables")
    }
    request.conditions.append(
      "@.headers[\(ScriptCursor.quoted(name.lowercased()))] == \(ScriptCursor.quoted(value))")
  }

  private mutating func readLine(
    _ text: String, of section: String, _ request: inout ImportedRequest,
    _ options: inout HurlOptions
  ) {
    if section == "Asserts" {
      return HurlAssert.read(text, line: number + 1, into: &request, &report)
    }
    guard let (name, value) = HurlText.pair(text) else {
      return report.refuse(number + 1, "'\(String(text.prefix(60)))' is not 'name: value'")
    }
    switch section {
    case "Query", "QueryStringParams": request.query.append((name, foreign(value)))
    case "Form", "FormParams":
      var fields: [(name: String, value: ForeignText)] = []
      if case .form(let known)? = request.body { fields = known }
      request.body = .form(fields + [(name, foreign(value))])
    case "Multipart", "MultipartFormData":
      var parts: [ImportedRequest.Part] = []
      if case .multipart(let known)? = request.body { parts = known }
      request.body = .multipart(parts + [part(name, value)])
    case "Cookies": request.cookies.append((name, foreign(value)))
    case "BasicAuth": request.auth = .basic(user: foreign(name), password: foreign(value))
    case "Options":
      if name.equals(bytes: "variable"), let equals = value.firstIndex(ascii: "=") {
        let variable = String(value[..<equals]).trimmed
        let text = HurlText.unquoted(String(value[equals...].dropFirst(bytes: 1)))
        let value = foreign(text)
        for name in value.variables { declareGiven(name) }
        definitions += 1
        scope.define(.init(name: variable, value: value), at: definitions, .overAll)
      } else {
        options.read(name, value, line: number + 1, &report)
      }
    case "Captures":
      switch HurlQuery.source(value) {
      case .success(let source): request.sets.append((name, source))
      case .failure(let problem): report.refuse(number + 1, problem.reason)
      }
    default: break
    }
  }

  /// `file,photo.png; image/png` or a text.
  private mutating func part(_ name: String, _ value: String) -> ImportedRequest.Part {
    guard value.hasPrefix(bytes: "file,") else { return .init(name: name, value: foreign(value)) }
    let pieces = value.dropFirst(bytes: 5).split(ascii: ";", maxSplits: 1)
    let type = pieces.count > 1 ? String(pieces[1]).trimmed : ""
    return .init(
      name: name, value: foreign(String(pieces.first ?? "").trimmed), isFile: true,
      contentType: type.isEmpty ? nil : type)
  }

  // MARK: Bodies

  private static func beginsBody(_ line: String) -> Bool {
    if section(line) != nil { return false }
    return ["{", "[", "<", "`", "\"", "file,", "base64,", "hex,"].contains {
      line.hasPrefix(bytes: $0)
    } || isJSONValue(line)
  }

  /// Whether a line is a number, `true`, `false` or `null`, or a template alone, such as `{{id}}`.
  private static func isJSONValue(_ line: String) -> Bool {
    line.firstIndex(ascii: ":") == nil && JSONValue(number: line) != nil
      || ["true", "false", "null"].contains { line.equals(bytes: $0) }
  }

  private mutating func readBody(_ first: String) -> ImportedRequest.Body? {
    let start = number + 1
    if first.hasPrefix(bytes: "```") { return readFence(String(first.dropFirst(bytes: 3))) }
    if first.hasPrefix(bytes: "`") {
      number += 1
      return .text(foreign(String(first.dropFirst(bytes: 1).prefix(before: "`"))))
    }
    if first.hasPrefix(bytes: "file,") {
      number += 1
      return .file(foreign(String(first.dropFirst(bytes: 5).prefix(before: ";")).trimmed))
    }
    for encoding in ["base64", "hex"] where first.hasPrefix(bytes: encoding + ",") {
      var text = String(first.dropFirst(bytes: encoding.utf8.count + 1))
      while !text.contains(bytes: ";"), number + 1 < lines.count {
        number += 1
        text += lines[number]
      }
      number += 1
      return bytes(String(text.prefix(before: ";")), encoding, start)
    }
    if first.hasPrefix(bytes: "<") { return .text(readXML()) }
    return .json(readJSON())
  }

  /// A body of bytes, if they are a text.
  private mutating func bytes(
    _ text: String, _ encoding: String, _ line: Int
  ) -> ImportedRequest.Body? {
    let bytes = HurlBytes.decoded(text, encoding)
    if let bytes, let plain = String(validating: bytes, as: UTF8.self) {
      return .text(ForeignText(plain: plain))
    }
    report.refuse(
      line,
      "a body in \(encoding) that is not text is not translated; put it into a file for 'body.file'"
    )
    return nil
  }

  private mutating func readFence(_ language: String) -> ImportedRequest.Body? {
    if let end = language.firstRange(bytes: "```") {
      let text = ForeignText(String(language[..<end.lowerBound]), line: number + 1, &report)
      number += 1
      return .text(text)
    }
    number += 1
    let start = number
    var text: [String] = []
    while number < lines.count, !lines[number].contains(bytes: "```") {
      text.append(lines[number])
      number += 1
    }
    // Each line has its end, but for one that the fence closes.
    let last = number < lines.count ? lines[number].firstRange(bytes: "```") : nil
    let end = last.map { String(lines[number][..<$0.lowerBound]) } ?? ""
    let content = text.map { $0 + "\n" }.joined() + (end.trimmed.isEmpty ? "" : end)
    number += 1
    let words = language.split(ascii: ",").map { String($0).trimmed }
    switch words.first {
    case "json": return .json(ForeignText(lines: content, line: start + 1, &report))
    case "graphql": return graphQL(text, start)
    case "base64", "hex": return bytes(content, words[0], start)
    default: return .text(ForeignText(lines: content, line: start + 1, &report))
    }
  }

  /// A query, and the variables after a line `variables {`.
  private mutating func graphQL(_ lines: [String], _ start: Int) -> ImportedRequest.Body {
    let first = lines.lastIndex { line in
      line.hasPrefix(bytes: "variables")
        && line.dropFirst(bytes: 9).drop { $0.isWhitespace }.hasPrefix(bytes: "{")
    }
    func text(_ lines: [String], _ line: Int) -> ForeignText {
      var lines = lines
      while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      return ForeignText(lines: lines.joined(separator: "\n").trimmed, line: line, &report)
    }
    guard let first else { return .graphql(query: text(lines, start + 1), variables: nil) }
    var variables = Array(lines[first...])
    variables[0] = String(variables[0].dropFirst(bytes: 9))
    return .graphql(
      query: text(Array(lines[..<first]), start + 1), variables: text(variables, start + 1 + first))
  }

  /// Lines up to the one that closes all brackets.
  private mutating func readJSON() -> ForeignText {
    var text = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    let start = number
    while number < lines.count {
      for byte in lines[number].utf8 {
        if isEscaped {
          isEscaped = false
        } else if isInString {
          isEscaped = byte == UInt8(ascii: "\\")
          if byte == UInt8(ascii: "\"") { isInString = false }
        } else {
          switch byte {
          case UInt8(ascii: "\""): isInString = true
          case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
          case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
          default: break
          }
        }
      }
      text += (number == start ? "" : "\n") + lines[number]
      number += 1
      if depth <= 0 { break }
    }
    return ForeignText(lines: text.trimmed, line: start + 1, &report)
  }

  private mutating func readXML() -> ForeignText {
    let start = number
    var text: [String] = []
    while let line, Self.request(line) == nil, Self.response(line) == nil,
      Self.section(line) == nil
    {
      text.append(lines[number])
      number += 1
    }
    while text.last?.trimmed.isEmpty == true { text.removeLast() }
    return ForeignText(lines: text.joined(separator: "\n").trimmed, line: start + 1, &report)
  }
}

internal import PipelineByteText
internal import PipelineJSONText

/// Reads an `.http` file as JetBrains' HTTP client, VS Code's REST Client and Visual Studio write it.
struct HTTPFileReader {
  private var collection = ImportedCollection()
  private var report: ImportReport
  private let lines: [Substring]
  private var number = 0
  /// Whether the body of the request that is being read is a query of GraphQL.
  private var isGraphQL = false
  /// The variables that are defined above the line that is being read.
  private var scope = VariableScope()
  private var definitions = 0

  private let readCommands: ForeignCommands.Reader

  static func collection(
    of text: String, _ readCommands: @escaping ForeignCommands.Reader,
    _ report: inout ImportReport
  ) -> ImportedCollection {
    var reader = HTTPFileReader(text, readCommands, report)
    while reader.number < reader.lines.count { reader.readRequest() }
    report = reader.report
    return reader.collection
  }

  private init(
    _ text: String, _ readCommands: @escaping ForeignCommands.Reader, _ report: ImportReport
  ) {
    self.readCommands = readCommands
    lines = text.split(ascii: "\n", omittingEmptySubsequences: false).map {
      $0.hasSuffix(bytes: "\r") ? $0.dropLast(bytes: 1) : $0
    }
    self.report = report
  }

  private func isSeparator(_ line: Substring) -> Bool { line.hasPrefix(bytes: "###") }

  private static func isComment(_ line: String) -> Bool {
    line.hasPrefix(bytes: "#") || line.hasPrefix(bytes: "//")
  }

  /// Reads up to the next separator.
  private mutating func readRequest() {
    var request = ImportedRequest(line: number + 1)
    if number < lines.count, isSeparator(lines[number]) {
      let title = String(lines[number].dropFirst(bytes: 3)).trimmed
      request.title = title.isEmpty ? nil : title
      number += 1
    }
    guard readHead(&request) else { return }
    readHeaders(&request)
    request.completeURL(&report)
    readBody(&request)
    add(request)
  }

  private mutating func add(_ request: ImportedRequest) {
    collection.requests.append(request)
    let last = collection.requests.count - 1
    collection.requests[last].scope = scope.visible(to: request.texts)
  }

  /// Defines a variable for the requests below. Those above take the first definition.
  private mutating func define(_ variable: ImportedCollection.Variable) {
    if collection.variable(variable.name) == nil { collection.declare(variable) }
    definitions += 1
    scope.define(variable, at: definitions, .weak)
  }

  // MARK: The lines before the request

  /// Reads comments, variables and the request's line; `false` if there is no request.
  private mutating func readHead(_ request: inout ImportedRequest) -> Bool {
    while number < lines.count, !isSeparator(lines[number]) {
      let line = String(lines[number]).trimmed
      defer { number += 1 }
      if line.isEmpty { continue }
      if Self.isComment(line) {
        readDirective(line, &request)
      } else if line.hasPrefix(bytes: "@"), let (name, value) = Self.assignment(line.dropFirst()) {
        define(.init(name: name, value: ForeignText(value, line: number + 1, &report)))
      } else if line.hasPrefix(bytes: "< {%") || line.hasPrefix(bytes: "<{%") {
        report.refuse(number + 1, "the script that runs before the request is not translated")
        while number + 1 < lines.count, !lines[number].contains(bytes: "%}") { number += 1 }
      } else if ["import ", "run "].contains(where: line.hasPrefix(bytes:)) {
        report.refuse(
          number + 1, "'\(String(line.prefix(60)))' names requests of other files; name those files"
        )
      } else if line.hasPrefix(bytes: "curl ") {
        readCommand(request)
        return false
      } else {
        readRequestLine(line, &request)
        return !request.url.isEmpty
      }
    }
    return false
  }

  /// Reads a request that is written as a curl command, up to the last line before the next
  /// separator.
  ///
  /// - Parameter head: What the lines before the command say.
  private mutating func readCommand(_ head: ImportedRequest) {
    let start = number
    while number < lines.count, !isSeparator(lines[number]), !Self.isHandler(lines[number]) {
      number += 1
    }
    let text = lines[start..<number].joined(separator: "\n")
    var requests = readCommands(ForeignCommands.marked(text), start + 1, &report)
    for index in requests.indices {
      requests[index].name = index == 0 ? head.name : nil
      requests[index].title = head.title
      requests[index].timeout = head.timeout
      requests[index].followsRedirects = head.followsRedirects
      // A placeholder may be outside of quotes.
      let type = requests[index].headers.first { $0.name.equalsIgnoringASCIICase("content-type") }
      if case .text(let text)? = requests[index].body,
        type?.value.plain?.contains(bytes: "json") == true
      {
        requests[index].body = .json(text)
      }
    }
    var last = requests.popLast() ?? head
    let isRead = !last.url.isEmpty
    while number < lines.count, !isSeparator(lines[number]) {
      if lines[number].hasPrefix(bytes: ">") {
        readHandler(&last)
      } else {
        number += 1
      }
    }
    number -= 1
    for request in requests { add(request) }
    if isRead { add(last) }
  }

  private static func assignment(_ text: Substring) -> (name: String, value: String)? {
    guard let equals = text.firstIndex(ascii: "=") else { return nil }
    let name = String(text[..<equals]).trimmed
    return name.isEmpty ? nil : (name, String(text[equals...].dropFirst()).trimmed)
  }

  private mutating func readDirective(_ comment: String, _ request: inout ImportedRequest) {
    let text = String(comment.drop { $0 == "#" || $0 == "/" }).trimmed
    guard text.hasPrefix(bytes: "@") else { return }
    let words = text.dropFirst().split { $0.isWhitespace || $0 == "=" }.map(String.init)
    switch words.first {
    case "name": if words.count > 1 { request.name = words[1] }
    case "no-redirect": request.followsRedirects = false
    // What a person is asked for is an input anyway.
    case "prompt": break
    case "timeout" where words.count > 1:
      // `30`, `2 m` or `100 ms`.
      let units: [String: Double] = ["ms": 0.001, "m": 60]
      let unit = units[words.count > 2 ? words[2] : ""] ?? 1
      request.timeout = Double(words[1]).map { $0 * unit }
    case "note", "no-log", "no-cookie-jar", "connection-timeout", "title":
      report.approximate(number + 1, "'@\(words[0])' has no effect here")
    default:
      report.approximate(number + 1, "'@\(words.first ?? "")' is not known, and has no effect here")
    }
  }

  private mutating func readRequestLine(_ line: String, _ request: inout ImportedRequest) {
    request = ImportedRequest(
      name: request.name, title: request.title, line: number + 1,
      followsRedirects: request.followsRedirects, timeout: request.timeout)
    var text = line
    if let version = text.firstRange(bytes: " HTTP/") { text = String(text[..<version.lowerBound]) }
    let words = text.split(ascii: " ", maxSplits: 1)
    if words.count == 2, Self.methods.contains(words[0].uppercased()) {
      request.method = words[0].uppercased()
      text = String(words[1]).trimmed
    } else if words.count == 2, words[0].utf8.allSatisfy({ $0 &- 0x41 < 26 }) {
      return report.refuse(number + 1, ImportedRequest.refusal(ofMethod: String(words[0])))
    }
    isGraphQL = request.method == "GRAPHQL"
    if isGraphQL { request.method = "POST" }
    if ["GRPC", "WEBSOCKET", "RSOCKET"].contains(request.method) {
      return report.refuse(number + 1, "\(request.method) is not HTTP")
    }
    // Further lines of the URL are indented.
    while number + 1 < lines.count, let first = lines[number + 1].first, first.isWhitespace,
      !String(lines[number + 1]).trimmed.isEmpty
    {
      number += 1
      let line = String(lines[number]).trimmed
      if !Self.isComment(line) { text += line }
    }
    let isURL =
      text.contains(bytes: "://")
      || ["/", "{{", "localhost"].contains { text.hasPrefix(bytes: $0) }
    guard isURL || text.firstIndex(ascii: " ") == nil && text.contains(bytes: ".") else {
      return report.refuse(number + 1, "'\(String(text.prefix(60)))' is not a request")
    }
    request.url = ForeignText(text, line: number + 1, &report)
  }

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    "GRAPHQL", "GRPC", "WEBSOCKET", "RSOCKET",
  ]

  private mutating func readHeaders(_ request: inout ImportedRequest) {
    while number < lines.count, !isSeparator(lines[number]) {
      let line = String(lines[number]).trimmed
      guard !line.isEmpty else { return }
      defer { number += 1 }
      if Self.isComment(line) { continue }
      guard let colon = line.firstIndex(ascii: ":") else {
        report.refuse(number + 1, "'\(line)' is not a header")
        continue
      }
      let value = String(line[line.utf8.index(after: colon)...]).trimmed
      request.headers.append(
        (String(line[..<colon]).trimmed, ForeignText(value, line: number + 1, &report)))
    }
  }

  // MARK: The lines after it

  private mutating func readBody(_ request: inout ImportedRequest) {
    var body: [Substring] = []
    var start = number + 1
    while number < lines.count, !isSeparator(lines[number]) {
      let line = lines[number]
      if body.isEmpty { start = number + 1 }
      if Self.isHandler(line) {
        if line.hasPrefix(bytes: ">") {
          readHandler(&request)
        } else {
          number += 1
        }
        continue
      }
      body.append(line)
      number += 1
    }
    while body.first?.allSatisfy(\.isWhitespace) == true {
      body.removeFirst()
      start += 1
    }
    while body.last?.allSatisfy(\.isWhitespace) == true { body.removeLast() }
    guard !body.isEmpty else { return }
    let graphQLHeader = request.headers.firstIndex { header in
      header.name.equalsIgnoringASCIICase("x-request-type")
        && header.value.plain?.equalsIgnoringASCIICase("graphql") == true
    }
    if let graphQLHeader { request.headers.remove(at: graphQLHeader) }
    let text = body.joined(separator: "\n")
    var reader = HTTPBody(text, line: start, report)
    request.body =
      isGraphQL || graphQLHeader != nil ? reader.graphQL(text) : reader.body(text, of: request)
    report = reader.report
  }

  /// Whether a line is about the response.
  private static func isHandler(_ line: Substring) -> Bool {
    ["> ", ">>", "<> "].contains { line.hasPrefix(bytes: $0) }
  }

  /// `> {% … %}`, `> file.js`, `>> file`.
  private mutating func readHandler(_ request: inout ImportedRequest) {
    let start = number
    let line = lines[number]
    number += 1
    guard line.hasPrefix(bytes: "> "), let open = line.firstRange(bytes: "{%") else {
      let what =
        line.hasPrefix(bytes: ">>") ? "the file for the response; write 'save'" : "a script"
      report.refuse(start + 1, "'\(line)' names \(what)")
      return
    }
    var script = [line[open.upperBound...]]
    while !script[script.count - 1].contains(bytes: "%}"), number < lines.count,
      !isSeparator(lines[number])
    {
      script.append(lines[number])
      number += 1
    }
    let text = script.joined(separator: "\n")
    let end = text.firstRange(bytes: "%}")?.lowerBound ?? text.endIndex
    var reader = ScriptReader()
    reader.read(String(text[..<end]), into: &request, line: { start + 1 + $0 }, &report)
  }
}

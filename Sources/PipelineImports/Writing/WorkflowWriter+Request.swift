internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

extension WorkflowWriter {
  typealias Field = (name: String, value: ForeignText)

  /// The members of a step after its name.
  mutating func settings(of request: ImportedRequest) -> [JSONValue.Member] {
    var step: [JSONValue.Member] = []
    let (address, query) = Self.query(of: request.url)
    var endpoint = request.method + " " + endpoint(address, request.line)
    var fields: [Field] = []
    switch query {
    case .fields(let found)?: fields = found
    case .written(let text)?: endpoint += "?" + written(text, request.line)
    case nil: break
    }
    step.append(.init("endpoint", .string(endpoint)))
    var headers = Self.sent(request.headers)
    for (name, _) in headers where !name.utf8.allSatisfy(Self.headerName.contains) {
      report.refuse(request.line, "'\(name)' is not the name of a header")
    }
    headers.removeAll { !$0.name.utf8.allSatisfy(Self.headerName.contains) }
    let auth = request.auth ?? takeAuthorization(&headers, request.line)
    let body = request.body.flatMap { self.body($0, &headers, request.line) }
    add("query", fields + request.query, to: &step, request.line)
    add("headers", headers, to: &step, request.line)
    addCookies(request.cookies, to: &step, request.line)
    if let auth { step.append(.init("auth", self.auth(auth, request.line))) }
    if let body { step.append(.init("body", body)) }
    if let timeout = request.timeout, (0.001..<1e6).contains(timeout) {
      let milliseconds = Int((timeout * 1000).rounded())
      let text = milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
      step.append(.init("timeout", .string(text)))
    }
    if let limit = request.followsRedirects ? request.redirectLimit : 0 {
      step.append(.init("redirects", JSONValue(limit)))
    }
    for status in request.statuses where !(100...599).contains(status) {
      report.refuse(request.line, "no response has the status \(status)")
    }
    if let expectation = expectation(of: request) {
      step.append(.init("expect", expectation))
    }
    if let pages = request.pages { step.append(.init("paginate", pages.json)) }
    if let (until, every, attempts) = request.poll {
      var poll: [JSONValue.Member] = [.init("until", .string(Self.escaped(until)))]
      if every >= 0.1 {
        let milliseconds = min(Int(every * 1000), 600_000)
        poll.append(.init("every", .string("\(milliseconds)ms")))
      }
      if let attempts { poll.append(.init("attempts", JSONValue(attempts))) }
      step.append(.init("poll", .object(poll)))
    }
    return step
  }

  // MARK: Headers and fields

  /// The characters of a header's name (RFC 9110 §5.6.2).
  private static let headerName = ASCIISet.letters.union(.digits).union(
    ASCIISet("!#$%&'*+-.^_`|~"))

  /// The headers that an author sends. The others belong to each request itself.
  private static func sent(_ headers: [Field]) -> [Field] {
    let own = ["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]
    return headers.filter { !own.contains($0.name.lowercased()) }
  }

  mutating func value(_ text: ForeignText, _ line: Int) -> JSONValue {
    .string(template(text, line: line))
  }

  /// The value of a header, a parameter or a field.
  mutating func value(_ text: ForeignText, of name: String, _ line: Int) -> JSONValue {
    let isCredential =
      text.isCredential || CredentialNames.isField(name) || CredentialNames.isHeader(name)
      || name.equalsIgnoringASCIICase("cookie")
      || text.plain.map { CredentialNames.isShape(Array($0.utf8)) } == true
    if isCredential, !text.isEmpty { return secret(name, text, line) }
    if name.equalsIgnoringASCIICase("referer") { return referrer(text, line) }
    return .string(template(text, line: line))
  }

  /// Adds a map. Values of one name become a list.
  mutating func add(
    _ key: String, _ fields: [Field], to members: inout [JSONValue.Member], _ line: Int
  ) {
    guard !fields.isEmpty else { return }
    var map: [(name: String, values: [JSONValue])] = []
    for field in fields {
      let isCredential =
        key.equals(bytes: "headers") && CredentialNames.isLikelyHeader(field.name)
        && !field.value.isEmpty
      let value =
        isCredential
        ? secret(field.name, field.value, line) : value(field.value, of: field.name, line)
      if let index = map.firstIndex(where: { $0.name == field.name }) {
        if index < map.count - 1 {
          report.approximate(line, "the values of '\(field.name)' are sent one after another")
        }
        map[index].values.append(value)
      } else {
        map.append((field.name, [value]))
      }
    }
    members.append(
      .init(
        key,
        .object(map.map { .init($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) })
      ))
  }

  // MARK: Expectation

  /// A text that stands for itself in a template.
  static func escaped(_ text: String) -> String { text.replacing(bytes: "{{", with: "{{{{") }

  private mutating func expectation(of request: ImportedRequest) -> JSONValue? {
    var members: [JSONValue.Member] = []
    let statuses = request.statuses.filter((100...599).contains)
    if let first = statuses.first {
      let list = statuses.map { JSONValue($0) }
      members.append(.init("status", list.count == 1 ? JSONValue(first) : .array(list)))
    } else if request.acceptsAnyStatus {
      members.append(.init("status", ["2xx", "3xx", "4xx", "5xx"]))
    } else if !request.followsRedirects {
      members.append(.init("status", ["2xx", "3xx"]))
    }
    for case .variable(let name) in request.variableConditions.flatMap(\.parts) {
      compareAsNumber(name, request.line)
    }
    let conditions =
      request.conditions.map(Self.escaped)
      + request.variableConditions.map { template($0, line: request.line) }
    if !conditions.isEmpty {
      members.append(.init("where", .array(conditions.map { .string($0) })))
    }
    if let type = request.contentType { members.append(.init("contentType", .string(type))) }
    return members.isEmpty ? nil : .object(members)
  }

  /// Gives an input the type of its value, because a condition converts nothing.
  private mutating func compareAsNumber(_ variable: String, _ line: Int) {
    guard let plain = collection.variable(variable)?.value?.plain,
      JSONValue(number: plain) != nil || ["true", "false", "null"].contains(plain)
    else { return }
    let text = template(ForeignText(parts: [.variable(variable)]), line: line)
    guard text.hasPrefix(bytes: "{{inputs.") else { return }
    inputs.markRaw(String(text.dropFirst(bytes: 9).prefix(before: "}")))
  }
}

import PipelineJSONText
import PipelineKit
import PipelineTesting

/// The suite's client: sends the requests of one test through the cache, and looks at the answers
/// and at what the server has seen.
struct CacheSuiteClient {
  /// An answer as a step sees it.
  private struct Response {
    let status: Int
    let body: String
    let headers: [String: String]

    subscript(_ name: String) -> String? { headers[name.lowercased()] }
    var number: Int? { self["Server-Request-Count"].flatMap { Int($0) } }
  }

  private let id: String
  private let requests: [JSONNode]
  private let clock = ManualClock()
  private let cache = MemoryResponseCache()
  private let server: CacheSuiteServer

  init(_ id: String, _ requests: [JSONNode]) {
    self.id = id
    self.requests = requests
    server = CacheSuiteServer(requests, clock: clock)
  }

  func run() async throws {
    var responses: [Response] = []
    for (index, request) in requests.enumerated() {
      let response = try await send(request, index + 1, after: responses.last)
      try check(response, request, index + 1)
      responses.append(response)
      if request["pause_after"]?.boolean == true { clock.advance(by: .seconds(3)) }
    }
    try checkServer(responses)
  }

  // MARK: Sending

  private func send(
    _ request: JSONNode, _ number: Int, after previous: Response?
  ) async throws -> Response {
    var options = RunOptions()
    options.cache = cache
    options.clock = clock
    let server = server
    let id = id
    let transport = ScriptedTransport { server.answer($0, body: id) }
    let pipeline = try Pipeline(
      workflow(request, number, after: previous), transport: transport, options: options)
    let result = try await pipeline.run().result
    // The suite expects a gateway, which answers with a status of its own.
    if request["disconnect"]?.boolean == true, result.status == .failed {
      return Response(status: 504, body: "", headers: [:])
    }
    guard result.status == .succeeded else {
      throw CacheSuite.Failure(
        result.report.failures.first?.failure.message ?? "\(result.status)")
    }
    let step = result.outputs.node["r"]
    let headers = step?["headers"]?.members.map { ($0.name, $0.value.string ?? $0.value.text) }
    return Response(
      status: step?["status"]?.number?.int ?? 0, body: step?["body"]?.string ?? "",
      headers: Dictionary(headers ?? [], uniquingKeysWith: { $1 }))
  }

  private func workflow(_ request: JSONNode, _ number: Int, after previous: Response?) -> String {
    var url = "https://cache.test/test/\(id)"
    if let name = request["filename"]?.string { url += "/" + name }
    if let query = request["query_arg"]?.string { url += "?" + query }
    var fields: [(name: String, values: [String])] = [
      ("Test-ID", [id]), ("Req-Num", ["\(number)"]),
    ]
    let now = (previous?["Server-Now"].flatMap { Double($0) } ?? 0) / 1000
    for pair in request["request_headers"]?.elements ?? JSONValue.null.node.elements {
      let field = CacheSuite.header(pair, in: request, now: now, base: "")
      if let place = fields.firstIndex(where: { $0.name.lowercased() == field.name.lowercased() }) {
        fields[place].values.append(field.value)
      } else {
        fields.append((field.name, [field.value]))
      }
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("endpoint")
    writer.string((request["request_method"]?.string ?? "GET") + " " + url)
    writer.name("headers")
    writer.beginObject()
    for field in fields {
      writer.name(field.name)
      writer.beginArray()
      for value in field.values { writer.string(value) }
      writer.endArray()
    }
    writer.endObject()
    if let body = request["request_body"]?.string {
      writer.name("body")
      writer.beginObject()
      writer.name("text")
      writer.string(body)
      writer.endObject()
    }
    if request["redirect"]?.string == "manual" {
      writer.name("redirects")
      writer.integer(0)
    }
    writer.endObject()
    let members = String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
    return """
      {"defaults": {"cache": true}, "steps": [{"id": "r", \(members), "retry": {"attempts": 1},
        "expect": {"status": ["1xx", "2xx", "3xx", "4xx", "5xx"]},
        "extract": {"status": {"status": true}, "headers": {"headers": true},
                    "body": {"text": true, "optional": true}}}],
       "outputs": {"r": "{{r}}"}}
      """
  }

  // MARK: Answers

  private func expect(_ holds: Bool, _ reason: @autoclosure () -> String) throws {
    if !holds { throw CacheSuite.Failure(reason()) }
  }

  private func check(_ response: Response, _ request: JSONNode, _ number: Int) throws {
    switch request["expected_type"]?.string {
    case "cached":
      let isBare = response.status == 304 && response.number == nil
      try expect(
        isBare || response.number.map { $0 < number } == true, "answer \(number) was not cached")
    case "not_cached":
      try expect(response.number == number, "answer \(number) came from the cache")
    default: break
    }
    if let status = request["expected_status"] ?? request["response_status"]?.element(0) {
      if let status = status.number?.int {
        try expect(response.status == status, "answer \(number) has status \(response.status)")
      }
    } else {
      try expect(response.status == 200, "answer \(number) has status \(response.status)")
    }
    try checkHeaders(response, request, number)
    try checkBody(response, request, number)
  }

  private func checkHeaders(_ response: Response, _ request: JSONNode, _ number: Int) throws {
    let base = response["Server-Base-Url"] ?? ""
    let now = (response["Server-Now"].flatMap { Double($0) } ?? 0) / 1000
    for header in request["expected_response_headers"]?.elements ?? JSONValue.null.node.elements {
      let name = header.string ?? header.element(0)?.string ?? ""
      let value = response[name]
      try expect(value != nil, "answer \(number) lacks \(name)")
      guard header.string == nil else { continue }
      let isAsExpected: Bool
      switch header.count > 2 ? header.element(1)?.string : nil {
      case "=": isAsExpected = value == header.element(2)?.string.flatMap { response[$0] }
      case ">":
        isAsExpected = (value.flatMap { Int($0) } ?? 0) > header.element(2)?.number?.int ?? 0
      default:
        isAsExpected = value == CacheSuite.header(header, in: request, now: now, base: base).value
      }
      try expect(isAsExpected, "answer \(number) has \(name): \(value ?? "")")
    }
    for header in request["expected_response_headers_missing"]?.elements
      ?? JSONValue.null.node.elements
    {
      guard let name = header.string else { continue }
      try expect(response[name] == nil, "answer \(number) has \(name)")
    }
  }

  private func checkBody(_ response: Response, _ request: JSONNode, _ number: Int) throws {
    if request["check_body"]?.boolean == false { return }
    let expected: String
    if let text = request["expected_response_text"] {
      guard let text = text.string else { return }
      expected = text
    } else if let text = request["response_body"]?.string {
      expected = text
    } else if [204, 304].contains(response.status) || request["request_method"]?.string == "HEAD" {
      return
    } else {
      expected = id
    }
    try expect(response.body == expected, "answer \(number) has the body '\(response.body)'")
  }

  // MARK: What the server saw

  private func checkServer(_ responses: [Response]) throws {
    var arrived = server.seen[...]
    for (index, request) in requests.enumerated() {
      let number = index + 1
      let type = request["expected_type"]?.string
      if type == "cached" { continue }
      let seen = arrived.popFirst()
      if type == "not_cached" {
        try expect(seen?.number == number, "request \(number) was not sent")
      }
      let conditions = ["etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since"]
      if let field = type.flatMap({ conditions[$0] }) {
        try expect(seen?.value(field) != nil, "request \(number) lacks \(field)")
      }
      try checkRequest(seen, request, number)
      for field in seen?.answered ?? []
      where !["date", "set-cookie"].contains(field.name.lowercased()) {
        let stated = seen?.answered.value(field.name)
        try expect(
          responses[index][field.name] == stated,
          "answer \(number) has \(field.name): \(responses[index][field.name] ?? "none")")
      }
      if let method = request["expected_method"]?.string {
        try expect(seen?.method == method, "request \(number) has method \(seen?.method ?? "none")")
      }
    }
  }

  private func checkRequest(
    _ seen: CacheSuiteServer.Seen?, _ request: JSONNode, _ number: Int
  ) throws {
    for (key, isWanted) in [
      ("expected_request_headers", true), ("expected_request_headers_missing", false),
    ] {
      for header in request[key]?.elements ?? JSONValue.null.node.elements {
        let name = header.string ?? header.element(0)?.string ?? ""
        let value = seen?.value(name)
        let isThere = header.string == nil ? value == header.element(1)?.string : value != nil
        try expect(isThere == isWanted, "request \(number) has \(name): \(value ?? "none")")
      }
    }
  }
}

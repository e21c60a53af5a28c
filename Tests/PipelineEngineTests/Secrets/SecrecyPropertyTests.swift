import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineSourceText
import PipelineTestSupport
import PipelineTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Random secrets go through every position of a request and come back in every part of an answer;
/// nothing that the run tells holds one of them, in whatever form.
@Suite struct SecrecyPropertyTests {
  private static let api = "https://api.example"

  /// Every place where a template stands, with the same secret in each.
  private static let workflow = """
    {"inputs": {"s": {"type": "string", "secret": true}, "plain": {"type": "string"},
     "u": {"secret": true}},
     "defaults": {"baseURL": "\(api)", "onError": "recover"},
     "steps": [
      {"id": "path", "endpoint": "GET /echo/{{inputs.s}}", "extract": {"all": "$"}},
      {"id": "part", "endpoint": "GET /echo/x?q={{inputs.s}}", "extract": {"all": "$"}},
      {"id": "query", "endpoint": "GET /echo", "query": {"q": "{{inputs.s}}", "l": ["a {{inputs.s}}"]},
       "extract": {"all": "$", "u": {"url": true}, "t": {"text": true}}},
      {"id": "header", "endpoint": "GET /echo", "headers": {"X-A": "{{inputs.s}}", "X-B": "k={{inputs.s}}"},
       "extract": {"all": "$", "h": {"header": "x-echo"}}},
      {"id": "cookie", "endpoint": "GET /echo", "cookies": {"c": "{{inputs.s}}"}, "extract": {"all": "$"}},
      {"id": "bearer", "endpoint": "GET /echo", "auth": {"bearer": "{{inputs.s}}"}, "extract": {"all": "$"}},
      {"id": "basic", "endpoint": "GET /echo", "auth": {"basic": {"user": "me", "password": "{{inputs.s}}"}},
       "extract": {"all": "$"}},
      {"id": "json", "endpoint": "POST /echo", "body": {"json": {"a": ["{{inputs.s}}", "x{{inputs.s}}"]}},
       "extract": {"all": "$"}},
      {"id": "form", "endpoint": "POST /echo", "body": {"form": {"a": "{{inputs.s}}"}}, "extract": {"all": "$"}},
      {"id": "text", "endpoint": "POST /echo", "body": {"text": "{{inputs.s}}"}, "extract": {"all": "$"}},
      {"id": "encoded", "endpoint": "POST /echo", "body": {"json": {"b": {"$base64": "ab{{inputs.s}}"}}},
       "extract": {"all": "$"}},
      {"id": "encodedQuery", "endpoint": "GET /fail", "query": {"b": {"$base64": "a{{inputs.s}}"},
       "j": {"$json": {"k": "{{inputs.s}}"}}, "n": {"$base64": "{{inputs.s}}"}}},
      {"id": "multipart", "endpoint": "POST /echo",
       "body": {"multipart": [{"name": "a", "value": "{{inputs.s}}"}]}, "extract": {"all": "$"}},
      {"id": "values", "values": {"v": {"k": ["{{inputs.s}}"]}, "w": "<{{inputs.s}}>", "p": "{{inputs.plain}}"}},
      {"id": "carry", "endpoint": "GET /echo", "extract": {"v": {"value": "{{inputs.s}}"}, "ok": "$.url"}},
      {"id": "each", "forEach": ["{{inputs.s}}", "two"], "onItemError": "collect",
       "endpoint": "GET /fail/{{item}}", "extract": {"all": "$"}},
      {"id": "fail", "endpoint": "GET /fail/{{inputs.s}}", "extract": {"all": "$"}},
      {"id": "typed", "endpoint": "GET /echo/{{inputs.s}}", "extract": {"x": {"body": "$.url", "type": "integer"}}},
      {"id": "typedText", "endpoint": "GET /echo/{{inputs.s}}", "extract": {"x": {"text": true, "type": "integer"}}},
      {"id": "missing", "endpoint": "POST /names", "body": {"text": "{{inputs.s}}"}, "extract": {"x": "$.nothing"}},
      {"id": "expect", "endpoint": "GET /echo/{{inputs.s}}",
       "expect": {"where": ["@.body.url == 'no'", "@.text == {{inputs.s}}"]}},
      {"id": "message", "endpoint": "GET /echo",
       "expect": {"where": [{"that": "@.status == 1", "message": "no: {{inputs.s}}"}]}},
      {"id": "judged", "values": {"v": "{{inputs.s}}"}, "expect": {"where": ["@.v == 'other'"]}},
      {"id": "host", "endpoint": "GET https://{{inputs.s}}/x"},
      {"id": "start", "endpoint": "GET {{inputs.s}}"},
      {"id": "number", "forEach": {"from": 1, "to": "{{inputs.u}}"}, "values": {"x": 1}},
      {"id": "file", "endpoint": "POST /echo", "body": {"file": "{{inputs.s}}"}},
      {"id": "redirected", "endpoint": "GET /redirect/{{inputs.s}}", "redirects": 2},
      {"id": "circle", "endpoint": "GET /echo/{{inputs.s}}", "paginate": {"next": "$.url", "maxPages": 5}},
      {"id": "broken", "endpoint": "GET /broken/{{inputs.s}}", "retry": {"attempts": 2, "delay": "1ms"}},
      {"id": "bad", "endpoint": "GET /bad/{{inputs.s}}", "extract": {"x": "$.x"}}
     ],
     "outputs": {
      "path": "{{path}}", "part": "{{part}}", "query": "{{query}}", "header": "{{header}}", "cookie": "{{cookie}}",
      "bearer": "{{bearer}}", "basic": "{{basic}}", "json": "{{json}}", "form": "{{form}}", "text": "{{text}}",
      "encoded": "{{encoded}}", "multipart": "{{multipart}}", "values": "{{values}}", "carry": "{{carry}}",
      "each": "{{each}}", "eachError": "{{each.error}}", "fail": "{{fail}}", "typed": "{{typed}}",
      "expect": "{{expect.error.message}}", "message": "{{message.error}}", "judged": "{{judged}}",
      "mixed": "it is {{inputs.s}}", "self": "{{inputs.s}}", "all": "$.inputs", "start": "{{start}}",
      "missing": "{{missing}}", "circle": "{{circle}}", "broken": "{{broken}}", "bad": "{{bad}}",
      "member": {"$json": {"k": "{{inputs.s}}"}}, "plain": "{{values.p}}"}}
    """

  /// Sends back all that it was sent, in several forms.
  private static func answer(_ request: TransportRequest) -> ScriptedTransport.Answer {
    var sent = "\(request.method) \(request.url)"
    for header in request.headers { sent += "\n\(header.name): \(header.value)" }
    switch request.body {
    case .bytes(let bytes): sent += "\n" + String(decoding: bytes, as: UTF8.self)
    case .multipart(let parts):
      for part in parts {
        if case .bytes(let bytes) = part.content { sent += String(decoding: bytes, as: UTF8.self) }
      }
    case .none, .file: break
    }
    // Fields hold a secret as it is; of one that is percent-encoded and then in base64 nothing is
    // promised.
    let fields = request.headers.map(\.value).joined(separator: "\n")
    let encoded = ["", "x", "xy"].map { Data(($0 + fields).utf8).base64EncodedString() }
    let echo: JSONValue = [
      "url": .string(request.url), "sent": .string(sent),
      "base64": .array(encoded.map { .string($0) }),
      "list": [.string(sent)],
    ]
    let path = request.url.dropFirst(api.count)
    if path.hasPrefix("/fail") { return .json(echo, status: 500) }
    if path.hasPrefix("/redirect") {
      return .status(302, headers: [HeaderField("Location", request.url)])
    }
    if path.hasPrefix("/broken") {
      return .failure(TransportError(.connection, "cannot connect for \(request.url)"))
    }
    if path.hasPrefix("/bad") { return .text("{" + sent, type: "application/json") }
    if path.hasPrefix("/names"), case .bytes(let bytes) = request.body {
      let name = String(decoding: bytes, as: UTF8.self)
      return .json(.object([.init(name, 1), .init(name + "x", 2)]))
    }
    guard case .response(var response) = ScriptedTransport.Answer.json(echo) else {
      return .status(500)
    }
    response.headers.append(
      HeaderField("X-Echo", request.headers.map(\.value).joined(separator: ",")))
    return .response(response)
  }

  /// A secret of a kind: plain ones are also looked for in parts.
  private static func secret(_ generator: inout SeededGenerator) -> (text: String, isPlain: Bool) {
    let plain = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    let wild = plain + Array("+/=%&?# \"\\'<>;:,~^|{}[]()!*@$äß€中é")
    let isPlain = Bool.random(using: &generator)
    let count = Int.random(in: isPlain ? 24...60 : 6...40, using: &generator)
    let alphabet = isPlain ? plain : wild
    return (
      String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "x" }), isPlain
    )
  }

  /// The forms in which a secret may be told by accident, worked out without the code under test.
  private static func forms(_ secret: String, _ isPlain: Bool) -> [String] {
    let escaped = secret.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let percent = secret.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    var forms = [secret, String(escaped), percent, percent.replacing("%20", with: "+")]
    for offset in 0..<3 {
      let text = Data([UInt8](repeating: 0, count: offset) + Array(secret.utf8))
        .base64EncodedString()
      let inner = String(
        text.dropFirst(offset == 0 ? 0 : offset + 1).prefix(secret.utf8.count * 4 / 3 - 3))
      let inQuery = inner.replacing("+", with: "%2B").replacing("/", with: "%2F")
      forms += [inner, inQuery]
      forms.append(inner.replacing("+", with: "-").replacing("/", with: "_"))
    }
    if isPlain {
      // A part that a cut message leaves is as bad as the whole.
      let characters = Array(secret)
      for start in stride(from: 0, to: characters.count - 10, by: 2) {
        forms.append(String(characters[start..<(start + 10)]))
      }
    }
    return forms
  }

  @Test(arguments: 1...LongTests.count(10, long: 40))
  func nothingToldHoldsASecret(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (secret, isPlain) = Self.secret(&generator)
    let plan = try plan(Self.workflow)
    let clock = SystemClock()
    var options = RunOptions()
    options.clock = clock
    let transport = ScriptedTransport { request in Self.answer(request) }
    let run = Pipeline(plan, transport: transport, options: options)
      .run(inputs: ["s": .string(secret), "plain": "for all to see", "u": .string(secret)])
    var told: [(place: String, text: String)] = []
    for await event in run.events() {
      var writer = JSONWriter(style: .compact)
      event.write(to: &writer)
      told.append(("event", String(decoding: writer.bytes, as: UTF8.self)))
    }
    let report = try await run.result.report
    told.append(("outputs", report.outputs.text))
    for failed in report.failures {
      told.append((failed.step, failed.failure.message))
      told.append((failed.step, failed.failure.hints.joined(separator: "\n")))
      told.append((failed.step, failed.failure.excerpt ?? ""))
      told.append((failed.step, failed.failure.request?.url ?? ""))
    }
    for form in Self.forms(secret, isPlain) {
      for (place, text) in told where text.contains(form) {
        Issue.record("\(place) tells '\(form)' of '\(secret)': \(text.prefix(1500))")
        return
      }
    }
    // The test would be worth nothing if nothing was sent, or everything was hidden.
    #expect(transport.requests.count > 15)
    #expect(report.outputs["plain"]?.string == "for all to see")
    let sent = transport.requests.contains { request in
      request.headers.contains { $0.value == secret }
    }
    #expect(sent || !isPlain)
  }
}

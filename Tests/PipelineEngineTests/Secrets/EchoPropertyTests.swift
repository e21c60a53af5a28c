import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import PipelineTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server sends a secret back, encoded as some program would, in each part of an answer to a step
/// that then fails. Nothing that is said of it holds the secret, nor does what a reader decodes of it.
@Suite struct EchoPropertyTests {
  private typealias Encoding = @Sendable (String) -> String

  private static func hexadecimal(_ value: some BinaryInteger, _ digits: Int, upper: Bool) -> String
  {
    let text = String(Int(value), radix: 16, uppercase: upper)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// JSON in which each scalar that is `escaped` is `\u…`.
  private static func json(
    _ text: String, upper: Bool = false, slash: Bool = false, escaped: (Unicode.Scalar) -> Bool
  ) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"" where !escaped(scalar): "\\\""
      case "\\" where !escaped(scalar): "\\\\"
      case "\n" where !escaped(scalar): "\\n"
      case "/" where slash: "\\/"
      case _ where escaped(scalar) || scalar.value < 0x20:
        String(scalar).utf16.map { "\\u" + hexadecimal($0, 4, upper: upper) }.joined()
      default: String(scalar)
      }
    }.joined()
  }

  private static func percent(
    _ text: String, upper: Bool = true, form: Bool = false, all: Bool = false
  )
    -> String
  {
    text.utf8.map { byte in
      let isPlain = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2D || byte == 0x5F
      if form, byte == 0x20 { return "+" }
      return isPlain && !all
        ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte, 2, upper: upper)
    }.joined()
  }

  private static func base64(_ text: String, before: String = "") -> String {
    Data((before + text).utf8).base64EncodedString()
  }

  private static let python: Encoding = { json($0) { $0.value > 0x7E } }

  private static let encodings: [(name: String, encode: Encoding)] = [
    ("as it is", { json($0) { _ in false } }), ("Python", python),
    ("PHP", { json($0, slash: true) { $0.value > 0x7E } }),
    ("Go", { json($0) { "<>&".unicodeScalars.contains($0) } }),
    (
      ".NET",
      { json($0, upper: true) { "\"<>&+'`".unicodeScalars.contains($0) || $0.value > 0x7E } }
    ),
    ("all of it", { json($0) { _ in true } }),
    ("percent", { percent($0) }), ("percent, lower case", { percent($0, upper: false) }),
    ("percent, all", { percent($0, all: true) }), ("form", { percent($0, form: true) }),
    ("percent twice", { percent(percent($0)) }), ("percent in JSON", { percent(python($0)) }),
    ("base64", { base64($0) }), ("base64, one further", { base64($0, before: "x") }),
    ("base64, two further", { base64($0, before: "xy") }),
    ("base64 of JSON", { base64(json($0, upper: true) { $0.value > 0x40 }, before: "{\"a\":\"") }),
    ("base64 of percent", { base64(percent($0)) }),
    ("base64 in a URL", { percent(base64($0)) }),
    (
      "base64url",
      {
        base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      }
    ),
    (
      "base64 in lines",
      { base64($0).enumerated().map { $0 % 20 == 19 ? "\($1)\\n" : "\($1)" }.joined() }
    ),
    (
      "HTML",
      { text in
        json(text) { _ in false }.unicodeScalars.map {
          $0.value > 0x7E || "<>&'".unicodeScalars.contains($0) ? "&#\($0.value);" : String($0)
        }.joined()
      }
    ),
  ]

  private static func secret(_ generator: inout SeededGenerator) -> String {
    let plain = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    let wild = plain + Array("+/=%&?# \"\\'<>;:,~^|{}[]()!*@$äß€中é😀🔑\n")
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return String(Int.random(in: 100_000...Int.max, using: &generator))
    case 1:
      // As long as a key, of several lines.
      return (0..<66).map { _ in
        String((0..<64).map { _ in plain.randomElement(using: &generator) ?? "x" })
      }.joined(separator: "\n")
    case 2: return String((0..<24).map { _ in plain.randomElement(using: &generator) ?? "x" })
    default:
      return "k"
        + String(
          (0..<Int.random(in: 8...40, using: &generator)).map { _ in
            wild.randomElement(using: &generator) ?? "x"
          })
    }
  }

  /// The places of an answer that an echo may stand in, each with what is then said.
  private static let workflow = """
    {"inputs": {"s": {"type": "string", "secret": true}},
     "defaults": {"baseURL": "https://api.example", "onError": "continue"},
     "steps": [
      {"id": "status", "endpoint": "POST /fail"},
      {"id": "text", "endpoint": "POST /text", "expect": {"status": 404}},
      {"id": "missing", "endpoint": "POST /json", "extract": {"x": "$.nothing"}},
      {"id": "typed", "endpoint": "POST /json", "extract": {"x": {"body": "$.echo", "type": "integer"}}},
      {"id": "typedText", "endpoint": "POST /text", "extract": {"x": {"text": true, "type": "integer"}}},
      {"id": "typedHeader", "endpoint": "POST /json", "extract": {"x": {"header": "x-echo", "type": "integer"}}},
      {"id": "schema", "endpoint": "POST /json", "expect": {"schema": {"properties": {"echo": {"const": 1}}}}},
      {"id": "where", "endpoint": "POST /json",
       "expect": {"where": ["@.body.echo == 1 && @.text == 2 && @.headers['x-echo'] == 3"]}},
      {"id": "redirected", "endpoint": "GET /redirect", "expect": {"status": 404}},
      {"id": "refused", "endpoint": "GET /refuse"},
      {"id": "graph", "endpoint": "POST /graph", "body": {"graphql": {"query": "{ a }"}}},
      {"id": "polled", "endpoint": "POST /json", "poll": {"until": "@.body.echo == 1", "attempts": 1}},
      {"id": "kept", "endpoint": "POST /json", "extract": {"x": "$.echo", "h": {"header": "x-echo"}}},
      {"id": "judged", "values": {"v": "{{kept.x}}"}, "expect": {"where": ["@.v == 1"]}}
     ],
     "outputs": {"kept": "{{kept}}"}}
    """

  private static func answer(_ request: TransportRequest, _ echo: String)
    -> ScriptedTransport.Answer
  {
    let plain = echo.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? echo : percent(echo)
    let body = "{\"padding\":\"\(String(repeating: "p", count: 40))\",\"echo\":\"\(echo)\"}"
    let path = request.url.dropFirst("https://api.example".count)
    if path.hasPrefix("/fail") { return .text(body, status: 500, type: "application/json") }
    if path.hasPrefix("/text") { return .text("it was: \(echo)") }
    if path.hasPrefix("/refuse") {
      return .failure(TransportError(.connection, "refused: \(echo)"))
    }
    if path.hasPrefix("/redirect") {
      return .status(302, headers: [HeaderField("Location", "/target?q=" + percent(plain))])
    }
    if path.hasPrefix("/graph") {
      return .text("{\"errors\":[{\"message\":\"no: \(echo)\"}]}", type: "application/json")
    }
    return .response(
      TransportResponse(
        status: 200,
        headers: [HeaderField("Content-Type", "application/json"), HeaderField("X-Echo", plain)],
        body: Array(body.utf8)))
  }

  /// What readers make of a text: JSON decoded, percent-decoded, base64-decoded.
  private static func readings(of text: String) -> [String] {
    var readings = [text]
    if let node = try? JSONDocument.parse(Array(text.utf8)).root { readings += strings(in: node) }
    for reading in readings {
      let bytes = reading.replacing("+", with: " ")
      readings.append(bytes.removingPercents)
      for word in reading.split(whereSeparator: {
        !"+/".contains($0) && !$0.isLetter && !$0.isNumber
      })
      where word.utf8.count >= 12 && word.utf8.allSatisfy({ $0 < 0x80 }) {
        for start in 0..<4 {
          let part = word.dropFirst(start)
          let whole = String(part.prefix(part.count / 4 * 4))
          if let data = Data(base64Encoded: whole) {
            readings.append(String(decoding: data, as: UTF8.self))
          }
        }
      }
    }
    return readings
  }

  private static func strings(in node: JSONNode) -> [String] {
    switch node.kind {
    case .string: [node.string ?? ""]
    case .array: node.elements.flatMap(strings)
    case .object: node.members.flatMap { [$0.name] + strings(in: $0.value) }
    case .number, .boolean, .null: [node.text]
    }
  }

  @Test(arguments: 1...6) func noEchoIsShown(_ seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let plan = try plan(Self.workflow)
    let secret = Self.secret(&generator)
    // Of a long one no part is shown either.
    let lines = secret.split(separator: "\n").map(String.init)
    let parts = secret.utf8.count > 1_000 ? [lines[0], lines[1], lines[lines.count - 1]] : [secret]
    let encodings = Array(Self.encodings.enumerated())
    for (number, (name, encode)) in LongTests.share(encodings, step: 3, part: seed) {
      // A long one takes long.
      if secret.utf8.count > 1_000, number % 5 != seed % 5 { continue }
      let echo = encode(secret)
      let transport = ScriptedTransport { request in Self.answer(request, echo) }
      let run = Pipeline(plan, transport: transport).run(inputs: ["s": .string(secret)])
      var said: [String] = []
      for await event in run.events() {
        var writer = JSONWriter(style: .compact)
        event.write(to: &writer)
        said.append(String(decoding: writer.bytes, as: UTF8.self))
      }
      let report = try await run.result.report
      said.append(report.outputs.text)
      for failed in report.failures {
        said += failed.failure.hints + [failed.failure.message, failed.failure.excerpt ?? ""]
      }
      // A number is one of the right type.
      #expect(report.failures.count >= 10, "\(name)")
      for text in said.flatMap(Self.readings) {
        let bytes = Array(text.utf8)
        for part in parts + [echo] where bytes.contains(subsequence: Array(part.utf8)) {
          Issue.record("\(name): '\(part.prefix(80))' is in '\(text.prefix(800))'")
          return
        }
      }
    }
  }
}

extension String {
  fileprivate var removingPercents: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func contains(subsequence part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var start = 0
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: part) { return true }
      start = found + 1
    }
    return false
  }
}

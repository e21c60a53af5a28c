import Foundation
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Files that nobody meant well: each is read or refused, in time, and nothing else is touched.
struct ImportHostileTests {
  private let folder = TemporaryFolder()

  /// A file of each kind.
  private static let seeds: [(name: String, text: String)] = [
    (
      "a.http",
      "@host = http://a.example\n\n### One\n# @name one\nPOST {{host}}/x?a=1\nContent-Type:"
        + " application/json\n\n{\"a\": {{b}}, \"c\": [1, 2]}\n\n> {%\nclient.global.set(\"t\","
        + " response.body.t);\n%}\n\n### Two\nGET {{host}}/{{one.response.body.$.id}}\n"
    ),
    (
      "a.hurl",
      "POST http://a.example/x\n[Options]\nretry: 3\n[Form]\na: {{b}}\nHTTP 200\n[Captures]\nt:"
        + " jsonpath \"$.t\"\n[Asserts]\njsonpath \"$.n\" > 3\n\nGET http://a.example/{{t}}\nHTTP"
        + " *\n"
    ),
    (
      "a.bru",
      "meta {\n  name: One\n  seq: 1\n}\n\npost {\n  url: {{host}}/x\n  body: json\n  auth:"
        + " bearer\n}\n\nauth:bearer {\n  token: {{t}}\n}\n\nbody:json {\n  {\n    \"a\": 1\n  }\n}\n\n"
        + "assert {\n  res.status: eq 200\n}\n"
    ),
    (
      "p.json",
      #"{"info":{"name":"P","schema":"x"},"variable":[{"key":"h","value":"http://a.example"}],"item":[{"name":"One","event":[{"listen":"test","script":{"exec":["pm.environment.set('t', pm.response.json().t);"]}}],"request":{"method":"POST","url":{"raw":"{{h}}/x?q=1","query":[{"key":"q","value":"1"}]},"body":{"mode":"raw","raw":"{\"a\": {{b}}}","options":{"raw":{"language":"json"}}}},"response":[{"code":200,"body":"{\"t\":1}"}]}]}"#
    ),
    (
      "i.json",
      #"{"_type":"export","__export_format":4,"resources":[{"_id":"wrk_1","_type":"workspace","name":"W"},{"_id":"req_1","parentId":"wrk_1","_type":"request","name":"One","method":"POST","url":"{{ _.h }}/x","body":{"mimeType":"application/json","text":"{\"a\":1}"},"headers":[{"name":"A","value":"b"}]},{"_id":"env_1","parentId":"wrk_1","_type":"environment","name":"Base","data":{"h":"http://a.example"}}]}"#
    ),
    (
      "a.arazzo.yaml",
      "arazzo: 1.0.1\ninfo: { title: A, version: '1' }\nsourceDescriptions: [{ name: p, url:"
        + " ./../p.yaml, type: openapi }, { name: q, url: ./q.yaml, type: arazzo }]\nworkflows:\n  -"
        + " workflowId: m\n    steps:\n      - stepId: a\n        workflowId: $sourceDescriptions.q.m\n"
        + "      - stepId: b\n        operationId: x\n        successCriteria: [{ condition:"
        + " $statusCode == 200 }]\n        onFailure: [{ name: r, type: retry, retryLimit: 3,"
        + " retryAfter: 1 }]\n"
    ),
    (
      "q.yaml",
      "arazzo: 1.0.1\ninfo: { title: Q, version: '1' }\nsourceDescriptions: [{ name: p, url:"
        + " p.yaml, type: openapi }]\nworkflows:\n  - workflowId: m\n    steps:\n      - { stepId: c,"
        + " operationId: x, parameters: [{ name: i, in: path, value: 1 }] }\n"
    ),
    (
      "o.har",
      #"{"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","time":5,"request":{"method":"POST","url":"http://a.example/x?a=1","headers":[{"name":"Content-Type","value":"application/json"}],"queryString":[],"postData":{"mimeType":"application/json","text":"{\"a\":\"abcdef123456\"}"}},"response":{"status":200,"headers":[],"content":{"mimeType":"application/json","text":"{\"id\":\"zyxwv98765\"}"}}},{"startedDateTime":"2026-01-01T00:00:01Z","time":5,"request":{"method":"GET","url":"http://a.example/y/zyxwv98765","headers":[]},"response":{"status":200,"headers":[],"content":{"text":"ok"}}}]}}"#
    ),
    (
      "c.sh",
      "curl -X POST 'http://a.example/x?a=1' -H 'A: b' --data-raw '{\"a\": 1}' -u user:word\n"
    ),
    (
      "oc.yml",
      "info:\n  name: One\n  type: http\n  seq: 1\nhttp:\n  method: POST\n  url: http://a.example/x\n"
        + "  body:\n    type: json\n    data: '{\"a\": 1}'\n"
    ),
    (
      "f.yaml",
      "$kind: http-request\nname: One\nmethod: POST\nurl: http://a.example/x\nbody:\n  type: json\n"
        + "  content: '{\"a\": 1}'\n"
    ),
  ]

  /// Always the same numbers, so that a failure can be repeated.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private static let inserted = [
    "\0", "../../../etc/passwd", "/etc/passwd", String(repeating: "[", count: 3000),
    String(repeating: "{\"a\":", count: 3000), String(repeating: "{{", count: 500), "1e999999999",
    String(repeating: "9", count: 5000), "-0.000000000000000000000000001", "\u{202E}", "\u{FEFF}",
    "${7*7}", "{{constructor.constructor('return process')()}}", "require('fs').unlinkSync('x')",
    "\r\n\r\n", "< ../../../etc/passwd\n", "&a [*a]", "\"", "'", "}", "]", "\\", "%00",
    String(repeating: "a", count: 70_000), "$steps.a.outputs.b", "!!binary x", "null", "{$",
  ]

  private static func changed(_ bytes: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: bytes = Array(bytes[..<place])
      case 1:
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &numbers))
        bytes.removeSubrange(place..<end)
      case 2:
        let end = min(bytes.count, place + Int.random(in: 1...200, using: &numbers))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 3 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 4:
        // A value in place of a number.
        if let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) {
          bytes.replaceSubrange(
            digit...digit, with: Array((inserted.randomElement(using: &numbers) ?? "").utf8))
        }
      default:
        bytes.insert(
          contentsOf: Array((inserted.randomElement(using: &numbers) ?? "").utf8), at: place)
      }
    }
    return bytes
  }

  /// The small files of the corpora, if they are there.
  private static func corpus() -> [(name: String, text: String)] {
    guard let root = Conformance.corpora else { return [] }
    var found: [(name: String, text: String)] = []
    for part in ["har", "postman", "bruno", "insomnia", "arazzo"] {
      let folder = root + "/" + part
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      for name in names.sorted() {
        guard let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8),
          text.utf8.count < 8192
        else { continue }
        found.append((String(name.split(separator: "/").last ?? "x"), text))
      }
    }
    return found
  }

  @Test func changedFilesAreReadOrRefused() async throws {
    var numbers = Numbers(state: 43)
    for (name, text) in Self.seeds { folder.write(text, to: name) }
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path) + ["changed"])
    let files = Self.seeds.map { ($0, 40) } + Self.corpus().map { ($0, 2) }
    var imported = 0
    for ((name, text), count) in files {
      for _ in 0..<count {
        let bytes = Self.changed(Array(text.utf8), &numbers)
        let path = folder.path + "/changed"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let result = await pipeline(["import", path, "--partial"])
        switch result.status {
        case .success:
          imported += 1
          #expect(!result.output.isEmpty, "\(name)")
        case .usage: #expect(result.error.contains("cannot import '"), "\(name): \(result.error)")
        default: Issue.record("\(name): \(result.status) \(result.error)")
        }
      }
    }
    #expect(imported > 100)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == names)
  }

  @Test func filesOutsideOfTheFolderAreNeitherReadNorSent() async throws {
    let file = folder.write(
      "POST http://a.example/x\nContent-Type: text/plain\n\n< ../../etc/passwd\n", to: "a.http")
    let result = await pipeline(["import", file])
    #expect(result.status == .success)
    #expect(
      result.error.contains(
        "the file '../../etc/passwd' is read from beside the workflow, as 'passwd'"))
    #expect(result.output.contains(#""file": "passwd""#))
  }

  @Test func linksLeadNowhere() async throws {
    let outside = TemporaryFolder()
    let api = outside.write(
      "openapi: 3.0.3\nservers: [{ url: http://a.example }]\npaths: { /x: { get: { operationId: x } } }\n",
      to: "api.yaml")
    let file = folder.write(
      """
      arazzo: 1.0.1
      info: { title: A, version: "1" }
      sourceDescriptions: [{ name: p, url: ./api.yaml, type: openapi }]
      workflows: [{ workflowId: m, steps: [{ stepId: a, operationId: x }] }]
      """, to: "a.yaml")
    let link = folder.path + "/api.yaml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: api)
    let result = await pipeline(["import", file])
    #expect(result.status == .usage)
    #expect(result.error.contains("the description 'p' is not there"), "\(result.error)")
    // A link is not written through, even if it leads nowhere.
    try FileManager.default.removeItem(atPath: link)
    folder.write(
      "openapi: 3.0.3\nservers: [{ url: http://a.example }]\npaths: { /x: { get: { operationId: x } } }\n",
      to: "api.yaml")
    let target = outside.path + "/written.json"
    let output = folder.path + "/out.json"
    try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: target)
    let written = await pipeline(["import", file, "-o", output])
    #expect(written.status == .usage, "\(written.error)")
    #expect(!FileManager.default.fileExists(atPath: target))
  }
}

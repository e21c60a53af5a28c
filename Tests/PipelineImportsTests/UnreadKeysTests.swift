import PipelineJSONText
import PipelineRecordings
import Testing

@testable import PipelineImports

/// No key of a file is dropped without a word.
struct UnreadKeysTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    /// The entries for keys, each with its line.
    let expected: [String]
  }

  private static let cases = [
    Case(
      testDescription: "Postman 2.1",
      file: """
        {"info": {"name": "a"}, "item": [
         {"name": "a", "request": {"method": "GET", "url": "https://a.example/1", "strange": 1}},
         {"name": "b", "request": {"method": "GET", "url": "https://a.example/2", "strange": 1,
           "proxy": {"host": "p"}}}]}
        """,
      expected: ["2 strange (2 times)", "4 proxy"]),
    Case(
      testDescription: "Postman 3.0",
      file: """
        $kind: http-request
        url: https://a.example
        method: GET
        order: 1000
        description: what it does
        strange: 1
        settings:
          strictSSL: false
          disableBodyPruning: true
        headers:
          - key: X-Off
            value: a
            disabled: true
        examples: ./.resources/a.resources/examples
        """,
      expected: ["6 strange", "8 strictSSL"]),
    Case(
      testDescription: "a request of Bruno",
      file: """
        meta {
          name: a
          seq: 1
          odd: 1
        }
        get {
          url: https://a.example
          auth: basic
          body: none
          mode: x
        }
        auth:basic {
          username: ann
          password:
          realm: r
        }
        strange {
          a: 1
        }
        settings {
          timeout: 0
          encodeUrl: true
        }
        docs {
          Read me.
        }
        """,
      expected: ["12 realm", "17 strange", "4 odd", "10 mode"]),
    Case(
      testDescription: "a request of an OpenCollection",
      file: """
        info:
          name: a
          type: http
          tags: [b]
        http:
          method: GET
          url: https://a.example
          strange: 1
          body:
            type: multipart-form
            data:
              - name: a
                value: b
                odd: 1
        settings:
          encodeUrl: true
          timeout: 0
          followRedirects: true
          maxRedirects: 3
          omitHeaders: [user-agent]
        docs: what it does
        """,
      expected: ["8 strange", "14 odd", "20 omitHeaders"]),
    Case(
      testDescription: "Insomnia 5",
      file: """
        type: collection.insomnia.rest/5.0
        schema_version: "5.1"
        name: a
        meta: {id: wrk_1, created: 1}
        collection:
          - name: b
            meta: {id: req_1, sortKey: 1}
            url: https://a.example
            method: GET
            strange: 1
            settings:
              encodeUrl: false
              followRedirects: global
              cookies: {send: true, store: true}
            headers:
              - {name: X-A, value: b, id: p, odd: 1}
        certificates:
          - {path: ca.pem}
        environments:
          name: Base
          meta: {id: env_1}
          data: {a: 1}
        """,
      expected: ["10 strange", "16 odd", "18 certificates"]),
  ]

  @Test(arguments: cases)
  func aKeyThatNothingReadsIsNamedOnce(_ test: Case) throws {
    var importer = Importer(isRelaxed: false)
    _ = try importer.workflow(of: [.init(name: "a", bytes: Array(test.file.utf8))])
    #expect(importer.report.refused.isEmpty, "\(importer.report.refused)")
    #expect(Self.keys(in: importer.report) == test.expected)
  }

  @Test func keysThatNoRecordingHasAreNamed() throws {
    let recording = """
      {"log": {"version": "1.2", "entries": [
        {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "_initiator": {"type": "script"},
         "strange": 1, "request": {"method": "GET", "url": "https://a.example/1", "odd": 1,
           "headers": [], "queryString": []},
         "response": {"status": 200, "content": {"mimeType": "application/json", "text": "{}"}}}
      ]}}
      """
    let importer = try TrafficImporter(
      file: "a.har", MemoryRecording(Array(recording.utf8)), second: nil, isRelaxed: false)
    #expect(Self.keys(in: importer.result().report) == ["2 strange", "2 odd"])
  }

  private static func keys(in report: ImportReport) -> [String] {
    report.approximated.compactMap { entry in
      guard entry.message.hasPrefix("the key '") else { return nil }
      return "\(entry.line) "
        + entry.message.dropFirst("the key '".count)
        .replacing("' has no effect here", with: "")
    }
  }

  /// What sets a variable after the response, as OpenCollection files have it.
  @Test func actionsOfOpenCollectionsBecomeExtractors() throws {
    var importer = Importer(isRelaxed: false)
    let file = """
      info: {name: a, type: graphql}
      graphql:
        url: https://a.example/graphql
        body:
          query: "{ me { id } }"
          variables: '{"a": 1}'
      runtime:
        actions:
          - type: set-variable
            phase: after-response
            selector: {expression: res.body.data.me.id, method: jsonq}
            variable: {name: id, scope: runtime}
          - type: set-variable
            phase: after-response
            selector: {expression: "Math.random()", method: jsonq}
            variable: {name: x}
      """
    let root = try importer.workflow(of: [.init(name: "a", bytes: Array(file.utf8))]).node
    let step = root["steps"]?[0]
    #expect(step?["endpoint"]?.string == "POST https://a.example/graphql")
    #expect(step?["body"]?["graphql"]?["query"]?.string == "{ me { id } }")
    #expect(step?["body"]?["graphql"]?["variables"]?["a"]?.text == "1")
    #expect(step?["extract"]?["id"]?.string == "$.data.me.id")
    #expect(importer.report.refused.map(\.line) == [13])
  }
}

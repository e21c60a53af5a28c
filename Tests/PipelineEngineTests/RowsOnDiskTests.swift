import Foundation
import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTestSupport
import PipelineTesting
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelinePlanning
@testable import PipelineTransports

/// Rows of a response that wait on the disk (docs/language.md, "Formats of bodies").
@Suite struct RowsOnDiskTests {
  private static func file(
    _ read: String, extract: String = #"{"rows": "$[*]"}"#, more: String = "",
    steps: String =
      #"{"id": "each", "forEach": "$.list.rows", "as": "row", "values": {"row": "{{row}}"}}"#,
    outputs: String = #"{"rows": "$.each[*].row"}"#, method: String = "GET"
  ) -> String {
    """
    {"steps": [{"id": "list", "endpoint": "\(method) https://api.example/x", "read": \(read),
       "extract": \(extract)\(more)}\(steps.isEmpty ? "" : ", " + steps)],
     "outputs": \(outputs)}
    """
  }

  private static func server(_ body: [UInt8], type: String = "text/plain") -> ScriptedTransport {
    ScriptedTransport { _ in
      .response(
        TransportResponse(status: 200, headers: [HeaderField("Content-Type", type)], body: body))
    }
  }

  private static func names(_ folder: TemporaryFolder) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.hasPrefix("rows-") }
  }

  private static let formats: [(String, String)] = [
    (#""csv""#, "id,note\n1,\"a\nb\"\n2,\n3,\u{00E4}\n"), (#""tsv""#, "id\tn\n1\t\\N\n2\tx\n"),
    (#""ndjson""#, "{\"id\": 1}\n\n[2, 3]\r\n\"x\"\n"),
    (#""sse""#, "data: {\"id\": 1}\n\ndata: x\n\ndata: lost\n"),
    (#"{"csv": {"header": false}}"#, "1,2\n3,\n"), (#""csv""#, ""), (#""csv""#, "id\n"),
  ]

  @Test(arguments: formats)
  func rowsAreTheSameAsInMemory(read: String, text: String) async throws {
    let queries = ["$[*]", "$", "$[*].id", "$[?@.id == '2']", "$[*]..id"]
    for query in queries {
      let file = Self.file(read, extract: "{\"rows\": \"\(query)\"}")
      let plan = try plan(file)
      #expect(plan.rowsOnDisk(of: 0, handedOn: []) == ["rows"])
      let inMemory = try await Pipeline(plan, transport: Self.server(Array(text.utf8))).run().result
      let folder = TemporaryFolder()
      var options = RunOptions()
      options.rowFolder = folder.path
      let onDisk = try await Pipeline(
        plan, transport: Self.server(Array(text.utf8)), options: options
      ).run().result
      #expect(onDisk.report.failures.isEmpty, "\(onDisk.report.failures)")
      #expect(onDisk.outputs.text == inMemory.outputs.text)
      #expect(onDisk.report.counts.bytesReceived == text.utf8.count)
      #expect(Self.names(folder).isEmpty)
    }
  }

  @Test func aBadLineFailsTheStepAndNoRowIsUsed() async throws {
    let folder = TemporaryFolder()
    var options = RunOptions()
    options.rowFolder = folder.path
    for (read, text, message) in [
      (#""csv""#, "a\n1\n2,3\n", "the body is not CSV: line 3, column 3: the row has more fields"),
      (#""ndjson""#, "{}\n{", "the body is not NDJSON: line 2, column 1: "),
    ] {
      let result = try await Pipeline(
        try plan(Self.file(read)), transport: Self.server(Array(text.utf8)), options: options
      ).run().result
      let failure = try #require(result.report.failures.first?.failure)
      #expect(failure.kind == .extract)
      #expect(failure.message.hasPrefix(message), "\(failure.message)")
      #expect(result.report.counts.items == 0)
    }
    let page = try await Pipeline(
      try plan(Self.file(#""csv""#)),
      transport: Self.server(Array("<p>".utf8), type: "text/html"), options: options
    ).run().result
    #expect(page.report.failures.first?.failure.kind == .expect)
  }

  @Test(arguments: [
    file(#""ndjson""#, extract: #"{"rows": "$[0]"}"#),
    file(#""csv""#, extract: #"{"rows": "$[-1:]"}"#),
    file(#""csv""#, extract: #"{"rows": "$[?@.id == $[0].id]"}"#),
    file(#""csv""#, extract: #"{"rows": {"body": "$[*]", "secret": true}}"#),
    file(#""csv""#, more: #", "expect": {"where": ["@.body[0].id"]}"#),
    file(#""csv""#, more: #", "save": "x.csv""#), file(#""xml""#), file(#""json""#),
    file(#"{"sse": {"until": "@.event == 'end'"}}"#),
    file(#""csv""#, outputs: #"{"n": {"$count": "$.list.rows"}}"#),
    file(#""csv""#, outputs: #"{"all": "{{list}}"}"#),
    file(
      #""csv""#,
      steps:
        #"{"id": "each", "forEach": "$.list.rows", "as": "row", "values": {"n": "{{list.rows[0].id}}"}}"#,
      outputs: "{}"),
  ])
  func whoNeedsMoreThanOneRowHasThemInMemory(file: String) throws {
    #expect(try plan(file).rowsOnDisk(of: 0, handedOn: []).isEmpty)
  }

  @Test func rowsGoToWhoTakesThemAndAreNotKept() async throws {
    let file = Self.file(#""ndjson""#, steps: "", outputs: #"{"rows": "$.list.rows"}"#)
    let plan = try plan(file)
    let folder = TemporaryFolder()
    for isOnDisk in [true, false] {
      var options = RunOptions()
      options.rowFolder = isOnDisk ? folder.path : nil
      let rows = Mutex<[String]>([])
      options.rowReader = { row in rows.withLock { $0.append(String(decoding: row, as: UTF8.self)) }
      }
      let result = try await Pipeline(
        plan, transport: Self.server(Array("{\"a\": 1}\n{\"a\": 2}\n".utf8)), options: options
      ).run().result
      #expect(result.report.failures.isEmpty)
      #expect(rows.withLock { $0 } == [#"{"a":1}"#, #"{"a":2}"#])
    }
  }

  @Test func aLaterProcessHasTheRowsOfARequestThatWasSent() async throws {
    for method in ["GET", "POST"] {
      let folder = TemporaryFolder()
      let journal = MemoryJournal()
      var options = RunOptions()
      options.rowFolder = folder.path
      options.journal = journal
      let requests = Mutex(0)
      let server = ScriptedTransport { request in
        if request.url.hasSuffix("/x") {
          requests.withLock { $0 += 1 }
          return .text("id\n1\n2\n", type: "text/csv")
        }
        return .status(requests.withLock { $0 } == 1 && request.url.hasSuffix("2") ? 500 : 200)
      }
      let steps =
        #"{"id": "each", "forEach": "$.list.rows", "as": "row", "concurrency": 1, "endpoint": "GET https://api.example/row/{{row.id}}"}"#
      let file = Self.file(#""csv""#, steps: steps, outputs: "{}", method: method)
      let first = try await Pipeline(try plan(file), transport: server, options: options)
        .run().result
      #expect(first.report.status == .failed)
      #expect(Self.names(folder).count == 1)
      requests.withLock { $0 = 5 }
      let second = try await Pipeline(try plan(file), transport: server, options: options)
        .run().result
      #expect(second.report.failures.isEmpty, "\(second.report.failures)")
      #expect(requests.withLock { $0 } == 5)
    }
  }

  @Test func rowsThatAreGoneAreAskedForAgainIfThatMayBe() async throws {
    for method in ["GET", "POST"] {
      let folder = TemporaryFolder()
      var options = RunOptions()
      options.rowFolder = folder.path
      options.journal = MemoryJournal()
      let requests = Mutex(0)
      let server = ScriptedTransport { request in
        guard request.url.hasSuffix("/x") else { return .status(404) }
        requests.withLock { $0 += 1 }
        return .text("id\n1\n", type: "text/csv")
      }
      let steps =
        #"{"id": "each", "forEach": "$.list.rows", "as": "row", "endpoint": "GET https://api.example/row"}"#
      let file = Self.file(#""csv""#, steps: steps, outputs: "{}", method: method)
      _ = try await Pipeline(try plan(file), transport: server, options: options)
        .run().result
      for name in Self.names(folder) {
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
      }
      let again = try await Pipeline(try plan(file), transport: server, options: options)
        .run().result
      #expect(requests.withLock { $0 } == (method == "GET" ? 2 : 1))
      let failure = try #require(again.report.failures.first?.failure)
      #expect(failure.kind == (method == "GET" ? .status : .file), "\(failure)")
    }
  }

  @Test func whatHoldsASecretIsNotLeft() async throws {
    let folder = TemporaryFolder()
    var options = RunOptions()
    options.rowFolder = folder.path
    options.journal = MemoryJournal()
    let file = """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "steps": [{"id": "list", "endpoint": "GET https://api.example/x", "read": "csv",
         "auth": {"bearer": "{{inputs.key}}"}, "extract": {"rows": "$"}},
         {"id": "each", "forEach": "$.list.rows", "as": "row", "endpoint": "GET https://api.example/y"}]}
      """
    let server = ScriptedTransport { request in
      request.url.hasSuffix("/x") ? .text("id\nverysecretkey\n", type: "text/csv") : .status(404)
    }
    let result = try await Pipeline(try plan(file), transport: server, options: options)
      .run(inputs: ["key": .string("verysecretkey")]).result
    #expect(result.report.status == .failed)
    // The rows were used all the same.
    #expect(result.report.failures.first?.failure.kind == .status)
    #expect(Self.names(folder).isEmpty)
  }
}

import PipelineJSONText
import PipelineKit
import Testing

@testable import PipelineCommand
@testable import PipelineEngine
@testable import PipelineTesting

struct OutputTextTests {
  private func text(_ json: String, _ format: OutputText.Format) throws -> String {
    let members = try JSONDocument.parse(Array(json.utf8)).root.members
    let outputs = Outputs(members.map { Outputs.Output(name: $0.name, value: $0.value) })
    return parts(of: outputs, format).joined()
  }

  private func parts(of outputs: Outputs, _ format: OutputText.Format) -> [String] {
    var parts: [String] = []
    OutputText(outputs: outputs, format: format).write { bytes in
      parts.append(String(decoding: bytes, as: UTF8.self))
    }
    return parts
  }

  @Test func jsonIsIndentedAndKeepsDigits() throws {
    #expect(
      try text("{\"id\":12345678901234567890.10,\"rows\":[]}", .json) == """
        {
          "id": 12345678901234567890.10,
          "rows": []
        }

        """)
  }

  @Test func ndjsonIsALineARowOrALineAnOutput() throws {
    #expect(try text("{\"rows\": [{\"a\": 1}, null]}", .ndjson) == "{\"a\":1}\nnull\n")
    #expect(try text("{\"a\": [1], \"b\": 2}", .ndjson) == "{\"a\":[1]}\n{\"b\":2}\n")
    #expect(try text("{}", .ndjson) == "")
  }

  /// More rows than are held as one text, and the same as one value.
  @Test(arguments: [OutputText.Format.json, .ndjson])
  func aLongTextIsWrittenInParts(_ format: OutputText.Format) async throws {
    let run = try Pipeline(
      #"""
      {"steps": [{"id": "each", "forEach": {"from": 1, "to": 20000}, "values": {"n": "{{item}}"}}],
       "outputs": {"rows": "{{each}}", "last": "{{each[-1].n}}"}}
      """#, transport: ScriptedTransport([:])
    ).run()
    let outputs = try await run.result.outputs
    let rows = (1...20_000).map { "{\"n\":\($0)}" }
    let value = try #require(outputs["rows"])
    for list in [Array(outputs)[0], Outputs.Output(name: "rows", value: value)] {
      let parts = parts(of: Outputs([list, Array(outputs)[1]]), format)
      #expect(parts.count > 3 && parts.allSatisfy { $0.utf8.count < 80_000 })
      let expected =
        format == .json
        ? "{\n  \"rows\": [\n"
          + (1...20_000).map { "    {\n      \"n\": \($0)\n    }" }.joined(separator: ",\n")
          + "\n  ],\n  \"last\": 20000\n}\n"
        : "{\"rows\":[" + rows.joined(separator: ",") + "]}\n{\"last\":20000}\n"
      #expect(parts.joined() == expected)
      if format == .ndjson {
        #expect(
          self.parts(of: Outputs([list]), format).joined() == rows.joined(separator: "\n") + "\n")
      }
    }
  }
}

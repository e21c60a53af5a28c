import JSONText
import Testing

@testable import PipelineCommand

struct OutputTextTests {
  private func text(_ json: String, _ format: OutputText.Format) throws -> String {
    let outputs = try JSONDocument.parse(Array(json.utf8)).root
    return String(decoding: OutputText.bytes(outputs, as: format), as: UTF8.self)
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
}

import PipelineFormats
import PipelineJSONText
import Testing

@testable import PipelineSinks

struct SingerMessagesTests {
  @Test func singersSchemaHasTheTypesOfTheRows() throws {
    let rows = try JSONDocument.parse(
      Array(#"[{"id": 1, "v": 1.5, "tags": []}, {"id": 2, "v": "x", "tags": null}]"#.utf8)
    ).root
    var columns = Columns()
    for row in rows.elements { try columns.learn(row) }
    var writer = JSONWriter()
    let messages = SingerMessages(stream: "users", key: ["id"])
    messages.writeSchema(columns, to: &writer)
    for row in rows.elements { messages.writeRecord(row, to: &writer) }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"type":"SCHEMA","stream":"users","schema":{"type":"object","properties":\
        {"id":{"type":["null","integer"]},"v":{"type":["null","number","string"]},\
        "tags":{"type":["null","array"],"items":{}}}},"key_properties":["id"]}
        {"type":"RECORD","stream":"users","record":{"id":1,"v":1.5,"tags":[]}}
        {"type":"RECORD","stream":"users","record":{"id":2,"v":"x","tags":null}}

        """)
  }
}

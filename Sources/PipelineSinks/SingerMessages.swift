package import PipelineFormats
package import PipelineJSONText

/// Rows as messages of a Singer tap: a schema, then a record for each row.
package struct SingerMessages: Sendable {
  private let stream: String
  private let key: [String]

  package init(stream: String, key: [String]) {
    self.stream = stream
    self.key = key
  }

  /// Writes the line that describes the records.
  package func writeSchema(_ columns: Columns, to writer: inout JSONWriter) {
    begin("SCHEMA", &writer)
    writer.name("schema")
    writer.beginObject()
    writer.name("type")
    writer.string("object")
    writer.name("properties")
    writer.beginObject()
    for column in columns.list {
      writer.name(column.name)
      writer.beginObject()
      writer.name("type")
      writer.beginArray()
      writer.string("null")
      for type in Self.types(of: column) { writer.string(type) }
      writer.endArray()
      if column.kinds.contains(.list) {
        writer.name("items")
        writer.beginObject()
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
    writer.name("key_properties")
    writer.beginArray()
    for name in key { writer.string(name) }
    writer.endArray()
    writer.endObject()
    writer.endLine()
  }

  /// Writes the line of a row.
  package func writeRecord(_ row: JSONNode, to writer: inout JSONWriter) {
    begin("RECORD", &writer)
    writer.name("record")
    if row.kind == .object {
      writer.value(row)
    } else {
      writer.beginObject()
      if !row.isNull {
        writer.name(Columns.valueName)
        writer.value(row)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endLine()
  }

  private func begin(_ type: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("type")
    writer.string(type)
    writer.name("stream")
    writer.string(stream)
  }

  private static func types(of column: Column) -> [String] {
    let kinds = column.valueKinds
    var types: [String] = []
    if kinds.contains(.boolean) { types.append("boolean") }
    // A number of any length is a number: records are JSON.
    if !kinds.isDisjoint(with: [.real, .longNumber]) {
      types.append("number")
    } else if !kinds.isDisjoint(with: .integers) {
      types.append("integer")
    }
    if kinds.contains(.text) { types.append("string") }
    if kinds.contains(.list) { types.append("array") }
    if kinds.contains(.object) { types.append("object") }
    return types
  }
}

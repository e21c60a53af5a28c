internal import PipelineJSONPaths
internal import PipelineJSONText

/// Rows as lines of JSON.
struct NDJSONForm: DeclaredForm {
  static let title = FormTitle(
    "$ndjson", "the elements as lines of JSON, each with a line feed at its end",
    example: #"{"$ndjson": "$.list.rows"}"#, takes: .list,
    synonyms: "jsonl jsonlines")

  private let rows: FormPart

  init?(_ keys: inout FormKeys) { rows = keys.checkedValue() }

  var parts: [FormPart] { [rows] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let rows = try writing.elements(of: rows) else { return .absent }
    var text: [UInt8] = []
    for row in rows {
      var writer = JSONWriter(style: .compact)
      writer.value(row)
      text += writer.bytes
      text.append(0x0A)
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(rows.value.shape(read).maybeAbsent)
  }
}

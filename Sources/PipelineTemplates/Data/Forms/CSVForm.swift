internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText

/// Rows as CSV.
struct CSVForm: DeclaredForm {
  static let title = FormTitle(
    "$csv",
    "the rows as CSV (RFC 4180), as `--sink` writes them: a line with the columns, then a line for "
      + "each row",
    example: #"{"$csv": "$.list.rows"}"#, takes: .list)

  private let rows: FormPart
  private let delimiter: UInt8?

  init?(_ keys: inout FormKeys) {
    rows = keys.checkedValue()
    delimiter = keys.delimiter(
      "delimiter", "The character between two fields; a comma by default.", example: #"";""#)
  }

  var parts: [FormPart] { [rows] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let rows = try writing.elements(of: rows) else { return .absent }
    var columns = Columns()
    do throws(TableProblem) {
      for row in rows { try columns.learn(row) }
    } catch {
      throw self.rows.failure(.dataForm, error.message)
    }
    var table = SeparatedValues(.csv, columns, delimiter: delimiter ?? UInt8(ascii: ","))
    var text: [UInt8] = []
    table.writeHeader(to: &text)
    for row in rows { table.write(row, to: &text) }
    return .text(String(decoding: text, as: UTF8.self))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(rows.value.shape(read).maybeAbsent)
  }
}

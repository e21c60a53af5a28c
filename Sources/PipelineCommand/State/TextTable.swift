internal import PipelineSourceText

/// Rows of texts in columns as wide as their widest text.
struct TextTable {
  var rows: [[String]]
  var indentation = 0

  var text: String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], Cells.width(of: Cells.printable(cell)))
      }
    }
    return rows.map { line($0, widths) + "\n" }.joined()
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = String(repeating: " ", count: indentation)
    var owed = 0
    for (column, cell) in row.enumerated() {
      let shown = Cells.printable(cell)
      if !shown.isEmpty {
        line += String(repeating: " ", count: owed) + shown
        owed = 0
      }
      owed += widths[column] - Cells.width(of: shown) + 2
      if shown.isEmpty { continue }
    }
    return line
  }
}

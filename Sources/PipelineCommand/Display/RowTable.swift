internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

/// Rows in columns, for people: as wide as the terminal allows.
struct RowTable {
  let rows: Outputs.Elements
  /// The cells of a line; `nil` for any number.
  let width: Int?
  var interruption: Interruption?

  private struct Layout {
    var columns = Columns()
    /// The cells of each column that is shown.
    var widths: [Int] = []
    /// Columns that have no room.
    var hidden: ArraySlice<Column> = []
  }

  /// The gap between two columns.
  private static let gap = 2
  /// The width that a column needs to be readable, if its values are as long.
  private static let narrowest = 8

  /// Writes the lines, one part after the other. The rows are looked at twice.
  func write(to sink: ([UInt8]) -> Void) {
    let layout = layout()
    if layout.columns.list.isEmpty { return }
    var text = header(layout)
    var cells = [JSONNode?](repeating: nil, count: layout.columns.list.count)
    for row in rows {
      if interruption?.isRaised == true { return }
      layout.columns.read(row, into: &cells)
      text += line(layout) { position in cells[position].map(Self.text) ?? "" }
      guard text.utf8.count >= 1 << 16 else { continue }
      sink(Array(text.utf8))
      text = ""
    }
    if !layout.hidden.isEmpty {
      let names = layout.hidden.map { Cells.printable($0.name) }.joined(separator: ", ")
      let note = "and \(layout.hidden.count.counting("column")) more: \(names)"
      text += Cells.truncated(note, to: width ?? .max) + "\n"
    }
    sink(Array(text.utf8))
  }

  /// A value as a table shows it.
  static func text(of value: JSONNode) -> String {
    if let text = value.string { return text }
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: Layout

  private func layout() -> Layout {
    var layout = Layout()
    var cells: [JSONNode?] = []
    for row in rows {
      if interruption?.isRaised == true { break }
      // More columns than a table may have are not shown.
      try? layout.columns.learn(row)
      while layout.widths.count < layout.columns.list.count {
        let name = layout.columns.list[layout.widths.count].name
        layout.widths.append(Cells.width(of: Cells.printable(name)))
        cells.append(nil)
      }
      layout.columns.read(row, into: &cells)
      for (position, cell) in cells.enumerated() {
        guard let cell else { continue }
        let width = Cells.width(of: Cells.printable(Self.text(of: cell)))
        layout.widths[position] = max(layout.widths[position], width)
      }
    }
    fit(&layout)
    return layout
  }

  /// Makes the widest columns narrower until all have room, and leaves out the last ones if they
  /// would be too narrow to read.
  private func fit(_ layout: inout Layout) {
    guard let width else { return }
    func total(_ cap: Int) -> Int {
      layout.widths.reduce(-Self.gap) { $0 + min($1, cap) + Self.gap }
    }
    while layout.widths.count > 1, total(Self.narrowest) > width { layout.widths.removeLast() }
    layout.hidden = layout.columns.list[layout.widths.count...]
    guard total(.max / 2) > width else { return }
    var cap = Self.narrowest
    while total(cap + 1) <= width { cap += 1 }
    for position in layout.widths.indices {
      layout.widths[position] = min(layout.widths[position], max(1, min(cap, width)))
    }
  }

  // MARK: Lines

  private func header(_ layout: Layout) -> String {
    line(layout) { layout.columns.list[$0].name }
      + layout.widths.map { String(repeating: "─", count: $0) }
      .joined(separator: String(repeating: " ", count: Self.gap)) + "\n"
  }

  private func line(_ layout: Layout, _ text: (Int) -> String) -> String {
    var line = ""
    var owed = 0
    for (position, width) in layout.widths.enumerated() {
      let shown = Cells.truncated(Cells.printable(text(position)), to: width)
      let padding = width - Cells.width(of: shown)
      let isNumber = layout.columns.list[position].valueKinds.isNumeric
      owed += isNumber ? padding : 0
      if !shown.isEmpty {
        line += String(repeating: " ", count: owed) + shown
        owed = 0
      }
      owed += (isNumber ? 0 : padding) + Self.gap
    }
    return line + "\n"
  }
}

extension Column.Kinds {
  /// Whether all values are numbers.
  fileprivate var isNumeric: Bool { !isEmpty && isSubset(of: .numbers) }
}

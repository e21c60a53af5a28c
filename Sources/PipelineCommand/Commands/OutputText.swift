internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

/// The outputs of a run as text.
struct OutputText {
  enum Format: String, WordChoice {
    /// One indented value.
    case json
    /// A line for each row if there is one output and it is a list. Otherwise a line for each
    /// output.
    case ndjson
    /// For people: the rows of lists in columns.
    case table
    /// The rows of one output that is a list. Otherwise one row, with a column for each output.
    case csv
  }

  let outputs: Outputs
  let format: Format
  /// How wide a table may be; `nil` for any width.
  var width: Int?
  /// Ends the text if it is.
  var interruption: Interruption?

  /// Writes the text for stdout or a file piece by piece. The whole text, which may be as long as
  /// all rows together, is never in memory.
  func write(to sink: ([UInt8]) -> Void) {
    switch format {
    case .json, .ndjson: writeJSON(to: sink)
    case .table: writeTables(to: sink)
    case .csv: writeCSV(to: sink)
    }
  }

  private func writeJSON(to sink: ([UInt8]) -> Void) {
    var writer = JSONWriter(style: format == .json ? .pretty : .compact)
    if format == .json {
      writer.beginObject()
      for output in outputs { write(output, to: &writer, sink) }
      writer.endObject()
      writer.endLine()
    } else {
      if let rows = outputs.onlyList?.elements {
        for row in rows {
          if interruption?.isRaised == true { return }
          writer.value(row, handingOnTo: sink)
          writer.endLine()
        }
      } else {
        for output in outputs {
          writer.beginObject()
          write(output, to: &writer, sink)
          writer.endObject()
          writer.endLine()
        }
      }
    }
    writer.handOn(to: sink)
  }

  // MARK: Tables

  private func writeTables(to sink: ([UInt8]) -> Void) {
    var isFirst = true
    for output in outputs {
      if interruption?.isRaised == true { return }
      let isAlone = outputs.onlyList != nil
      if output.isList {
        if !isAlone { sink(Array(((isFirst ? "" : "\n") + Self.line(output.name)).utf8)) }
        RowTable(rows: output.elements, width: width, interruption: interruption).write(to: sink)
      } else {
        sink(Array(Self.line(output.name + "  " + RowTable.text(of: output.value)).utf8))
      }
      isFirst = false
    }
  }

  private static func line(_ text: String) -> String { Cells.printable(text) + "\n" }

  private func writeCSV(to sink: ([UInt8]) -> Void) {
    let list = outputs.onlyList
    if list == nil, outputs.isEmpty { return }
    var columns = Columns()
    var bytes: [UInt8] = []
    // More columns than a table may have are left out.
    if let list {
      for row in list.elements { try? columns.learn(row) }
    } else {
      try? columns.learn(outputs.node)
    }
    var table = SeparatedValues(.csv, columns)
    table.writeHeader(to: &bytes)
    func add(_ row: JSONNode) {
      if interruption?.isRaised == true { return }
      table.write(row, to: &bytes)
      guard bytes.count >= 1 << 16 else { return }
      sink(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    if let list {
      for row in list.elements { add(row) }
    } else {
      add(outputs.node)
    }
    if !bytes.isEmpty { sink(bytes) }
  }

  private func write(
    _ output: Outputs.Output, to writer: inout JSONWriter, _ sink: ([UInt8]) -> Void
  ) {
    writer.name(output.name)
    output.write(to: &writer) { bytes in
      if interruption?.isRaised != true { sink(bytes) }
    }
  }
}

extension Outputs {
  /// The only output, if it is a list.
  fileprivate var onlyList: Output? {
    count == 1 ? first { $0.isList } : nil
  }
}

extension Arguments {
  /// The form of the outputs of a run.
  mutating func outputFormat() -> OutputText.Format {
    choice(
      "format", "FORMAT",
      help: "json: one indented value; ndjson: a line for each output, or for each row of a single"
        + " list; table: for people; csv: the rows of a single list") ?? .json
  }
}

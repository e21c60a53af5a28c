internal import JSONText
internal import PipelineKit

/// The outputs of a run as text.
struct OutputText {
  enum Format: String, WordChoice {
    /// One indented value.
    case json
    /// A line for each row if there is one output and it is a list; else a line for each output.
    case ndjson
  }

  let outputs: Outputs
  let format: Format
  /// Ends the text where it is.
  var interruption: Interruption?

  /// Writes the text for stdout or a file, one part after the other: it may be as long as memory
  /// holds rows, and is never held itself.
  func write(to sink: ([UInt8]) -> Void) {
    var writer = JSONWriter(style: format == .json ? .pretty : .compact)
    switch format {
    case .json:
      writer.beginObject()
      for output in outputs { write(output, to: &writer, sink) }
      writer.endObject()
      writer.endLine()
    case .ndjson:
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
  /// The one output that there is, if it is a list.
  fileprivate var onlyList: Output? {
    count == 1 ? first { $0.isList } : nil
  }
}

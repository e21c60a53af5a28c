internal import JSONText

/// The outputs of a run as text.
enum OutputText {
  enum Format: String, Sendable {
    /// One indented value.
    case json
    /// A line for each row if there is one output and it is a list; else a line for each output.
    case ndjson
  }

  /// `outputs`, an object, as bytes for stdout or a file.
  static func bytes(_ outputs: JSONNode, as format: Format) -> [UInt8] {
    switch format {
    case .json:
      var writer = JSONWriter(style: .pretty)
      writer.value(outputs)
      return writer.bytes + [0x0A]
    case .ndjson:
      var bytes: [UInt8] = []
      if outputs.count == 1, let rows = outputs.members.first(where: { $0.value.kind == .array }) {
        for row in rows.value.elements {
          var writer = JSONWriter()
          writer.value(row)
          bytes += writer.bytes + [0x0A]
        }
        return bytes
      }
      for output in outputs.members {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name(output.name)
        writer.value(output.value)
        writer.endObject()
        bytes += writer.bytes + [0x0A]
      }
      return bytes
    }
  }
}

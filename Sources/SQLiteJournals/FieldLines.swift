internal import PipelineByteText
internal import PipelineKit

/// Header fields as one text: each on a line. No value has a line break in it (RFC 9110 §5.5).
enum FieldLines {
  static func text(_ fields: [HeaderField]) -> [UInt8] {
    var lines: [UInt8] = []
    for field in fields {
      if !lines.isEmpty { lines.append(UInt8(ascii: "\n")) }
      lines.append(contentsOf: field.name.utf8)
      lines.append(UInt8(ascii: ":"))
      let start = lines.count
      lines.append(contentsOf: field.value.utf8)
      for index in lines.indices[start...] where lines[index] == UInt8(ascii: "\n") {
        lines[index] = UInt8(ascii: " ")
      }
    }
    return lines
  }

  static func fields(_ text: String) -> [HeaderField] {
    text.split(ascii: "\n").compactMap { line in
      line.firstIndex(ascii: ":").map {
        HeaderField(String(line[..<$0]), String(line[$0...].dropFirst(bytes: 1)))
      }
    }
  }
}

internal import PipelineByteText
internal import PipelineTransports

/// Header fields as one text: each on a line. No value has a line break in it (RFC 9110 §5.5).
enum FieldLines {
  static func text(_ fields: [HeaderField]) -> [UInt8] {
    var text: [UInt8] = []
    append(fields, to: &text)
    return text
  }

  static func append(_ fields: [HeaderField], to text: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { text.append(UInt8(ascii: "\n")) }
      text.append(contentsOf: field.name.utf8)
      text.append(UInt8(ascii: ":"))
      let start = text.count
      text.append(contentsOf: field.value.utf8)
      for place in start..<text.count where text[place] == UInt8(ascii: "\n") {
        text[place] = UInt8(ascii: " ")
      }
    }
  }

  static func fields(_ text: String) -> [HeaderField] {
    text.split(ascii: "\n").compactMap { line in
      line.firstIndex(ascii: ":").map {
        HeaderField(String(line[..<$0]), String(line[$0...].dropFirst(bytes: 1)))
      }
    }
  }
}

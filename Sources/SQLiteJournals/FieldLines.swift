internal import PipelineByteText
internal import PipelineKit

/// Header fields as one text: each on a line. No value has a line break in it (RFC 9110 §5.5).
enum FieldLines {
  static func text(_ fields: [HeaderField]) -> String {
    fields.map { $0.name + ":" + $0.value.replacing(bytes: "\n", with: " ") }
      .joined(separator: "\n")
  }

  static func fields(_ text: String) -> [HeaderField] {
    text.split(ascii: "\n").compactMap { line in
      line.firstIndex(ascii: ":").map {
        HeaderField(String(line[..<$0]), String(line[$0...].dropFirst(bytes: 1)))
      }
    }
  }
}

internal import PipelineByteText
package import PipelineRecordings

/// The parts of a multipart body that is written as text (RFC 7578).
package enum MultipartText {
  /// - Complexity: Linear in the length of the text.
  package static func parts(of text: String) -> [RecordedExchange.Part] {
    let lines = text.replacing(bytes: "\r\n", with: "\n")
    guard lines.hasPrefix(bytes: "--"), let end = lines.firstIndex(ascii: "\n") else { return [] }
    let boundary = String(lines[..<end]).trimmed
    return lines.split(bytes: boundary).compactMap { piece in
      guard let blank = piece.firstRange(bytes: "\n\n") else { return nil }
      var part = RecordedExchange.Part(name: "", value: nil)
      for header in piece[..<blank.lowerBound].split(ascii: "\n") {
        let value = header.firstIndex(ascii: ":").map { header[$0...].dropFirst(bytes: 1) } ?? ""
        switch header.prefix(before: ":").lowercased() {
        case "content-disposition":
          part.name = parameter("name", of: value) ?? ""
          part.fileName = parameter("filename", of: value)
        case "content-type": part.type = String(value).trimmed
        default: break
        }
      }
      let content = piece[blank.upperBound...]
      part.value = String(content.hasSuffix(bytes: "\n") ? content.dropLast(bytes: 1) : content)
      return part.name.isEmpty ? nil : part
    }
  }

  private static func parameter(_ name: String, of text: Substring) -> String? {
    for piece in text.split(ascii: ";") {
      let pair = String(piece).trimmed
      guard pair.hasPrefix(bytes: name + "=") else { continue }
      let value = pair.dropFirst(bytes: name.utf8.count + 1)
      return value.hasPrefix(bytes: "\"") && value.hasSuffix(bytes: "\"") && value.utf8.count > 1
        ? String(value.dropFirst(bytes: 1).dropLast(bytes: 1)) : String(value)
    }
    return nil
  }
}

internal import PipelineHTTPServers
internal import PipelineByteText

/// `multipart/form-data` (RFC 7578).
enum MultipartForm {
  struct Part {
    var name: String?
    var filename: String?
    var type: String?
    var bytes: [UInt8] = []
  }

  /// The parts in order; `nil` if the boundary is missing or the form has no end.
  static func parts(of request: ServerRequest) -> [Part]? {
    guard let type = request.header("Content-Type"), let boundary = parameter("boundary", in: type)
    else { return nil }
    return parts(in: request.body, boundary: boundary)
  }

  static func parts(in body: [UInt8], boundary: String) -> [Part]? {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter may be at the very start, without its CR LF.
    let bytes = [.carriageReturn, .lineFeed] + body
    guard var index = position(of: delimiter, in: bytes, from: 0) else { return nil }
    var parts: [Part] = []
    while true {
      index += delimiter.count
      if bytes[index...].starts(with: "--".utf8) { return parts }
      guard let line = position(of: [13, 10], in: bytes, from: index),
        let end = position(of: delimiter, in: bytes, from: line)
      else { return nil }
      parts.append(part(bytes[(line + 2)..<max(line + 2, end)]))
      index = end
    }
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
    var part = Part()
    var rest = bytes
    while let feed = rest.firstIndex(of: .lineFeed) {
      let line = String(decoding: rest[..<feed], as: UTF8.self).trimmedLine
      rest = rest[(feed + 1)...]
      if line.isEmpty { break }
      let lowered = line.lowercased()
      if lowered.hasPrefix(bytes: "content-disposition:") {
        part.name = parameter("name", in: line)
        part.filename = parameter("filename", in: line)
      } else if lowered.hasPrefix(bytes: "content-type:") {
        part.type = String(line.dropFirst(bytes: "content-type:".utf8.count)).trimmed
      }
    }
    part.bytes = Array(rest)
    return part
  }

  /// A parameter of a header value, quoted or not: `; name="x"`.
  static func parameter(_ name: String, in header: String) -> String? {
    for piece in header.split(ascii: ";").dropFirst() {
      let halves = piece.split(ascii: "=", maxSplits: 1).map { String($0).trimmed }
      guard halves.count == 2, halves[0].equalsIgnoringASCIICase(name) else { continue }
      let value = halves[1]
      return value.hasPrefix(bytes: "\"") && value.hasSuffix(bytes: "\"") && value.utf8.count >= 2
        ? String(value.dropFirst(bytes: 1).dropLast(bytes: 1)) : value
    }
    return nil
  }

  private static func position(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + pattern.count <= bytes.count {
      if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) {
        return index
      }
      index += 1
    }
    return nil
  }
}

extension String {
  /// Without the CR that ends a line.
  fileprivate var trimmedLine: String { hasSuffix(bytes: "\r") ? String(dropLast(bytes: 1)) : self }
}

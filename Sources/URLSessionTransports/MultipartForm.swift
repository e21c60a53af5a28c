import Foundation
import PipelineByteText
import PipelineTransports

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  private enum Piece {
    case bytes([UInt8])
    case file(String)
  }

  private var pieces: [Piece] = []
  let contentType: String
  /// Whether the content of a file belongs to it.
  private(set) var hasFiles = false

  private static let pieceSize = 1 << 20

  init(_ parts: [TransportBody.Part]) {
    let boundary = "pipeline-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
    contentType = "multipart/form-data; boundary=\(boundary)"
    for part in parts {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(part.name))"
      var filename = part.filename
      let content: Piece
      switch part.content {
      case .bytes(let given): content = .bytes(given)
      case .file(let path):
        content = .file(path)
        hasFiles = true
        filename = filename ?? path.split(ascii: "/").last.map(String.init)
      }
      if let filename { head += "; filename=\(quoted(filename))" }
      if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
      pieces += [.bytes(Array((head + "\r\n\r\n").utf8)), content, .bytes([13, 10])]
    }
    pieces.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
  }

  /// The whole form, of parts in memory.
  var bytes: Data {
    var data = Data()
    for case .bytes(let bytes) in pieces { data.append(contentsOf: bytes) }
    return data
  }

  /// Writes the form into a new file, the files among its parts piece by piece.
  func write(to url: URL) throws {
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw TransportError(.file, "a form cannot be written to '\(url.path)'") }
    let output = try FileHandle(forWritingTo: url)
    defer { try? output.close() }
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try output.write(contentsOf: Data(bytes))
      case .file(let path):
        let input = try FileHandle(forReadingFrom: try UploadFile(path: path).url)
        defer { try? input.close() }
        while let data = try input.read(upToCount: Self.pieceSize), !data.isEmpty {
          try output.write(contentsOf: data)
        }
      }
    }
  }
}

/// A parameter's value, escaped as HTML's forms do.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "%22"
    case "\r": result += "%0D"
    case "\n": result += "%0A"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

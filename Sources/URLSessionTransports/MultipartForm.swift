internal import ByteText
import PipelineKit

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  let bytes: [UInt8]
  let contentType: String

  init(
    _ parts: [HTTPBody.Part],
    contentOfFile: (String) throws(TransportError) -> [UInt8]
  ) throws(TransportError) {
    let boundary = "pipeline-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
    var bytes: [UInt8] = []
    for part in parts {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\(quoted(part.name))"
      var filename = part.filename
      let content: [UInt8]
      switch part.content {
      case .bytes(let given): content = given
      case .file(let path):
        content = try contentOfFile(path)
        filename = filename ?? path.split(ascii: "/").last.map(String.init)
      }
      if let filename { head += "; filename=\(quoted(filename))" }
      if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
      bytes += head.utf8
      bytes += "\r\n\r\n".utf8
      bytes += content
      bytes += "\r\n".utf8
    }
    bytes += "--\(boundary)--\r\n".utf8
    self.bytes = bytes
    contentType = "multipart/form-data; boundary=\(boundary)"
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

internal import PipelineLanguage
internal import PipelineTemplates

/// Reads the part of a file that a request sends.
struct FilePieces {
  private let part: FilePart
  private let written: Written<Template>
  private let scope: Scope
  private let files: any FileAccess

  init(
    _ part: FilePart, of written: Written<Template>, _ scope: Scope, _ files: any FileAccess
  ) {
    self.part = part
    self.written = written
    self.scope = scope
    self.files = files
  }

  /// The bytes, and their place as `Content-Range` says it: `bytes 0-9/25`.
  func piece(of path: String) throws(FailureReason) -> (bytes: [UInt8], range: String) {
    let from =
      try amount(part.from, "from", atLeast: 0) ?? 0
    let length = try amount(part.length, "length", atLeast: 1)
    let bytes: [UInt8]
    let size: Int
    do throws(FileError) {
      (bytes, size) = try files.read(path, from: from, upTo: length ?? .max)
    } catch {
      throw FailureReason(.file, error.message, at: written.range)
    }
    guard from < size || from == 0 else {
      throw FailureReason(
        .value, "'from' is \(from), and '\(path)' has \(size) bytes", at: written.range)
    }
    let place = bytes.isEmpty ? "*" : "\(from)-\(from + bytes.count - 1)"
    return (bytes, "bytes \(place)/\(size)")
  }

  private func amount(
    _ amount: Amount?, _ key: String, atLeast minimum: Int
  ) throws(FailureReason) -> Int? {
    try Evaluation.amount(
      amount?.number, amount?.data, key, atLeast: minimum, in: scope, files: files)
  }
}

internal import PipelineByteText
internal import PipelineRecordings

/// The rows of a recording in a file of their own, so that opening it again reads none of its bodies.
///
/// A line a row, its fields parted by tabs. The last line says which recording it is of, and that the
/// file is whole. It can be lost: it is made again when the recording is opened.
struct AnswersIndex: Sendable {
  let path: String

  private static let head = Array("pipeline answers 2\n".utf8)
  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let sizeLimit = 1 << 30
  private static let pieceSize = 1 << 16
  /// Fewer rows are read from the recording itself in no time.
  static let least = 2_000

  // MARK: Writing

  /// Writes the rows that `body` notes, if they can be written. Only this user may read them.
  ///
  /// - Parameter body: Called once. Gives the signature of the recording; `nil` if there is none.
  func write(_ body: (_ note: (RecordedRow) -> Void) -> FileSignature?) {
    var isCalled = false
    var signature: FileSignature?
    try? AtomicFile(privateAt: path).write(unless: { signature == nil }) { sink in
      isCalled = true
      var lines = Self.head
      var isUsable = true
      withoutActuallyEscaping(sink) { sink in
        signature = body { row in
          guard isUsable else { return }
          isUsable = Self.append(row, to: &lines)
          guard lines.count >= Self.pieceSize else { return }
          sink(lines)
          lines.removeAll(keepingCapacity: true)
        }
      }
      if !isUsable { signature = nil }
      sink(lines + Self.end(signature))
    }
    if !isCalled { _ = body { _ in } }
  }

  private static func end(_ signature: FileSignature?) -> [UInt8] {
    Array("of \(signature?.text ?? "nothing")\n".utf8)
  }

  /// Returns whether a line can hold the row.
  private static func append(_ row: RecordedRow, to lines: inout [UInt8]) -> Bool {
    let key = row.key
    guard !key.step.utf8.contains(where: { $0 == tab || $0 == lineFeed }) else { return false }
    let fields = [
      key.step, key.path.map { String($0) }.joined(separator: ","),
      key.item.map { String($0) } ?? "", String(key.page), String(key.poll), String(key.attempt),
      String(key.redirect), String(row.bytes.lowerBound), String(row.bytes.count),
    ]
    for field in fields {
      lines += field.utf8
      lines.append(tab)
    }
    lines += row.summary.fields
    lines.append(lineFeed)
    return true
  }

  // MARK: Reading

  /// The rows; `nil` if there is no index, or it belongs to another recording.
  func rows(_ files: FileSystem, of signature: FileSignature) -> [RecordedRow]? {
    let end = Self.end(signature)
    guard let bytes = try? files.readFile(path, Self.sizeLimit), bytes.starts(with: Self.head),
      bytes.count >= Self.head.count + end.count, bytes.suffix(end.count).elementsEqual(end)
    else { return nil }
    var fields = IndexFields(bytes, from: Self.head.count, to: bytes.count - end.count)
    var rows: [RecordedRow] = []
    while !fields.isAtEnd {
      guard let row = fields.row() else { return nil }
      rows.append(row)
    }
    return rows
  }
}

internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The rows of a large file, read in pieces: memory stays flat however many there are.
///
/// The file stays open, and is read twice. The first time finds a line that is wrong before any row
/// is used, and counts the rows. The second time gives them, one after the other. A copy goes on by
/// itself.
struct FileRows: Sendable {
  /// Smaller files are read as a whole.
  static let smallest = 1 << 22
  /// The greatest size of a row, in bytes.
  private static let rowLimit = 256 << 20

  private let path: String
  private let format: BodyFormat
  private let file: OpenFile
  private let pieceSize: Int
  /// The number of rows.
  private(set) var count = 0

  private var offset = 0
  /// How many bytes the rows so far have.
  private var written = 0
  private var decoder: TextDecoder
  private var reader: RowReader
  private var elements = JSONValue.null.node.elements.makeIterator()
  private var isAtEnd = false

  private init(
    _ path: String, _ format: BodyFormat, _ charset: Charset?, _ file: OpenFile,
    _ reader: RowReader, pieceSize: Int
  ) {
    self.path = path
    self.format = format
    self.file = file
    self.reader = reader
    self.pieceSize = pieceSize
    decoder = TextDecoder(charset ?? .utf8)
  }

  /// The rows of a file; `nil` if it is small, packed, or cannot be opened, so that it has to be
  /// read as a whole.
  ///
  /// - Parameters:
  ///   - path: As the workflow names the file.
  ///   - pieceSize: How many bytes are read at once.
  static func of(
    _ path: String, _ format: BodyFormat, _ charset: Charset?, _ files: any FileAccess,
    smallest: Int = Self.smallest, pieceSize: Int = 1 << 18
  ) throws(FileError) -> FileRows? {
    guard let reader = RowReader(format, limit: rowLimit),
      let place = try? files.resolve(path), let file = OpenFile(place), file.size >= smallest,
      let head = try? file.read(0..<2), !head.elementsEqual([0x1F, 0x8B])
    else { return nil }
    let start = FileRows(path, format, charset, file, reader, pieceSize: pieceSize)
    var all = start
    var count = 0
    while let rows = try all.nextRows() { count += rows.count }
    var rows = start
    rows.count = count
    return rows
  }

  /// The rows of a response that wait on the disk.
  ///
  /// - Parameter pieceSize: How many bytes are read at once.
  static func of(_ spool: RowSpool, pieceSize: Int = 1 << 18) -> FileRows? {
    guard let reader = RowReader(.lines) else { return nil }
    var rows = FileRows(
      "the rows of a response", .lines, nil, OpenFile(spool), reader, pieceSize: pieceSize)
    rows.count = spool.count
    return rows
  }

  /// Some of the next rows as the text of a list; `nil` after the last.
  mutating func nextList() throws(FileError) -> [UInt8]? { try nextRows()?.list() }

  /// The next row; `nil` after the last.
  mutating func next() throws(FileError) -> JSONNode? {
    while true {
      if let row = elements.next() { return row }
      guard let rows = try nextRows() else { return nil }
      elements = JSONDocument.written(rows.list()).root.elements.makeIterator()
    }
  }

  /// The rows that end in the next piece; `nil` after the last piece.
  private mutating func nextRows() throws(FileError) -> RowText? {
    guard !isAtEnd else { return nil }
    if Interruption.isRaised { throw problem("cannot be read: the run stopped") }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try file.read(offset..<offset + pieceSize)
    } catch {
      throw problem("cannot be read: \(error.message)")
    }
    offset += bytes.count
    isAtEnd = bytes.isEmpty
    guard file.isUnchanged, !isAtEnd || offset == file.size else {
      throw problem("cannot be read: it was changed while the run read it")
    }
    var rows = RowText(
      .list, capacity: 2 * bytes.count, limit: RowText.limit(read: offset, written: written))
    do throws(FormatProblem) {
      try reader.read(try decoder.decode(bytes, isLast: isAtEnd), to: &rows)
      if isAtEnd { try reader.finish(to: &rows) }
    } catch {
      throw problem("is not \(format.words): \(error)")
    }
    written += rows.size
    return rows
  }

  private func problem(_ message: String) -> FileError { FileError("'\(path)' \(message)") }
}

/// A file that is open for reading until nothing refers to it.
private final class OpenFile: Sendable {
  private let descriptor: Int32
  /// Who has opened it, and closes it; `nil` if this does.
  private let owner: RowSpool?
  private let modified: Int
  let size: Int

  init?(_ path: String) {
    guard let descriptor = try? RegularFile.open(path, O_RDONLY) else { return nil }
    self.descriptor = descriptor
    owner = nil
    let found = Self.facts(of: descriptor)
    size = found?.size ?? 0
    modified = found?.modified ?? 0
  }

  init(_ spool: RowSpool) {
    descriptor = spool.descriptor
    owner = spool
    let found = Self.facts(of: descriptor)
    size = found?.size ?? 0
    modified = found?.modified ?? 0
  }

  deinit { if owner == nil { close(descriptor) } }

  /// Whether the file is unchanged since it was opened.
  var isUnchanged: Bool {
    Self.facts(of: descriptor).map { $0 == (size, modified) } ?? false
  }

  private static func facts(of descriptor: Int32) -> (size: Int, modified: Int)? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    return (Int(status.st_size), Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec))
  }

  /// Bytes of the file: fewer than asked for only at its end.
  func read(_ range: Range<Int>) throws(SystemError) -> [UInt8] {
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = 0
      while count < range.count {
        let result = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, range.count - count,
          off_t(range.lowerBound + count))
        if result == 0 { return }
        if result > 0 {
          count += result
        } else if errno != EINTR {
          number = errno
          return
        }
      }
    }
    if number != 0 { throw SystemError(number) }
    return bytes
  }
}

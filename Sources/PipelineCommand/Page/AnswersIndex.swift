internal import PipelineByteText
internal import PipelineRecordings

/// The rows of a recording in a file beside it, so that opening it again reads none of its bodies.
///
/// A line a row, its fields parted by tabs. The first line says which recording it is of. It can be
/// lost: it is made again when the recording is opened.
struct AnswersIndex {
  let path: String
  /// The signature of the recording.
  let signature: FileSignature

  private static let tab = UInt8(ascii: "\t")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let sizeLimit = 1 << 30
  /// Fewer rows are read from the recording itself in no time.
  static let least = 2_000

  private var head: String { "pipeline answers 1\t" + signature.text }

  /// The rows; `nil` if there is no index, or it belongs to another recording.
  func rows(_ files: FileSystem) -> [PageAnswers.Row]? {
    guard let bytes = try? files.readFile(path, Self.sizeLimit) else { return nil }
    var lines = bytes.split(separator: Self.lineFeed).makeIterator()
    guard let first = lines.next(), first.elementsEqual(head.utf8) else { return nil }
    var rows: [PageAnswers.Row] = []
    while let line = lines.next() {
      guard let row = Self.row(line) else { return nil }
      rows.append(row)
    }
    return rows
  }

  /// Writes the rows, if they can be written. Only this user may read them.
  func write(_ rows: [PageAnswers.Row]) {
    var text = Array((head + "\n").utf8)
    for row in rows {
      let key = row.key
      let fields = [
        key.step, key.path.map { String($0) }.joined(separator: ","),
        key.item.map { String($0) } ?? "", String(key.page), String(key.poll), String(key.attempt),
        String(key.redirect), row.method, row.status.map { String($0) } ?? "", String(row.size),
        String(row.bytes.lowerBound), String(row.bytes.count), row.url,
      ]
      for field in fields {
        guard !field.utf8.contains(where: { $0 == Self.tab || $0 == Self.lineFeed }) else { return }
        text += field.utf8
        text.append(Self.tab)
      }
      text[text.count - 1] = Self.lineFeed
    }
    try? AtomicFile(privateAt: path).write(text)
  }

  private static func row(_ line: ArraySlice<UInt8>) -> PageAnswers.Row? {
    let fields = line.split(separator: tab, omittingEmptySubsequences: false)
    guard fields.count == 13 else { return nil }
    func text(_ number: Int) -> String { String(decoding: fields[number], as: UTF8.self) }
    func number(_ place: Int) -> Int? { self.number(fields[place]) }
    guard let page = number(3), let poll = number(4), let attempt = number(5),
      let redirect = number(6), let size = number(9), let start = number(10),
      let length = number(11)
    else { return nil }
    let key = RecordingKey(
      step: text(0), path: fields[1].split(separator: UInt8(ascii: ",")).compactMap(self.number),
      item: number(2), page: page, poll: poll, attempt: attempt, redirect: redirect)
    return PageAnswers.Row(
      key: key, bytes: start..<start + length, method: text(7), url: text(12), status: number(8),
      size: size)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}

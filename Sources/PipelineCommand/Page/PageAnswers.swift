internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineTesting

/// The recorded answers of a run: rows that are listed, and bodies that are read one by one.
///
/// What it holds of an answer does not depend on the size of its body.
final class PageAnswers: Sendable {
  /// What a list shows of one request.
  struct Row: Sendable {
    let key: RecordingKey
    /// Where it is in the recording.
    let bytes: Range<Int>
    let method: String
    let url: String
    /// `nil` if no answer came.
    let status: Int?
    let size: Int

    var isBad: Bool { status.map { $0 >= 400 } ?? true }
  }

  private let file: RecordingFile
  let rows: [Row]
  /// The rows of each step, in the order of its items.
  let steps: [(step: String, rows: Range<Int>)]

  private static let pieceSize = 1 << 20
  /// The most rows that are given at once.
  private static let mostRows = 500
  /// The most bytes of a body that are given.
  private static let mostBody = 4 << 20

  /// - Parameter index: Where the rows are kept between openings; `nil` if nowhere.
  /// - Throws: `RecordingProblem`
  /// - Complexity: O(bytes of the recording), and O(rows) if an index has them.
  init(path: String, index: AnswersIndex? = nil) throws {
    file = try RecordingFile(path: path)
    if let index, let rows = index.rows(.system) {
      self.rows = rows
    } else {
      rows = try Self.rows(of: file)
      if rows.count >= AnswersIndex.least { index?.write(rows) }
    }
    var steps: [(String, Range<Int>)] = []
    var start = 0
    for index in rows.indices
    where index + 1 == rows.count || !rows[index + 1].key.step.equals(bytes: rows[index].key.step) {
      steps.append((rows[index].key.step, start..<index + 1))
      start = index + 1
    }
    self.steps = steps
  }

  private static func rows(of file: RecordingFile) throws -> [Row] {
    var rows: [Row] = []
    var scanner = EntryScanner()
    var offset = 0
    while offset < file.size {
      let piece = try file.read(offset..<min(file.size, offset + Self.pieceSize))
      guard !piece.isEmpty else { break }
      try scanner.read(piece) { entry in
        guard let root = try? JSONDocument.parse(entry.text).root,
          let summary = RecordedExchange.Summary(root)
        else { return }
        // An entry that another tool recorded has no step. It is identified by its place.
        let key = summary.key ?? RecordingKey(step: "", redirect: rows.count)
        rows.append(
          Row(
            key: key, bytes: entry.offset..<entry.offset + entry.text.count,
            method: summary.method, url: summary.url, status: summary.status, size: summary.size))
      }
      offset += piece.count
    }
    try scanner.finish()
    // A recording is written in this order, but may be made of several.
    if zip(rows, rows.dropFirst()).contains(where: { $1.key < $0.key }) {
      rows.sort { $0.key < $1.key }
    }
    return rows
  }

  /// The rows of a step; none if it sent nothing.
  func range(ofStep step: String) -> Range<Int> {
    steps.first { $0.step.equals(bytes: step) }?.rows ?? 0..<0
  }

  func exchange(_ row: Int) throws(RecordingProblem) -> RecordedExchange {
    guard let exchange = Self.exchange(try file.read(rows[row].bytes)) else {
      throw RecordingProblem("has changed since it was opened")
    }
    return exchange
  }

  private static func exchange(_ text: [UInt8]) -> RecordedExchange? {
    (try? JSONDocument.parse(text)).flatMap { RecordedExchange($0.root) }
  }

  // MARK: As JSON

  var stepsJSON: JSONValue {
    .array(
      steps.map { step, rows in
        [
          "step": .string(step), "count": JSONValue(rows.count),
          "failed": JSONValue(self.rows[rows].count(where: \.isBad)),
          "isLoop": .boolean(self.rows[rows].contains { $0.key.item != nil }),
        ]
      })
  }

  /// A part of the rows of a step.
  ///
  /// - Parameters:
  ///   - search: What the target or the content holds; empty: anything.
  ///   - place: The row whose position among them is wanted; `nil` if there is none.
  func list(
    step: String, onlyBad: Bool, search: String, offset: Int, limit: Int, place: Int?
  ) throws -> JSONValue {
    let found = try matching(step: step, onlyBad: onlyBad, search: search)
    let part = found.dropFirst(max(0, offset)).prefix(min(max(0, limit), Self.mostRows))
    return [
      "total": JSONValue(found.count),
      "place": place.flatMap { found.firstIndex(of: $0) }.map { JSONValue($0) } ?? .null,
      "rows": .array(part.map { json($0) }),
    ]
  }

  private func matching(step: String, onlyBad: Bool, search: String) throws -> [Int] {
    let needle = Array(search.utf8)
    return try range(ofStep: step).filter { index in
      let row = rows[index]
      guard !onlyBad || row.isBad else { return false }
      if needle.isEmpty || row.url.contains(bytes: search) { return true }
      if row.status.map({ String($0) == search }) ?? false { return true }
      guard let body = try exchange(index).response?.body else { return false }
      return body.contains(subsequence: needle)
    }
  }

  private func json(_ index: Int) -> JSONValue {
    let row = rows[index]
    return [
      "row": JSONValue(index), "item": row.key.item.map { JSONValue($0) } ?? .null,
      "path": .array(row.key.path.map { JSONValue($0) }), "page": JSONValue(row.key.page),
      "poll": JSONValue(row.key.poll), "attempt": JSONValue(row.key.attempt),
      "method": .string(row.method), "url": .string(row.url),
      "status": row.status.map { JSONValue($0) } ?? .null, "bytes": JSONValue(row.size),
    ]
  }

  /// One request with its answer, as sent and received, secrets by their names.
  func detail(_ index: Int) throws(RecordingProblem) -> JSONValue {
    let exchange = try exchange(index)
    var members: [JSONValue.Member] = [
      .init("about", json(index)), .init("step", .string(rows[index].key.step)),
      .init("headers", Self.fields(exchange.request.headers)),
      .init("body", Self.text(of: exchange.request.body)),
    ]
    switch exchange.outcome {
    case .failure(let kind, let message):
      members.append(.init("failure", .string("\(kind): \(message)")))
    case .response(let response):
      // A part may end within a character.
      let isCut = response.body.count > Self.mostBody
      let text =
        isCut
        ? String(decoding: response.body.prefix(Self.mostBody), as: UTF8.self)
        : String(validating: response.body, as: UTF8.self)
      members.append(
        .init(
          "response",
          [
            "status": JSONValue(response.status), "headers": Self.fields(response.headers),
            "text": text.map { .string($0) } ?? .null, "bytes": JSONValue(response.body.count),
            "isCut": .boolean(isCut),
            "isJSON": .boolean(
              !isCut && (try? JSONDocument.parse(response.body)) != nil),
          ]))
    }
    return .object(members)
  }

  private static func fields(_ fields: [RecordedField]) -> JSONValue {
    .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private static func text(of body: RecordedExchange.Body?) -> JSONValue {
    switch body {
    case nil: .null
    case .bytes(let bytes, let type):
      .string(String(validating: bytes, as: UTF8.self) ?? "(\(bytes.count) bytes of \(type))")
    case .form(let parts, _):
      .string(
        parts.map { "\($0.name): \($0.value ?? $0.fileName.map { "(file \($0))" } ?? "")" }
          .joined(separator: "\n"))
    case .file(let name, _): .string("(the file \(name))")
    }
  }
}

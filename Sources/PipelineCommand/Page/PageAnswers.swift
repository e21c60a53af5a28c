internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineTesting

/// The recorded answers of a run: rows that are listed, and bodies that are read one by one.
///
/// What it holds of an answer does not depend on the size of its body.
final class PageAnswers: Sendable {
  private let file: RecordingFile
  let rows: [RecordedRow]
  /// The rows of each step, in the order of its items.
  let steps: [(step: String, rows: Range<Int>)]

  private static let pieceSize = 1 << 20
  /// The most rows that are given at once.
  private static let mostRows = 500
  /// The most bytes of a body that are given.
  private static let mostBody = 4 << 20

  private init(_ file: RecordingFile, _ rows: [RecordedRow]) {
    self.file = file
    self.rows = rows
    var steps: [(String, Range<Int>)] = []
    var start = 0
    for index in rows.indices
    where index + 1 == rows.count || !rows[index + 1].key.step.equals(bytes: rows[index].key.step) {
      steps.append((rows[index].key.step, start..<index + 1))
      start = index + 1
    }
    self.steps = steps
  }

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - index: Where the rows are kept between openings; `nil` if nowhere.
  ///   - signature: That of the recording.
  /// - Throws: `RecordingProblem`
  /// - Complexity: O(bytes of the recording), and O(rows) if an index has them.
  static func opened(
    _ path: String, index: AnswersIndex? = nil, _ signature: FileSignature? = nil
  ) async throws -> PageAnswers {
    let file = try RecordingFile(path: path)
    if let index, let signature, let rows = index.rows(.system, of: signature),
      rows.allSatisfy({ $0.bytes.upperBound <= file.size })
    {
      return PageAnswers(file, rows)
    }
    let rows = try await rows(of: file)
    if rows.count >= AnswersIndex.least {
      index?.write { note in
        rows.forEach(note)
        return signature
      }
    }
    return PageAnswers(file, rows)
  }

  private static func rows(of file: RecordingFile) async throws -> [RecordedRow] {
    var rows: [RecordedRow] = []
    var scanner = EntryScanner()
    var offset = 0
    while offset < file.size {
      let piece = try file.read(offset..<min(file.size, offset + Self.pieceSize))
      guard !piece.isEmpty else { break }
      try scanner.read(piece) { entry in
        guard let root = try? JSONDocument.parse(entry.text).root,
          let summary = RecordedExchange.Summary(root)
        else { return }
        rows.append(
          RecordedRow(
            summary, number: rows.count, bytes: entry.offset..<entry.offset + entry.text.count))
      }
      offset += piece.count
      // A recording may be large, and other calls wait for a thread.
      await Task.yield()
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
    guard let exchange = Self.exchange(try text(of: row)) else {
      throw RecordingProblem("has changed since it was opened")
    }
    return exchange
  }

  /// The entry of a row as JSON.
  func text(of row: Int) throws(RecordingProblem) -> [UInt8] { try file.read(rows[row].bytes) }

  static func exchange(_ text: [UInt8]) -> RecordedExchange? {
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
  /// - Parameter place: The row whose position among them is wanted; `nil` if there is none.
  func list(step: String, onlyBad: Bool, offset: Int, limit: Int, place: Int?) -> JSONValue {
    let all = range(ofStep: step)
    let found = onlyBad ? all.filter { rows[$0].isBad } : Array(all)
    let part = found.dropFirst(max(0, offset)).prefix(min(max(0, limit), Self.mostRows))
    return [
      "total": JSONValue(found.count),
      "place": place.flatMap { found.firstIndex(of: $0) }.map { JSONValue($0) } ?? .null,
      "rows": .array(part.map { json($0) }),
    ]
  }

  /// Rows by their numbers. Those that are not there are left out.
  func list(_ numbers: [Int]) -> JSONValue {
    let known = numbers.prefix(Self.mostRows).filter(rows.indices.contains)
    return ["rows": .array(known.map { json($0) })]
  }

  private func json(_ index: Int) -> JSONValue {
    let (key, summary) = (rows[index].key, rows[index].summary)
    return [
      "row": JSONValue(index), "item": key.item.map { JSONValue($0) } ?? .null,
      "path": .array(key.path.map { JSONValue($0) }), "page": JSONValue(key.page),
      "poll": JSONValue(key.poll), "attempt": JSONValue(key.attempt),
      "method": .string(summary.method), "url": .string(summary.url),
      "status": summary.status.map { JSONValue($0) } ?? .null, "bytes": JSONValue(summary.size),
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

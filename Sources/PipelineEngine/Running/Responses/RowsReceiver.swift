internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTransports
internal import Synchronization

/// Puts the rows of one response on the disk while they come, so that memory stays flat however many
/// there are.
///
/// No row is visible before the response has ended well.
final class RowsReceiver: BodyReceiver {
  /// An extractor whose rows are put aside.
  private struct Part {
    let extractor: Extractor
    /// What it selects of each row; `nil` for the row.
    let query: Query?
    let spool: RowSpool
  }

  private struct State: ~Copyable {
    var phase = Phase.unseen
    var parts: [Part] = []
    /// The first bytes, until they show whether the body is packed.
    var head: [UInt8] = []
    var isUnpacked = false
    var unpacking: GzipReader?
    var decoder = TextDecoder(.utf8)
    var reader: RowReader?
    /// How many bytes were received, unpacked and written as rows.
    var received = 0
    var unpacked = 0
    var written = 0
    var isAtEnd = false
    var holdsSecret = false
    var failure: FailureReason?
  }

  private enum Phase {
    /// No byte of the body has been seen.
    case unseen
    /// The rows are put aside.
    case reading
    /// The body is none that the step reads so.
    case other
  }

  private let step: RequestStep
  private let read: ResponseFormat
  private let names: Set<String>
  private let spools: RowSpools
  private let rowLimit: Int
  private let watch: EventWatch?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - names: The extractors whose rows are put aside.
  ///   - rowLimit: The greatest size of a row, in bytes.
  ///   - watch: Sees the events, too.
  init(
    _ step: RequestStep, _ read: ResponseFormat, _ names: Set<String>, in spools: RowSpools,
    rowLimit: Int, _ watch: EventWatch?
  ) {
    self.step = step
    self.read = read
    self.names = names
    self.spools = spools
    self.rowLimit = rowLimit
    self.watch = watch
  }

  /// Why the rows cannot be used.
  var failure: FailureReason? { state.withLock { $0.failure } }

  /// What stands for the rows in the values of the step, by extractor; `nil` if the body is in
  /// memory.
  func values() -> [String: [UInt8]]? {
    state.withLock { state in
      guard case .reading = state.phase else { return nil }
      var values: [String: [UInt8]] = [:]
      for part in state.parts { values[part.extractor.name] = spools.add(part.spool) }
      return values
    }
  }

  // MARK: The body

  func begin(_ response: TransportResponse) {
    let type = response.header("content-type") ?? ""
    let isRead =
      step.reading(status: response.status) != nil && !read.format.isRefused(contentType: type)
    state.withLock { state in
      state = State()
      state.phase = .other
      guard isRead else { return }
      do throws(FailureReason) {
        state.decoder = TextDecoder(try charset(type))
        for extractor in step.plan.request.extract where names.contains(extractor.name) {
          guard case .body(let query) = extractor.source else { continue }
          let isRow = query.value.segments.count <= 1 && query.value.segments.allSatisfy(\.isAll)
          state.parts.append(
            Part(
              extractor: extractor, query: isRow ? nil : query.value, spool: try newSpool()))
        }
        state.reader = RowReader(read.format, limit: rowLimit)
      } catch {
        state.failure = error
      }
      state.phase = .reading
    }
    watch?.begin(response)
  }

  /// The encoding by the author, else by the response. Events are always UTF-8.
  private func charset(_ contentType: String) throws(FailureReason) -> Charset {
    if case .events = read.format { return .utf8 }
    if let charset = read.charset { return charset }
    guard let label = Charset.label(in: contentType) else { return .utf8 }
    guard let charset = Charset(label: label) else {
      throw unfit("line 1, column 1: the charset '\(label.prefix(40))' cannot be read")
    }
    return charset
  }

  private func newSpool() throws(FailureReason) -> RowSpool {
    do throws(SystemError) {
      return try spools.begin()
    } catch {
      throw cannotKeep(error)
    }
  }

  private func unfit(_ message: String) -> FailureReason {
    FailureReason(
      .extract,
      "the body is not \(read.format.words): \(step.redactor.shown(message, to: 500))",
      at: read.node.range)
  }

  private func cannotKeep(_ error: SystemError) -> FailureReason {
    FailureReason(
      .file, "the rows of the response cannot be put aside on the disk: \(error.message)",
      at: read.node.range)
  }

  func take(_ piece: UnsafeRawBufferPointer) -> BodyVerdict {
    _ = watch?.take(piece)
    return state.withLock { state in
      guard case .reading = state.phase else { return .goesOn }
      do throws(FailureReason) {
        if let failure = state.failure { throw failure }
        try take(Array(piece), &state)
        return .taken
      } catch {
        state.failure = error
        return .fails(TransportError(.other, "the rows cannot be used"))
      }
    }
  }

  private func take(_ piece: [UInt8], _ state: inout State) throws(FailureReason) {
    var piece = piece
    if !state.isUnpacked {
      state.head += piece
      guard state.head.count >= 2 || state.isAtEnd else { return }
      state.isUnpacked = true
      piece = state.head
      state.head = []
      if piece.starts(with: GzipReader.magicNumber) {
        do throws(GzipReader.Problem) {
          // Rows are limited, and not all of them together.
          state.unpacking = try GzipReader(limit: .max)
        } catch {
          throw unpacked(error)
        }
      }
    }
    guard state.unpacking != nil else { return try readRows(of: piece, &state) }
    // A thousand times as much may be in it.
    for start in stride(from: 0, to: max(piece.count, 1), by: Self.packedSize) {
      let part = Array(piece[start..<min(start + Self.packedSize, piece.count)])
      try readRows(of: try unpack(part, &state), &state)
    }
  }

  /// How much of a packed body is unpacked at once.
  private static let packedSize = 4096

  private func unpack(_ piece: [UInt8], _ state: inout State) throws(FailureReason) -> [UInt8] {
    guard state.unpacking != nil else { return piece }
    var bytes: [UInt8] = []
    do throws(GzipReader.Problem) {
      try state.unpacking?.read(piece, into: &bytes)
      if state.isAtEnd { try state.unpacking?.finish() }
    } catch {
      throw unpacked(error)
    }
    state.received += piece.count
    guard state.unpacked + bytes.count <= (1 << 30) + 200 * state.received else {
      throw unpacked(GzipReader.tooMuch)
    }
    return bytes
  }

  private func unpacked(_ problem: GzipReader.Problem) -> FailureReason {
    FailureReason(.extract, "the body " + problem.message, at: read.node.range)
  }

  private func readRows(of bytes: [UInt8], _ state: inout State) throws(FailureReason) {
    state.unpacked += bytes.count
    var rows = RowText(
      .lines, capacity: 2 * bytes.count,
      limit: RowText.limit(read: state.unpacked, written: state.written))
    do throws(FormatProblem) {
      let text = try state.decoder.decode(bytes, isLast: state.isAtEnd)
      try state.reader?.read(text, to: &rows)
      if state.isAtEnd { try state.reader?.finish(to: &rows) }
    } catch {
      throw unfit(error.description)
    }
    guard rows.count > 0 else { return }
    let count = rows.count
    let lines = rows.takeLines()
    state.written += lines.count
    if !state.holdsSecret, step.redactor.isActive, !step.redactor.places(in: lines).isEmpty {
      // What holds a secret is not left for a later process.
      state.holdsSecret = true
      for part in state.parts { part.spool.forgetName() }
    }
    for part in state.parts {
      guard let query = part.query else {
        part.spool.append(lines, count: count)
        continue
      }
      select(query, lines, part.spool)
    }
  }

  /// Puts aside what a query selects of each row.
  private func select(_ query: Query, _ lines: [UInt8], _ spool: RowSpool) {
    var list: [UInt8] = [UInt8(ascii: "[")]
    list.reserveCapacity(lines.count + 2)
    list += lines
    for index in list.indices where list[index] == 0x0A { list[index] = UInt8(ascii: ",") }
    list[list.count - 1] = UInt8(ascii: "]")
    let all = JSONDocument.written(list).root
    var found: [UInt8] = []
    var count = 0
    for node in query.nodes(in: step.scope.queryContext(body: all)) {
      found += node.onOneLine
      found.append(0x0A)
      count += 1
    }
    spool.append(found, count: count)
  }

  // MARK: The end

  func end(_ response: inout TransportResponse) throws(TransportError) {
    if case .unseen = state.withLock({ $0.phase }) {
      begin(response)
      let verdict = response.body.withUnsafeBytes { take($0) }
      if case .fails(let error) = verdict { throw error }
      if case .taken = verdict {
        response.droppedCount += response.body.count
        response.body = []
      }
    }
    let isWell = state.withLock { state in
      guard case .reading = state.phase else { return true }
      do throws(FailureReason) {
        if let failure = state.failure { throw failure }
        state.isAtEnd = true
        try take([], &state)
        for part in state.parts { try finish(part.spool) }
        return true
      } catch {
        state.failure = error
        return false
      }
    }
    if !isWell { throw TransportError(.other, "the rows cannot be used") }
    try watch?.end(&response)
  }

  private func finish(_ spool: RowSpool) throws(FailureReason) {
    do throws(SystemError) {
      try spool.finish()
    } catch {
      throw cannotKeep(error)
    }
  }
}

extension Segment {
  /// Whether it selects each element.
  fileprivate var isAll: Bool { isWildcard }
}

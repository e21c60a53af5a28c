internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineEngine

/// Makes a trace out of the log of a run, piece by piece.
///
/// A log may be damaged, or its last frame unfinished. What comes before counts.
package struct TraceLogReader {
  private var builder: TraceBuilder
  /// What has arrived of the next frame.
  private var rest: [UInt8] = []
  private var isDamaged = false
  private var names: [String] = []
  private var lastTime = 0
  private var lastURL: [UInt8] = []
  /// The events read.
  package private(set) var count = 0
  /// What processes did that kept no log.
  package var earlier: RunTrace? { builder.earlier }

  /// - Parameter earlier: What processes did that kept no log.
  package init(after earlier: RunTrace? = nil) { builder = TraceBuilder(after: earlier) }

  /// Reads the next bytes, however they are cut.
  package mutating func read(_ bytes: some Collection<UInt8>) {
    guard !isDamaged else { return }
    rest += bytes
    var start = 0
    while let size = Self.size(rest[start...]) {
      guard size <= TraceRecord.mostFrameSize else {
        isDamaged = true
        break
      }
      let end = start + TraceRecord.headSize + size
      guard end <= rest.count else { break }
      var cursor = TraceLogCursor(rest[(start + TraceRecord.headSize)..<end])
      do throws(TraceLogCursor.Damaged) {
        while let record = cursor.next() { try read(record, &cursor) }
      } catch {
        isDamaged = true
        break
      }
      start = end
    }
    rest.removeFirst(isDamaged ? rest.count : start)
  }

  /// The trace of what was read.
  ///
  /// - Parameter wallTime: The time of day in seconds, if a process carries the run out now; `nil`
  ///   if the run has come as far as its last event.
  package func trace(at wallTime: Double? = nil) -> RunTrace {
    let time = wallTime.map { wallTime in
      Int(max(0, min(wallTime - builder.trace.startedAt, 1e9)) * 1_000_000)
    }
    return builder.finish(at: time)
  }

  /// The size of the frame that begins here; `nil` if it has not arrived.
  package static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= TraceRecord.headSize else { return nil }
    return bytes.prefix(TraceRecord.headSize).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func read(
    _ record: UInt8, _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) {
    switch record {
    case TraceRecord.process:
      names = []
      lastTime = 0
      lastURL = []
    case TraceRecord.name: names.append(try cursor.text())
    case TraceRecord.rowStep: builder.setRowStep(try cursor.text())
    case TraceRecord.itemStarted: try readItemStarted(&cursor)
    case TraceRecord.itemFinished: try readItemFinished(&cursor)
    case TraceRecord.requestFinished: try readRequest(&cursor)
    case TraceRecord.line:
      let line = try cursor.line()
      guard let document = try? JSONDocument.parse(line) else { throw TraceLogCursor.Damaged() }
      // Reports say nothing of the others.
      if let event = TraceEvent(document.root) { take(event) }
    default: throw TraceLogCursor.Damaged()
    }
  }

  private mutating func take(_ event: TraceEvent) {
    builder.receive(event)
    count += 1
  }

  private mutating func readItemStarted(
    _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) {
    let place = try place(&cursor)
    let kind = Int(try cursor.byte())
    guard TraceRecord.releases.indices.contains(kind) else { throw TraceLogCursor.Damaged() }
    let step = try cursor.optional()
    let item = try cursor.optional()
    let path = try cursor.path()
    let release = Release(
      TraceRecord.releases[kind], step: try step.map(name), path: path, item: item)
    take(
      TraceEvent(
        time: place.time,
        kind: .itemStarted(step: place.step, path: place.path, item: place.item, release)))
  }

  private mutating func readItemFinished(
    _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) {
    let place = try place(&cursor)
    guard let outcome = TraceRecord.Outcome(rawValue: try cursor.byte()) else {
      throw TraceLogCursor.Damaged()
    }
    take(
      TraceEvent(
        time: place.time,
        kind: .itemFinished(
          step: place.step, path: place.path, item: place.item ?? 0,
          TraceEvent.Ending(outcome: outcome.traced))))
  }

  private mutating func readRequest(
    _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) {
    let place = try place(&cursor)
    let flags = TraceRecord.Flags(rawValue: try cursor.byte())
    let method = try name(try cursor.number())
    let status = try cursor.optional()
    let bytes = try cursor.number()
    let sent = flags.contains(.isSent) ? place.time - (try cursor.signed()) : nil
    let connected = try cursor.number()
    let firstByte = try cursor.number()
    let total = try cursor.number()
    var waits = TraceEvent.Waits()
    if flags.contains(.hasWaits) {
      waits.place = try cursor.number()
      waits.rate = try cursor.number()
      waits.pause = try cursor.number()
      waits.retry = try cursor.number()
      waits.poll = try cursor.number()
    }
    var request = TraceEvent.Request(
      step: place.step, path: place.path, item: place.item, attempt: 1, method: method, url: "",
      status: status, error: nil, bytes: bytes, sent: sent, waits: waits, connected: connected,
      firstByte: firstByte, total: total, isReused: flags.contains(.isReused),
      isRetried: flags.contains(.isRetried), isForToken: flags.contains(.isForToken))
    if flags.contains(.isRare) {
      request.attempt = try cursor.number()
      guard let cause = RequestCause(rawValue: try cursor.text()) else {
        throw TraceLogCursor.Damaged()
      }
      request.cause = cause
      request.page = try cursor.optional()
      request.poll = try cursor.optional()
      let cache = try cursor.text()
      request.cache = cache.isEmpty ? nil : cache
    }
    request.url = try url(&cursor)
    take(TraceEvent(time: place.time, kind: .requestFinished(request)))
  }

  // MARK: - Parts of records

  private mutating func place(
    _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) -> (step: String, time: Int, item: Int?, path: [Int]) {
    let step = try name(try cursor.number())
    lastTime = FileNumber.count(FileNumber.sum(lastTime, try cursor.signed()))
    let item = try cursor.optional()
    return (step, lastTime, item, try cursor.path())
  }

  private func name(_ number: Int) throws(TraceLogCursor.Damaged) -> String {
    guard names.indices.contains(number) else { throw TraceLogCursor.Damaged() }
    return names[number]
  }

  private mutating func url(
    _ cursor: inout TraceLogCursor
  ) throws(TraceLogCursor.Damaged) -> String {
    let shared = try cursor.number()
    let rest = try cursor.bytes()
    guard shared <= lastURL.count else { throw TraceLogCursor.Damaged() }
    lastURL.removeSubrange(shared...)
    lastURL += rest
    return String(decoding: lastURL, as: UTF8.self)
  }
}

/// Reads the records of one frame, and never past its end.
struct TraceLogCursor {
  struct Damaged: Error {}

  private let frame: ArraySlice<UInt8>
  private var position: Int

  init(_ frame: ArraySlice<UInt8>) {
    self.frame = frame
    position = frame.startIndex
  }

  /// The first byte of the next record, which is left for a line; `nil` if the frame is at its end.
  mutating func next() -> UInt8? {
    guard position < frame.endIndex else { return nil }
    let byte = frame[position]
    if byte != TraceRecord.line { position += 1 }
    return byte
  }

  mutating func byte() throws(Damaged) -> UInt8 {
    guard position < frame.endIndex else { throw Damaged() }
    defer { position += 1 }
    return frame[position]
  }

  /// A count, brought within limits.
  mutating func number() throws(Damaged) -> Int {
    FileNumber.count(Int(truncatingIfNeeded: try bits() & UInt64(Int.max)))
  }

  mutating func signed() throws(Damaged) -> Int {
    let bits = try bits()
    return FileNumber.integer(
      Int(truncatingIfNeeded: bits >> 1) ^ -Int(truncatingIfNeeded: bits & 1))
  }

  mutating func optional() throws(Damaged) -> Int? {
    let number = try number()
    return number == 0 ? nil : number - 1
  }

  mutating func path() throws(Damaged) -> [Int] {
    let count = try number()
    guard count <= frame.endIndex - position else { throw Damaged() }
    var path: [Int] = []
    for _ in 0..<count { path.append(try number()) }
    return path
  }

  mutating func bytes() throws(Damaged) -> ArraySlice<UInt8> {
    let count = try number()
    guard count <= frame.endIndex - position else { throw Damaged() }
    defer { position += count }
    return frame[position..<(position + count)]
  }

  mutating func text() throws(Damaged) -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  /// The bytes of a line, whose end is passed.
  mutating func line() throws(Damaged) -> [UInt8] {
    guard let end = frame[position...].firstIndex(of: 0x0A) else { throw Damaged() }
    defer { position = end + 1 }
    return Array(frame[position..<end])
  }

  private mutating func bits() throws(Damaged) -> UInt64 {
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 64 else { throw Damaged() }
      bits |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return bits }
      shift += 7
    }
  }
}

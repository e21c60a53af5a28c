internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineEngine

/// Writes the events of a run as a log, from which its trace is made on request.
///
/// A log is a sequence of frames: the number of bytes that follow, in four bytes, the lowest first,
/// and then records. A frame is appended in one call, so a process that is killed leaves only its
/// last one unfinished. A record begins with a byte of `TraceRecord`, or is a line of a file of
/// events. Three records come with each request: they are a few bytes each. The others are rare.
struct TraceLogWriter {
  /// The frame that is being written, with room for its size.
  private var frame: [UInt8] = []
  private var names = NameNumbers()
  private var lastTime = 0
  private var lastURL: [UInt8] = []
  /// The failures that are written in whole.
  private var failures = 0
  private let mostFailures: Int

  /// - Parameter rowStep: The step each of whose items is a run of its own.
  init(rowStep: String?) {
    mostFailures = rowStep == nil ? RunTrace.Most.failures : RunTrace.Most.rows
    begin()
    frame.append(TraceRecord.process)
    if let rowStep {
      frame.append(TraceRecord.rowStep)
      write(text: Array(rowStep.utf8))
    }
  }

  /// The bytes that wait to be taken.
  var count: Int { frame.count - TraceRecord.headSize }

  /// The frame so far; `nil` if it is empty.
  mutating func takeFrame() -> [UInt8]? {
    guard count > 0 else { return nil }
    let size = count
    for index in 0..<TraceRecord.headSize {
      frame[index] = UInt8(truncatingIfNeeded: size >> (8 * index))
    }
    var taken: [UInt8] = []
    swap(&taken, &frame)
    begin()
    return taken
  }

  private mutating func begin() {
    frame.reserveCapacity(TraceRecord.frameSize + 1024)
    for _ in 0..<TraceRecord.headSize { frame.append(0) }
  }

  mutating func add(_ event: RunEvent) {
    switch event.kind {
    case .itemStarted(let item): add(item, event.time)
    case .itemFinished(let item):
      guard let outcome = TraceRecord.Outcome(item.outcome, isCut: failures >= mostFailures) else {
        failures += 1
        return add(line: event)
      }
      add(item, outcome, event.time)
    case .requestFinished(let request) where request.error == nil: add(request, event.time)
    // Reports say nothing of them, and they may be many.
    case .eventReceived: break
    default: add(line: event)
    }
  }

  private mutating func add(line event: RunEvent) {
    var writer = JSONWriter(style: .compact)
    event.write(to: &writer, mostFailures: RunTrace.Most.failures)
    frame += writer.bytes
    frame.append(0x0A)
  }

  private mutating func add(_ item: RunEvent.ItemStarted, _ time: Duration) {
    let step = number(of: item.step)
    let release = item.releasedBy
    let other = release.step.map { number(of: $0) }
    frame.append(TraceRecord.itemStarted)
    write(place: step, item.path, item.item, time)
    frame.append(TraceRecord.byte(of: release.kind))
    write(optional: other)
    write(optional: release.item)
    write(path: release.path)
  }

  private mutating func add(
    _ item: RunEvent.ItemFinished, _ outcome: TraceRecord.Outcome, _ time: Duration
  ) {
    let step = number(of: item.step)
    frame.append(TraceRecord.itemFinished)
    write(place: step, item.path, item.item, time)
    frame.append(outcome.rawValue)
  }

  private mutating func add(_ request: RunEvent.RequestFinished, _ time: Duration) {
    let step = number(of: request.step)
    let method = number(of: request.method)
    let sent = request.sent?.wholeMicroseconds
    let whole = time.wholeMicroseconds
    frame.append(TraceRecord.requestFinished)
    write(place: step, request.path, request.item, time)
    var flags = TraceRecord.Flags()
    if request.timings.reusedConnection { flags.insert(.isReused) }
    if request.retryAfter != nil { flags.insert(.isRetried) }
    if request.isForToken { flags.insert(.isForToken) }
    if sent != nil { flags.insert(.isSent) }
    if request.waits.total != .zero { flags.insert(.hasWaits) }
    let isRare =
      request.attempt != 1 || request.cause != .first || request.page != nil || request.poll != nil
      || request.cache != nil
    if isRare { flags.insert(.isRare) }
    frame.append(flags.rawValue)
    write(method)
    write(optional: request.status)
    write(request.bytesReceived)
    if let sent { write(signed: whole - sent) }
    let timings = request.timings
    write(max(timings.tls, timings.connect, timings.nameLookup).wholeMicroseconds)
    write(timings.firstByte.wholeMicroseconds)
    write(timings.total.wholeMicroseconds)
    if flags.contains(.hasWaits) {
      let waits = request.waits
      for wait in [waits.place, waits.rate, waits.pause, waits.retry, waits.poll] {
        write(wait.wholeMicroseconds)
      }
    }
    if isRare {
      write(request.attempt)
      write(text: Array(request.cause.rawValue.utf8))
      write(optional: request.page)
      write(optional: request.poll)
      write(text: Array((request.cache?.rawValue ?? "").utf8))
    }
    write(url: request.url)
  }

  // MARK: - Parts of records

  private mutating func write(place step: Int, _ path: [Int], _ item: Int?, _ time: Duration) {
    let time = time.wholeMicroseconds
    write(step)
    write(signed: time - lastTime)
    lastTime = time
    write(optional: item)
    write(path: path)
  }

  private mutating func write(path: [Int]) {
    write(path.count)
    for position in path { write(position) }
  }

  /// The number of a name, which is written once.
  private mutating func number(of name: String) -> Int {
    if let known = names.number(of: name) { return known }
    frame.append(TraceRecord.name)
    write(text: Array(name.utf8))
    return names.add(name)
  }

  /// Only what differs from the URL before: those of a collection mostly differ in their last bytes.
  private mutating func write(url: String) {
    var url = url
    url.withUTF8 { bytes in
      var shared = 0
      let most = min(bytes.count, lastURL.count)
      while shared < most, bytes[shared] == lastURL[shared] { shared += 1 }
      write(shared)
      let rest = UnsafeBufferPointer(rebasing: bytes[shared...])
      write(rest.count)
      frame.append(contentsOf: rest)
      lastURL.removeSubrange(shared...)
      lastURL.append(contentsOf: rest)
    }
  }

  private mutating func write(text: [UInt8]) {
    write(text.count)
    frame += text
  }

  /// A count from 0, or none.
  private mutating func write(optional number: Int?) { write(number.map { $0 + 1 } ?? 0) }

  private mutating func write(signed number: Int) {
    write(bits: UInt64(bitPattern: Int64(number << 1 ^ number >> 63)))
  }

  private mutating func write(_ number: Int) { write(bits: UInt64(max(0, number))) }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  private mutating func write(bits: UInt64) {
    var rest = bits
    while rest >= 0x80 {
      frame.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    frame.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Names by number. The next one is mostly one of the two before.
private struct NameNumbers {
  private var numbers: [ExactText: Int] = [:]
  private var recent: (first: Entry, second: Entry)?

  private struct Entry {
    let name: String
    let number: Int
  }

  mutating func number(of name: String) -> Int? {
    if let recent {
      if recent.first.name.equals(bytes: name) { return recent.first.number }
      if recent.second.name.equals(bytes: name) { return recent.second.number }
    }
    guard let number = numbers[ExactText(name)] else { return nil }
    remember(Entry(name: name, number: number))
    return number
  }

  mutating func add(_ name: String) -> Int {
    let number = numbers.count
    numbers[ExactText(name)] = number
    remember(Entry(name: name, number: number))
    return number
  }

  private mutating func remember(_ entry: Entry) {
    recent = (recent?.second ?? entry, entry)
  }
}

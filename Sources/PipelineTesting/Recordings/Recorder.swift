internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import Synchronization

/// Keeps exchanges until the recording is written.
///
/// An entry waits in the spool as the text that the file will have, after a line with its summary. So
/// the end of a run only copies, except for the entries that are older than the last secret.
final class Recorder: Sendable {
  private struct State {
    var index = KeyIndex()
    var shapes: [String: String] = [:]
    /// Texts that look like credentials, with the place where each was first.
    var suspects: [String: String] = [:]
    var problem: RecordingProblem?
    /// How many secrets were hidden in the newest entry, and where the entries end that were made
    /// when there were fewer.
    var revision = 0
    var staleEnd = 0
    var end = 0

    mutating func note(_ range: Range<Int>, _ revision: Int) {
      if revision > self.revision {
        self.revision = revision
        staleEnd = end
      }
      if revision < self.revision { staleEnd = max(staleEnd, range.upperBound) }
      end = max(end, range.upperBound)
    }
  }

  /// An exchange as it waits.
  private struct Entry {
    let summary: RecordedExchange.Summary
    let text: ArraySlice<UInt8>
  }

  private let spool: any RecordingSpool
  private let aliases: [OriginAlias]
  private let state = Mutex(State())
  private let late = LateSecrets()

  init(_ spool: any RecordingSpool, _ aliases: [OriginAlias]) {
    self.spool = spool
    self.aliases = aliases
  }

  var count: Int { state.withLock { $0.index.count } }

  /// How many texts of the written recording look like credentials and are not hidden.
  var suspectCount: Int {
    state.withLock { $0.suspects }.keys.count { !late.isHidden($0) }
  }

  /// Where these texts are, sorted.
  var suspectPlaces: [String] {
    let suspects = state.withLock { $0.suspects }
    return Set(suspects.filter { !late.isHidden($0.key) }.values).sorted()
  }

  func record(_ request: TransportRequest, _ result: Result<TransportResponse, TransportError>) {
    guard let asker = request.stepRequest else { return }
    late.note(asker.redactor)
    var (outcome, shapes) = asker.outcome(result, aliases)
    func hide(_ value: String, _ name: String) {
      late.hide(value, as: name)
      shapes[name] = late.shape(of: name)
    }
    let written = RecordedExchange.Request(asker.unsigned, asker, aliases, hide)
    if case .response(var response) = outcome {
      response.headers = response.headers.map {
        RecordedField($0.name, RecordedCredentials.named($0.name, $0.value, hide))
      }
      outcome = .response(response)
    }
    var exchange = RecordedExchange(key: asker.key, request: written, outcome: outcome)
    exchange.cause = asker.cause.rawValue
    // Read before the text is searched: a secret that becomes known later is searched for at the end.
    let revision = late.revision
    let (text, more) = text(of: &exchange)
    do throws(RecordingProblem) {
      try add(exchange, text, revision, shapes.merging(more) { first, _ in first })
    } catch {
      state.withLock { $0.problem = $0.problem ?? error }
    }
  }

  /// The text of an exchange, in which all is hidden that is known as a secret now, and the shapes of
  /// those secrets.
  private func text(of exchange: inout RecordedExchange) -> ([UInt8], [String: String]) {
    let text = RecordingWriter.text(of: exchange)
    guard let (named, shapes) = late.named(text, { exchange }) else { return (text, [:]) }
    exchange = named
    return (RecordingWriter.text(of: named), shapes)
  }

  private func add(
    _ exchange: RecordedExchange, _ text: [UInt8], _ revision: Int, _ shapes: [String: String]
  ) throws(RecordingProblem) {
    guard let key = exchange.key else { return }
    let suspects = RecordedCredentials.suspects(in: exchange)
    let range = try spool.append(RecordedExchange.Summary(exchange).line(before: text))
    state.withLock { state in
      state.index.add(key, at: Recording.Place(offset: range.lowerBound, length: range.count))
      state.note(range, revision)
      if !shapes.isEmpty { state.shapes.merge(shapes) { first, _ in first } }
      if !suspects.isEmpty { state.suspects.merge(suspects) { first, _ in first } }
    }
  }

  // MARK: Writing

  /// Hides in the older entries what became known as a secret after they were made.
  private func finish() throws(RecordingProblem) {
    let (index, staleEnd) = state.withLock { state in
      state.index.sort()
      return (state.index, late.revision > state.revision ? state.end : state.staleEnd)
    }
    guard staleEnd > 0 else { return }
    var finished = KeyIndex()
    for number in 0..<index.count {
      let (key, place) = (index.key(at: number), index.place(at: number))
      guard place.offset < staleEnd else {
        finished.add(key, at: place)
        continue
      }
      let entry = try entry(at: place, key)
      guard let (named, shapes) = late.named(Array(entry.text), { Self.exchange(entry.text) })
      else {
        finished.add(key, at: place)
        continue
      }
      let range = try spool.append(
        RecordedExchange.Summary(named).line(before: RecordingWriter.text(of: named)))
      finished.add(key, at: Recording.Place(offset: range.lowerBound, length: range.count))
      state.withLock { $0.shapes.merge(shapes) { first, _ in first } }
    }
    finished.sort()
    state.withLock { $0.index = finished }
  }

  private func entry(
    at place: Recording.Place, _ key: RecordingKey
  ) throws(RecordingProblem) -> Entry {
    let bytes = try spool.read(place.offset..<place.offset + place.length)
    guard let (summary, text) = RecordedExchange.Summary.split(bytes, key) else {
      throw RecordingProblem("cannot be read back")
    }
    return Entry(summary: summary, text: text)
  }

  private static func exchange(_ text: ArraySlice<UInt8>) -> RecordedExchange? {
    (try? JSONDocument.parse(Array(text))).flatMap { RecordedExchange($0.root) }
  }

  /// - Parameter note: Given what a list shows of each entry, in the order of the file.
  func write(
    adding earlier: Recording?, run: RecordedRun?, to sink: ([UInt8]) -> Void,
    note: (RecordedRow) -> Void
  ) throws(RecordingProblem) {
    if let problem = state.withLock({ $0.problem }) { throw problem }
    try finish()
    let (index, shapes) = state.withLock { ($0.index, $0.shapes) }
    let allShapes = shapes.merging(earlier?.shapes ?? [:]) { first, _ in first }
    var writer = RecordingWriter(
      shapes: allShapes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, $0.value) }, run: run ?? earlier?.run)
    var count = 0
    func add(_ entry: Entry) {
      let bytes = writer.add(text: entry.text, to: sink)
      note(RecordedRow(entry.summary, number: count, bytes: bytes))
      count += 1
    }
    var next = 0
    func addEarlier(before key: RecordingKey?) throws(RecordingProblem) {
      guard let earlier else { return }
      while next < earlier.index.count {
        let kept = earlier.index.key(at: next)
        if let key, !(kept < key) { return }
        if index.places(for: kept).isEmpty {
          let exchange = try earlier.exchange(at: earlier.index.place(at: next))
          add(
            Entry(
              summary: RecordedExchange.Summary(exchange),
              text: RecordingWriter.text(of: exchange)[...]))
        }
        next += 1
      }
    }
    for number in 0..<index.count {
      let key = index.key(at: number)
      try addEarlier(before: key)
      add(try entry(at: index.place(at: number), key))
    }
    try addEarlier(before: nil)
    writer.finish(to: sink)
  }
}

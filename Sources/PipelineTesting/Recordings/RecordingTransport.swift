internal import PipelineJSONText
public import PipelineKit
public import PipelineRecordings
internal import Synchronization

/// Sends requests with another transport, and records them with their responses.
///
/// No secret is written, in whatever encoding the run's redactor knows: each has its name in its
/// place. A recording is of one run.
public final class RecordingTransport: MeteredTransport {
  private let watched: WatchedTransport
  private let recorder: Recorder

  /// - Parameters:
  ///   - transport: The transport of the requests.
  ///   - spool: Where entries wait; by default in memory.
  ///   - aliases: Origins that differ from run to run.
  public init(
    _ transport: any Transport, spool: any RecordingSpool = MemorySpool(),
    aliases: [OriginAlias] = []
  ) {
    let recorder = Recorder(spool, aliases)
    self.recorder = recorder
    watched = WatchedTransport(transport) { request, result in recorder.record(request, result) }
  }

  /// `true`: entries are written in the order of the asking steps.
  public var readsAsker: Bool { true }

  /// `true`: a request that is given up at its limit is recorded, too.
  public var keepsTimeLimits: Bool { watched.keepsTimeLimits }

  /// The executor of the transport that sends.
  public func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
    watched.preferredExecutor(for: task)
  }

  /// How many exchanges were recorded.
  public var count: Int { recorder.count }

  /// How many texts of the written recording look like credentials, although nothing says that they
  /// are.
  public var suspectCount: Int { recorder.suspectCount }

  /// Sends a request and records its outcome.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await watched.send(request)
  }

  package func send(
    _ request: TransportRequest, _ meter: any RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    try await watched.send(request, meter)
  }

  /// Writes the recording, its entries sorted by the asking step.
  ///
  /// - Parameters:
  ///   - earlier: A recording whose entries are written, too, if they were not sent again.
  ///   - run: The values that the run began with, if its requests depend on them.
  ///   - sink: Given piece after piece of the file.
  /// - Throws: The problem that prevented an entry from being recorded.
  public func write(
    adding earlier: Recording? = nil, run: RecordedRun? = nil,
    to sink: ([UInt8]) -> Void
  ) throws(RecordingProblem) {
    try recorder.write(adding: earlier, run: run, to: sink)
  }
}

/// Keeps exchanges until the recording is written.
private final class Recorder: Sendable {
  private struct State {
    var index = KeyIndex()
    var shapes: [String: String] = [:]
    var problem: RecordingProblem?
    var suspects = 0
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
    var writer = JSONWriter(style: .compact)
    var exchange = RecordedExchange(key: asker.key, request: written, outcome: outcome)
    exchange.cause = asker.cause.rawValue
    exchange.write(to: &writer)
    do throws(RecordingProblem) {
      let range = try spool.append(writer.bytes)
      state.withLock { state in
        state.index.add(
          asker.key, at: Recording.Place(offset: range.lowerBound, length: range.count))
        state.shapes.merge(shapes) { first, _ in first }
      }
    } catch {
      state.withLock { $0.problem = $0.problem ?? error }
    }
  }

  /// Hides in the entries what became known as a secret after they were made, and counts the texts
  /// that look like credentials and are not hidden.
  private func finish() throws(RecordingProblem) -> (index: KeyIndex, suspects: Int) {
    let index = state.withLock { state in
      state.index.sort()
      return state.index
    }
    var finished = KeyIndex()
    var suspects: Set<String> = []
    for number in 0..<index.count {
      let (key, place) = (index.key(at: number), index.place(at: number))
      let text = try spool.read(place.offset..<place.offset + place.length)
      guard let document = try? JSONDocument.parse(text) else {
        throw RecordingProblem("cannot be read back")
      }
      let exchange = { RecordedExchange(document.root) }
      guard let (named, shapes) = late.named(text, exchange) else {
        if let exchange = exchange() {
          suspects.formUnion(RecordedCredentials.suspects(in: exchange))
        }
        finished.add(key, at: place)
        continue
      }
      suspects.formUnion(RecordedCredentials.suspects(in: named))
      var writer = JSONWriter(style: .compact)
      named.write(to: &writer)
      let range = try spool.append(writer.bytes)
      finished.add(key, at: Recording.Place(offset: range.lowerBound, length: range.count))
      state.withLock { $0.shapes.merge(shapes) { first, _ in first } }
    }
    finished.sort()
    return (finished, suspects.count)
  }

  /// How many texts of the written recording look like credentials and are not hidden.
  var suspectCount: Int { state.withLock { $0.suspects } }

  func write(
    adding earlier: Recording?, run: RecordedRun?, to sink: ([UInt8]) -> Void
  ) throws(RecordingProblem) {
    if let problem = state.withLock({ $0.problem }) { throw problem }
    let (index, suspects) = try finish()
    let shapes = state.withLock { state in
      state.suspects = suspects
      return state.shapes
    }
    let allShapes = shapes.merging(earlier?.shapes ?? [:]) { first, _ in first }
    var writer = RecordingWriter(
      shapes: allShapes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, $0.value) }, run: run ?? earlier?.run)
    var next = 0
    func writeEarlier(before key: RecordingKey?) throws(RecordingProblem) {
      guard let earlier else { return }
      while next < earlier.index.count {
        let kept = earlier.index.key(at: next)
        if let key, !(kept < key) { return }
        if index.places(for: kept).isEmpty {
          var text = JSONWriter(style: .compact)
          try earlier.exchange(at: earlier.index.place(at: next)).write(to: &text)
          writer.add(text.document().root, to: sink)
        }
        next += 1
      }
    }
    for number in 0..<index.count {
      if earlier != nil { try writeEarlier(before: index.key(at: number)) }
      let place = index.place(at: number)
      let text = try spool.read(place.offset..<place.offset + place.length)
      guard let document = try? JSONDocument.parse(text) else {
        throw RecordingProblem("cannot be read back")
      }
      writer.add(document.root, to: sink)
    }
    try writeEarlier(before: nil)
    writer.finish(to: sink)
  }
}

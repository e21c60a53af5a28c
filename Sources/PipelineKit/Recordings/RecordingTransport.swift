internal import PipelineJSONText
public import PipelineRecordings
internal import Synchronization

/// Sends requests with another transport, and records them and what came back.
///
/// No secret is written, in whatever encoding the run's redactor knows: each has its name in its
/// place. A recording is of one run.
public final class RecordingTransport: MeteredTransport {
  private let watched: WatchedTransport
  private let recorder: Recorder

  /// - Parameters:
  ///   - transport: What sends the requests.
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

  /// `true`: entries are written by who asks.
  public var readsAsker: Bool { true }

  /// As the transport that sends.
  public var keepsTimeLimits: Bool { watched.keepsTimeLimits }

  /// That of the transport that sends.
  public func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
    watched.preferredExecutor(for: task)
  }

  /// How many exchanges were recorded.
  public var count: Int { recorder.count }

  /// Sends a request and writes down what came of it.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await watched.send(request)
  }

  package func send(
    _ request: TransportRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    try await watched.send(request, meter)
  }

  /// Writes the recording, its entries sorted by who asked.
  ///
  /// - Parameters:
  ///   - earlier: A recording whose entries are written, too, where they were not sent again.
  ///   - run: What the run began with, where its requests depend on it.
  ///   - sink: Given piece after piece of the file.
  /// - Throws: What kept an entry from being recorded.
  public func write(
    adding earlier: Recording? = nil, run: RecordedRun? = nil,
    to sink: ([UInt8]) -> Void
  ) throws(RecordingProblem) {
    try recorder.write(adding: earlier, run: run, to: sink)
  }
}

/// Keeps exchanges until the recording is written.
private final class Recorder: Sendable {
  private struct Entry {
    let key: RecordingKey
    let range: Range<Int>
  }

  private struct State {
    var entries: [Entry] = []
    var shapes: [String: String] = [:]
    var problem: RecordingProblem?
  }

  private let spool: any RecordingSpool
  private let aliases: [OriginAlias]
  private let state = Mutex(State())

  init(_ spool: any RecordingSpool, _ aliases: [OriginAlias]) {
    self.spool = spool
    self.aliases = aliases
  }

  var count: Int { state.withLock { $0.entries.count } }

  func record(_ request: TransportRequest, _ result: Result<TransportResponse, TransportError>) {
    guard let asker = request.asker else { return }
    let (outcome, shapes) = asker.outcome(result, aliases)
    var writer = JSONWriter(style: .compact)
    RecordedExchange(
      key: asker.key, request: RecordedExchange.Request(request, asker, aliases), outcome: outcome
    ).write(to: &writer)
    do throws(RecordingProblem) {
      let range = try spool.append(writer.bytes)
      state.withLock { state in
        state.entries.append(Entry(key: asker.key, range: range))
        state.shapes.merge(shapes) { first, _ in first }
      }
    } catch {
      state.withLock { $0.problem = $0.problem ?? error }
    }
  }

  func write(
    adding earlier: Recording?, run: RecordedRun?, to sink: ([UInt8]) -> Void
  ) throws(RecordingProblem) {
    let (entries, shapes, problem) = state.withLock { ($0.entries, $0.shapes, $0.problem) }
    if let problem { throw problem }
    let order = entries.indices.sorted { one, two in
      entries[one].key == entries[two].key ? one < two : entries[one].key < entries[two].key
    }
    let allShapes = shapes.merging(earlier?.shapes ?? [:]) { first, _ in first }
    var writer = RecordingWriter(
      shapes: allShapes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { ($0.key, $0.value) }, run: run ?? earlier?.run)
    let sent = Set(entries.map(\.key))
    var kept = (earlier?.keys ?? []).filter { !sent.contains($0) }.uniqued.sorted()[...]
    func writeKept(before key: RecordingKey?) throws(RecordingProblem) {
      guard let earlier else { return }
      while let next = kept.first, key.map({ next < $0 }) ?? true {
        kept.removeFirst()
        for place in earlier.places(for: next) {
          var text = JSONWriter(style: .compact)
          try earlier.exchange(at: place).write(to: &text)
          writer.add(text.document().root, to: sink)
        }
      }
    }
    for index in order {
      try writeKept(before: entries[index].key)
      let text = try spool.read(entries[index].range)
      guard let document = try? JSONDocument.parse(text) else {
        throw RecordingProblem("cannot be read back")
      }
      writer.add(document.root, to: sink)
    }
    try writeKept(before: nil)
    writer.finish(to: sink)
  }
}

extension [RecordingKey] {
  /// Each key once.
  fileprivate var uniqued: [RecordingKey] {
    var seen: Set<RecordingKey> = []
    return filter { seen.insert($0).inserted }
  }
}

public import PipelineKit
public import PipelineRecordings

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

  /// Where these texts are: `the response of 'login' at $.token`.
  package var suspectPlaces: [String] { recorder.suspectPlaces }

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
    try recorder.write(adding: earlier, run: run, to: sink) { _ in }
  }

  /// Writes the recording as `write(adding:run:to:)` does.
  ///
  /// - Parameter note: Given what a list shows of each entry, in the order of the file.
  package func write(
    adding earlier: Recording?, run: RecordedRun?, to sink: ([UInt8]) -> Void,
    note: (RecordedRow) -> Void
  ) throws(RecordingProblem) {
    try recorder.write(adding: earlier, run: run, to: sink, note: note)
  }
}

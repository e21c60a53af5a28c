internal import PipelineKit
internal import PipelineReports

/// What a run does, for its reports: those requested with the run, and those that may be requested
/// later.
final class KeptTrace: Sendable {
  /// Builds the trace while the run goes on; `nil` if no report is asked for.
  private let collector: TraceCollector?
  /// Keeps what a trace can be made of later; `nil` if the run is not kept.
  private let log: TraceLog?

  /// - Parameters:
  ///   - hasReports: Whether a report is asked for with the run.
  ///   - rowStep: The step each of whose items is a run of its own.
  /// - Returns: `nil` if no report can be requested, now or later.
  init?(_ kept: (any RunKeeping)?, hasReports: Bool, rowStep: String?) {
    // Before this process adds to the log.
    collector = hasReports ? TraceCollector(after: kept?.earlierTrace, rowStep: rowStep) : nil
    log = kept?.traceFile().map { TraceLog(rowStep: rowStep, append: $0.append) }
    if collector == nil, log == nil { return nil }
  }

  func receive(_ event: RunEvent) {
    log?.receive(event)
    collector?.receive(event)
  }

  /// Writes what has come, for readers during the run, or after the process was killed.
  func flush() { log?.flush() }

  /// Writes all that is left. Returns the trace, if a report is asked for.
  func finish() -> RunTrace? {
    log?.flush()
    return collector?.trace()
  }
}

extension FinishRecord {
  private static let mostFailures = 100

  /// The record of a report, with its first 100 failures.
  public init(_ report: RunReport) {
    let failed = report.failures.prefix(Self.mostFailures).map {
      Failed(
        step: $0.step, place: $0.path + [$0.item].compactMap { $0 }, kind: $0.failure.kind,
        message: $0.failure.message)
    }
    let stop = report.stopReason.map {
      Failed(step: "", place: [], kind: $0.kind, message: $0.message)
    }
    self.init(
      status: report.status, duration: report.duration, counts: report.counts,
      failures: [stop].compactMap { $0 } + failed, failureCount: report.failures.count)
    questions = report.questions
  }
}

internal import PipelineByteText
internal import PipelineKit
internal import SQLiteJournals
internal import Synchronization

/// A part of a run, whose journal and results are in the folder of all parts.
struct KeptPart: RunKeeping {
  let folder: PartFolder
  let files: PartFolder.Part
  let parts: PartJournal
  /// The same journal as the file that must be closed.
  let own: SQLiteJournal
  let record: RunRecord
  let work: RunPart.Work
  let sources: String
  /// The command line that carries this part out.
  let command: String
  /// Held for as long as the part is at work.
  let lease: PartLease
  let outcome: PartOutcome
  /// Its share of the limits; `nil` if it was given a fixed one.
  let limits: FolderLimits?

  var id: String { record.id }
  var journal: any Journal { parts }
  var maySend: (@Sendable () -> Bool)? { { [lease] in lease.holds() } }

  var sharing: (any LimitSharing)? { limits }
  var observer: (@Sendable (RunEvent) -> Void)? { { [outcome] in outcome.receive($0) } }

  func close() {
    limits?.end()
    own.close()
  }

  func doubtText(_ requests: [SendingRecord]) -> String {
    DoubtText(requests, settledBy: command).text
  }

  func end(
    _ report: RunReport, _ status: ExitStatus, _ console: Console, isQuiet: Bool
  ) async -> ExitStatus {
    guard lease.holds() else {
      // The part belongs to another process now, and so does what it came to.
      console.complain(
        "this process was stopped for so long that another one may carry the part out, so it has"
          + " sent nothing more; start the part again to see how it ended")
      return .failure
    }
    journal.append(.finished(FinishRecord(report)))
    if let problem = await journal.finish() ?? report.journalProblem {
      console.complain(problem.message)
      return status == .interrupted ? status : .failure
    }
    if report.counts.inDoubt > 0, let doubts = try? journal.history().sendings {
      console.error.write(doubtText(doubts.filter(\.isInDoubt) + report.changedRequests))
      return status == .interrupted ? status : .inDoubt
    }
    guard status != .interrupted, case .step(let step) = work else { return status }
    guard report.stopReason == nil else { return status }
    guard report.counts.refused == 0 else { return .notReady }
    // A step that is not carried out, because an earlier one failed, is done: the end of the run
    // reports that failure.
    let failures = report.failures.filter { failure in
      failure.step.equals(bytes: step) || failure.step.hasPrefix(bytes: step + ".")
    }
    let isDone = report.status == .succeeded || failures.isEmpty
    let isSkipped = isDone && !outcome.isCarriedOut
    do {
      try folder.finish(
        files, parts, report, status: isDone ? .succeeded : .failed, outcome: outcome,
        sources: sources)
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .failure
    } catch {
      console.complain("\(error)")
      return .failure
    }
    if isSkipped { return .skipped }
    // Text printed by earlier parts does not count.
    if isDone { return status == .failure ? .success : status }
    return failures.contains(where: \.failure.mayPass) ? status : .failedForGood
  }
}

/// How the step of a part ends.
final class PartOutcome: Sendable {
  private let step: String
  private let outcome = Mutex<RunEvent.Outcome?>(nil)

  init(of work: RunPart.Work) {
    step = if case .step(let id) = work { id } else { "" }
  }

  /// Whether the step was carried out. If not, it is skipped, or an earlier step failed.
  var isCarriedOut: Bool {
    switch outcome.withLock({ $0 }) {
    case .succeeded, .recovered, .failed: true
    default: false
    }
  }

  /// Whether each of its items ended well, and none recovered from a failure.
  var isWell: Bool {
    if case .succeeded? = outcome.withLock({ $0 }) { true } else { false }
  }

  func receive(_ event: RunEvent) {
    guard case .stepFinished(let finished) = event.kind, finished.path.isEmpty,
      finished.step.equals(bytes: step)
    else { return }
    outcome.withLock { $0 = finished.outcome }
  }
}

/// How many items a collection has: found out by a run that leaves them all alone.
final class ItemCount: RunKeeping {
  let id: String
  let journal: any Journal
  private let step: String
  private let count = Mutex(0)

  init(_ record: RunRecord, of step: String, others: PartUnitIndex) {
    id = record.id
    journal = PartJournal(record, own: MemoryJournal(), others: others)
    self.step = step
  }

  var observer: (@Sendable (RunEvent) -> Void)? {
    { [self] event in
      if case .stepStarted(let started) = event.kind, started.path.isEmpty,
        started.step.equals(bytes: step)
      {
        count.withLock { $0 = started.items ?? 1 }
      }
    }
  }

  func end(
    _ report: RunReport, _ status: ExitStatus, _ console: Console, isQuiet: Bool
  ) async -> ExitStatus {
    guard status != .interrupted, report.stopReason == nil else { return status }
    guard report.counts.refused == 0 else { return .notReady }
    // A collection that is skipped has no items. The part reports what is wrong with one.
    console.output.write("\(count.withLock { $0 })\n")
    return .success
  }

  func close() {}
}

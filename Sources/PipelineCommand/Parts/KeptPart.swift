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

  var id: String { record.id }
  var journal: any Journal { parts }
  var maySend: (@Sendable () -> Bool)? { { [lease] in lease.holds() } }

  func close() { own.close() }

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
    guard report.stopReason == nil, report.counts.refused == 0 else { return status }
    // A step that is not carried out, because an earlier one failed, is done: the end of the run
    // reports that failure.
    let hasFailed = report.failures.contains { failure in
      failure.step.equals(bytes: step) || failure.step.hasPrefix(bytes: step + ".")
    }
    let isDone = report.status == .succeeded || !hasFailed
    do {
      try folder.finish(
        files, parts, report, status: isDone ? .succeeded : .failed, sources: sources)
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .failure
    } catch {
      console.complain("\(error)")
      return .failure
    }
    // Text printed by earlier parts does not count.
    return isDone && status == .failure ? .success : status
  }
}

/// How many items a collection has: found out by a run that leaves them all alone.
final class ItemCount: RunKeeping {
  let id: String
  let journal: any Journal
  private let step: String
  private let count = Mutex(0)

  init(_ record: RunRecord, of step: String, others: [UnitRecord]) {
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
    if status == .success { console.output.write("\(count.withLock { $0 })\n") }
    return status
  }

  func close() {}
}

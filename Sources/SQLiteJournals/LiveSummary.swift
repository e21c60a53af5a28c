internal import PipelineByteText
internal import PipelineJournals

/// The summary of a run beside its journal (`run.json`), which others read while the run goes on.
///
/// It is written when a process takes the run up and when it ends it, and between them once a
/// second if there is news.
final class LiveSummary {
  /// The run's folder.
  private let folder: String
  /// `nil` if the run is not under way.
  private var run: StoredRun?
  /// What earlier processes have sent.
  private var earlierRequests = 0
  /// By path, its position among the steps of `run`.
  private var positions: [String: Int] = [:]
  /// The step that was looked up last. The next unit is mostly of the same.
  private var lastStep: (path: String, position: Int)?
  private var writtenAt = 0.0
  /// Whether the run has come further than what is written.
  private(set) var isStale = false

  /// How old the summary may be, in seconds.
  static let pause = 1.0

  init(folder: String) {
    self.folder = folder
  }

  /// Takes entries that the journal has.
  func note(_ entries: [JournalEntry], _ journal: JournalFile) {
    for entry in entries {
      switch entry {
      case .started:
        run = try? journal.summary(isUnderWay: true)
        earlierRequests = run?.requests ?? 0
        positions = [:]
        lastStep = nil
        write()
      case .finished:
        run = nil
        isStale = false
        if let run = try? journal.summary() { Self.write(run, to: folder) }
      case .unit(let unit):
        count(unit)
        note(requests: unit.requests)
      case .page(let page): note(requests: page.requests)
      case .sending(let sending): note(requests: sending.requests)
      case .sent, .answered, .again, .passAgain, .saving: break
      }
    }
    refresh()
  }

  /// Writes the news, if there are any, unless that was done within the second.
  func refresh() {
    if isStale, Clock.elapsed - writtenAt >= Self.pause { write() }
  }

  private func count(_ unit: UnitRecord) {
    guard run != nil else { return }
    let position = position(of: unit.key.step)
    if case .failed = unit.outcome {
      run?.steps[position].failed += 1
    } else {
      run?.steps[position].done += 1
    }
    isStale = true
  }

  private func position(of step: String) -> Int {
    if let lastStep, lastStep.path.equals(bytes: step) { return lastStep.position }
    let position = positions[step] ?? run?.steps.count ?? 0
    if positions[step] == nil {
      positions[step] = position
      run?.steps.append(StoredRun.Step(path: step))
    }
    lastStep = (step, position)
    return position
  }

  /// Entries are not quite in the order in which their requests were counted.
  private func note(requests: Int) {
    let sum = earlierRequests.addingReportingOverflow(requests)
    guard !sum.overflow, sum.partialValue > run?.requests ?? 0 else { return }
    run?.requests = sum.partialValue
    isStale = run != nil
  }

  private func write() {
    guard let run else { return }
    Self.write(run, to: folder)
    writtenAt = Clock.elapsed
    isStale = false
  }

  static func write(_ run: StoredRun, to folder: String) {
    PrivateFile.replace(RunFolder.summaryPath(folder), with: run.json, by: folder + "/.run.json")
  }
}

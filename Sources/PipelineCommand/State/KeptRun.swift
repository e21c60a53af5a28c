internal import PipelineByteText
internal import PipelineKit
internal import PipelineSourceText
internal import PipelineReports
internal import SQLiteJournals

/// Where a run of the command line is recorded, and the fate of that record when it has ended.
protocol RunKeeping: Sendable {
  var id: String { get }
  var journal: any Journal { get }
  /// Receives each event.
  var observer: (@Sendable (RunEvent) -> Void)? { get }
  /// Whether the process may send a request; `nil` if it always may.
  var maySend: (@Sendable () -> Bool)? { get }
  /// Hands out limits that other processes keep, too; `nil` if there are none.
  var sharing: (any LimitSharing)? { get }
  /// What earlier processes of the run did, if it was kept.
  var earlierTrace: RunTrace? { get }

  /// Opens the file for what this process does; `nil` if it is not kept.
  func traceFile() -> TraceFile?

  /// The run has ended, and its outputs are at their destinations.
  ///
  /// - Returns: The exit status.
  func end(
    _ report: RunReport, _ status: ExitStatus, _ console: Console, isQuiet: Bool
  ) async -> ExitStatus

  /// The text about requests that a person must decide about.
  func doubtText(_ requests: [SendingRecord]) -> String

  /// Where rows of large responses wait that a later process may need; `nil` if nowhere.
  var rowFolder: String? { get }

  func close()
}

extension RunKeeping {
  func doubtText(_ requests: [SendingRecord]) -> String {
    "\(RunInDoubt(requests: requests))\n"
  }

  var observer: (@Sendable (RunEvent) -> Void)? { nil }
  var maySend: (@Sendable () -> Bool)? { nil }
  var sharing: (any LimitSharing)? { nil }
  var rowFolder: String? { nil }
  var earlierTrace: RunTrace? { nil }

  func traceFile() -> TraceFile? { nil }
}

/// A run whose journal is in a store.
struct KeptRun: RunKeeping {
  let store: RunStore
  let id: String
  let file: SQLiteJournal
  /// The store, as a command line names it.
  let options: StoreOptions

  var journal: any Journal { file }

  /// The id as people type it.
  var shortID: String { store.shortID(of: id) }

  /// The id, and the store if it must be named: what follows `pipeline resume`.
  var words: String { shortID + options.words }

  /// Begins the journal of a new run; `nil` if nothing is to be kept, or can be.
  ///
  /// - Parameter id: The id of the run.
  /// - Throws: An error if the store was asked for by name and cannot be used.
  static func begin(
    in location: StoreLocation, _ options: StoreOptions, _ settings: RunSettings,
    _ console: Console, isQuiet: Bool, id: String = Run.randomID()
  ) throws(JournalError) -> KeptRun? {
    guard case .folder(let folder, let isNamed) = location else { return nil }
    let store = RunStore(path: folder + "/runs")
    do throws(JournalError) {
      let journal = try store.create(id: id, details: settings.details)
      return KeptRun(store: store, id: id, file: journal, options: options)
    } catch {
      if isNamed { throw error }
      if !isQuiet {
        console.error.write(line: "note: nothing of this run is kept: \(error.message)")
      }
      return nil
    }
  }

  func close() { file.close() }

  var earlierTrace: RunTrace? { store.runTrace(of: id) }
  var rowFolder: String? { store.rowFolder(of: id) }

  func traceFile() -> TraceFile? { TraceFile(path: store.traceLogPath(of: id)) }

  /// Ends the journal. If the run has not succeeded, says how to continue it.
  func end(
    _ report: RunReport, _ status: ExitStatus, _ console: Console, isQuiet: Bool
  ) async -> ExitStatus {
    // A run whose outputs could not be written has not come to its end: 'resume' writes them.
    if report.status != .succeeded || status == .success {
      journal.append(.finished(FinishRecord(report)))
    }
    let problem = await journal.finish() ?? report.journalProblem
    if let problem {
      console.error.write(line: "note: not all of this run is kept: \(problem.message)")
    }
    if report.status == .succeeded, status == .success { store.removeRows(of: id) }
    guard report.status != .succeeded || report.counts.inDoubt > 0, store.holds(self.id)
    else { return status }
    // Answers that could not be written leave their requests in doubt, too.
    if report.counts.inDoubt > 0 || problem != nil, let sendings = try? journal.history().sendings {
      let doubts = sendings.filter(\.isInDoubt) + report.changedRequests
      if !doubts.isEmpty || report.counts.inDoubt > 0 {
        console.error.write(doubtText(doubts))
        return status == .interrupted ? status : .inDoubt
      }
    }
    if !report.questions.isEmpty {
      let answers = report.questions.prefix(Self.mostQuestions).map(\.options).joined()
      console.error.write(line: "answer: pipeline resume \(words)\(answers)")
    } else if !isQuiet {
      console.error.write(line: "resume: pipeline resume \(words)")
    }
    return status
  }

  private static let mostQuestions = 8

  func doubtText(_ requests: [SendingRecord]) -> String { DoubtText(requests, of: words).text }
}

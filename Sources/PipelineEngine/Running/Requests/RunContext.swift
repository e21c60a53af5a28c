internal import PipelineLanguage

/// What all the tasks of one run share. Everything that changes is protected by a lock or atomic.
final class RunContext: Sendable {
  let options: RunOptions
  /// Says when a request may leave.
  let gates: RunGates
  /// Brings a request to what answers it.
  let carrier: RequestCarrier
  /// What the run has received, and what it holds.
  let usage: RunUsage
  let trust: Trust
  let origins = RecentOrigin()
  let tokens: SharedTokens
  /// Where the run writes down what happens; `nil` if nowhere.
  let journal: UnitJournal?
  /// Where events and notes for people go.
  let notes: RunNotes
  /// The rows of the run's file that are handed on, or wait on the disk.
  let rows: HandedRows
  /// The questions of the run.
  let questions: RunQuestions

  init(
    transport: any Transport, handlers: Handlers = Handlers(), options: RunOptions,
    limits: Limits, redactor: Redactor, trust: Trust, sink: EventSink?, controls: RunControls,
    journal: UnitJournal? = nil, rows: HandedRows = HandedRows(),
    questions: RunQuestions = RunQuestions()
  ) {
    self.questions = questions
    self.options = options
    self.trust = trust
    self.journal = journal
    self.rows = rows
    gates = RunGates(limits, options, controls)
    carrier = RequestCarrier(transport, handlers, options)
    usage = RunUsage()
    tokens = options.tokens ?? SharedTokens(clock: options.clock)
    notes = RunNotes(sink, redactor)
  }

  /// The most requests in flight.
  var concurrency: Int { gates.concurrency }

  var redactor: Redactor { notes.redactor }

  /// Where events go; `nil` while they are not wanted.
  var sink: EventSink? { notes.sink }

  /// 32 hexadecimal digits, from the run's own chances.
  func randomID() -> String {
    (0..<8).map { _ in
      let digits = String(Int(options.random() * 65_536), radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}

internal import PipelineByteText

/// Cases that belong together, as test tools show them: the steps of a run, or the tests of a file.
package struct Suite: Sendable {
  package struct Case: Sendable {
    package enum Outcome: Sendable, Hashable {
      case passed
      /// The case was judged, and is not as it should be.
      case failed
      /// It could not be judged.
      case broken
      case skipped
    }

    package struct Problem: Sendable {
      /// A word for its kind.
      package var kind: String
      package var message: String
      /// More about it, in lines.
      package var details: [String]
      package var line: Int?
      package var column: Int?

      package init(
        kind: String, message: String, details: [String] = [], line: Int? = nil,
        column: Int? = nil
      ) {
        self.kind = kind
        self.message = message
        self.details = details
        self.line = line
        self.column = column
      }
    }

    /// Its group: `workflow`, or `workflow.block`.
    package var group: String
    package var name: String
    package var outcome: Outcome
    /// In microseconds.
    package var time: Int
    package var file: String?
    package var line: Int?
    package var problems: [Problem]

    package init(
      group: String, name: String, outcome: Outcome, time: Int, file: String? = nil,
      line: Int? = nil, problems: [Problem] = []
    ) {
      self.group = group
      self.name = name
      self.outcome = outcome
      self.time = time
      self.file = file
      self.line = line
      self.problems = problems
    }
  }

  package var name: String
  package var file: String
  /// In seconds since 1970-01-01T00:00:00Z.
  package var startedAt: Double?
  /// In microseconds.
  package var time: Int
  package var cases: [Case]
  /// What else is known of it, by name.
  package var properties: [(name: String, value: String)] = []
  /// What was noted beside the cases, in lines.
  package var notes: [String] = []

  package init(name: String, file: String, startedAt: Double?, time: Int, cases: [Case]) {
    self.name = name
    self.file = file
    self.startedAt = startedAt
    self.time = time
    self.cases = cases
  }

  func count(_ outcome: Case.Outcome) -> Int {
    cases.reduce(0) { $0 + ($1.outcome == outcome ? 1 : 0) }
  }
}

extension Suite {
  /// A case for each step of a run, with all of its passes.
  package init(_ trace: RunTrace) {
    var cases =
      Self.rowCases(trace)
      + trace.steps.filter { !Self.isInRows($0, trace) }
      .map { Self.stepCase($0, trace) }
    let isListed = { (failed: RunTrace.Failed) in
      trace.steps.contains { $0.id.equals(bytes: failed.step) }
    }
    // Such as the outputs, or what stopped the run.
    for failed in trace.failures where !isListed(failed) && !failed.isRecovered {
      cases.append(
        Case(
          group: trace.workflow, name: failed.step, outcome: failed.caseOutcome, time: 0,
          file: failed.file, line: failed.line, problems: [failed.problem(in: trace)]))
    }
    let running = trace.isRunning ? "the run was under way when this report was made" : nil
    if let reason = running ?? trace.problem {
      cases.append(
        Case(
          group: trace.workflow, name: "run", outcome: .broken, time: trace.duration,
          file: trace.file, problems: [Case.Problem(kind: trace.status, message: reason)]))
    }
    self.init(
      name: trace.workflow, file: trace.file, startedAt: trace.startedAt, time: trace.duration,
      cases: cases)
    notes = trace.notes.map { ($0.step.map { "\($0): " } ?? "") + $0.message }
    if let sentence = trace.processSentence {
      properties = [("processes", String(trace.processes.count)), ("duration", sentence)]
    }
  }

  /// Whether the cases of its rows report a step. A step that failed in rows beyond the first ones
  /// also has a case of its own.
  private static func isInRows(_ step: RunTrace.Step, _ trace: RunTrace) -> Bool {
    guard let rowStep = trace.rowStep, let rows = trace.rows, !rows.isEmpty else { return false }
    guard step.id.equals(bytes: rowStep) || step.id.hasPrefix(bytes: rowStep + ".") else {
      return false
    }
    return rows.count < RunTrace.Most.rows || step.outcome != .failed
  }

  /// A case for each row that has a run of its own.
  private static func rowCases(_ trace: RunTrace) -> [Case] {
    guard let rowStep = trace.rowStep else { return [] }
    let line = trace.steps.first { $0.id.equals(bytes: rowStep) }
    return (trace.rows ?? []).sorted { $0.item < $1.item }.map { row in
      var rowCase = Case(
        group: trace.workflow, name: "\(rowStep)[\(row.item)]", outcome: .passed, time: row.time,
        file: line?.file)
      switch row.outcome {
      case .succeeded, .recovered: break
      case .skipped, .none, .cancelled:
        rowCase.outcome = .skipped
        rowCase.problems = [Case.Problem(kind: "skipped", message: row.outcome.rawValue)]
      case .failed, .unfinished:
        let failure = trace.failures.first { failed in
          (failed.path.first ?? failed.item) == row.item && !failed.isRecovered
            && failed.step.hasPrefix(bytes: rowStep)
        }
        rowCase.outcome = failure?.caseOutcome ?? row.failure?.outcome ?? .failed
        rowCase.problems = [
          failure?.problem(in: trace)
            ?? Case.Problem(
              kind: row.failure?.kind ?? "failed", message: row.failure?.message ?? "the run failed"
            )
        ]
      }
      return rowCase
    }
  }

  /// Whether what failed is a step in a block that is a case of its own.
  private static func isCase(
    _ failed: RunTrace.Failed, inside block: RunTrace.Step, _ trace: RunTrace
  ) -> Bool {
    guard !failed.step.equals(bytes: block.id) else { return false }
    return trace.steps.contains { step in
      step.id.equals(bytes: failed.step) && step.outcome == .failed && step.recoveredBy == nil
    }
  }

  private static func stepCase(_ step: RunTrace.Step, _ trace: RunTrace) -> Case {
    let dot = step.id.lastIndex(ascii: ".")
    let group = dot.map { trace.workflow + "." + step.id[..<$0] } ?? trace.workflow
    let name = dot.map { String(step.id[step.id.index(after: $0)...]) } ?? step.id
    var stepCase = Case(
      group: group, name: name, outcome: .passed, time: step.time, file: step.file,
      line: step.line)
    switch step.outcome {
    case .succeeded, .recovered: break
    case .skipped, .none, .cancelled:
      stepCase.outcome = .skipped
      let reason =
        step.outcome == .cancelled
        ? "cancelled" : step.reason ?? "the block around did not begin"
      stepCase.problems = [Case.Problem(kind: "skipped", message: reason)]
    case .unfinished where trace.isWaiting:
      stepCase.outcome = .skipped
      stepCase.problems = [
        Case.Problem(kind: "skipped", message: "the step waits for an answer of a person")
      ]
    case .unfinished:
      stepCase.outcome = .broken
      stepCase.problems = [
        Case.Problem(
          kind: trace.isRunning ? "running" : "unfinished",
          message: trace.isRunning
            ? "the step was under way when this report was made"
            : "the process ended before the step did")
      ]
    case .failed where step.recoveredBy != nil: break
    case .failed:
      if let failed = step.failure.map({ trace.failures[$0] }) {
        if isCase(failed, inside: step, trace) {
          stepCase.outcome = .skipped
          stepCase.problems = [
            Case.Problem(kind: "skipped", message: "step '\(failed.step)' in it failed")
          ]
          return stepCase
        }
        stepCase.outcome = failed.caseOutcome
        stepCase.problems = [failed.problem(in: trace)]
        if step.failedItems > 1 {
          stepCase.problems[0].details.append(
            "\(step.failedItems.groupedText) of \(step.itemsText ?? "its items")"
              + " failed")
        }
      } else {
        stepCase.outcome = .failed
        stepCase.problems = [
          Case.Problem(kind: "failed", message: step.reason ?? "the step failed")
        ]
      }
    }
    return stepCase
  }
}

extension Suite.Case.Outcome {
  /// A wrong result is a failure. A result that could not be judged is an error.
  fileprivate init(failureOf kind: String) {
    let isJudged = ["expect", "extract", "schema", "status", "fail"].contains(bytes: kind)
    self = isJudged ? .failed : .broken
  }
}

extension RunTrace.RowFailure {
  fileprivate var outcome: Suite.Case.Outcome { Suite.Case.Outcome(failureOf: kind) }
}

extension RunTrace.Failed {
  fileprivate var caseOutcome: Suite.Case.Outcome { Suite.Case.Outcome(failureOf: kind) }

  fileprivate func problem(in trace: RunTrace) -> Suite.Case.Problem {
    Suite.Case.Problem(
      kind: kind, message: message, details: detailLines(in: trace), line: line, column: column)
  }

  private func detailLines(in trace: RunTrace) -> [String] {
    var lines: [String] = []
    if let file, let line { lines.append("\(file):\(line):\(column ?? 1)") }
    if let place = trace.place(of: self) { lines.append(place) }
    if let method, let url {
      let tries = attempts.map { $0 > 1 ? " (\($0) attempts)" : "" } ?? ""
      lines.append("request: \(method) \(url)\(tries)")
    }
    if let status { lines.append("status: \(status)") }
    if let body, !body.isEmpty { lines += ["answer:", body] }
    if let details { lines.append("details: \(details)") }
    return lines
  }
}

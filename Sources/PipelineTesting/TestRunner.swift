internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
package import PipelineKit
package import PipelineLanguage
package import PipelinePlanning
package import PipelineRecordings

/// Runs the tests of a workflow in virtual time, without a network.
package struct TestRunner: Sendable {
  private let plan: Plan
  private let pagedSteps: Set<String>
  private let files: any FileAccess
  private let testFiles: any FileAccess
  private let loadRecording: @Sendable (String) throws(RecordingProblem) -> Recording
  /// The minimum number of orders in which each test is played.
  package var orders = 1
  /// From which the orders are drawn.
  package var seed: UInt64 = 1

  /// - Parameters:
  ///   - files: The files that the workflow's paths name.
  ///   - testFiles: The files that the test file's paths name.
  ///   - loadRecording: Opens a recording by its path in the test file.
  package init(
    _ plan: Plan, files: any FileAccess = NoFileAccess(),
    testFiles: any FileAccess = NoFileAccess(),
    loadRecording: @escaping @Sendable (String) throws(RecordingProblem) -> Recording = {
      path throws(RecordingProblem) in
      throw RecordingProblem("cannot be read: this run was given no access to files")
    }
  ) {
    self.plan = plan
    pagedSteps = plan.pagedSteps
    self.files = files
    self.testFiles = testFiles
    self.loadRecording = loadRecording
  }

  /// Runs a test under each of its orders.
  package func run(_ test: WorkflowTest) async -> TestResult {
    let recording: Recording?
    do throws(RecordingProblem) {
      recording = try test.replay.map { path throws(RecordingProblem) in
        try loadRecording(path.value)
      }
    } catch {
      let path = test.replay?.value ?? ""
      return failed(test, "'\(path)' \(error.message)", at: test.replay?.range)
    }
    let gatherer = CoverageGatherer()
    var problems: [TestProblem] = []
    var races = WriteRaces()
    var first: TestOutcome?
    var count = 0
    for number in 0..<max(test.orders, orders) {
      let order = AnswerOrder(seed: number == 0 ? nil : seed &+ UInt64(number))
      let outcome: TestOutcome
      let found: [TestProblem]
      do {
        (outcome, found) = try await play(test, recording, order, gatherer)
      } catch {
        return failed(test, "\(error)", at: nil)
      }
      count += 1
      // What else the run lacks follows from the requests that had no response.
      problems = found.isEmpty ? check(outcome, test) : found
      if let first, problems.isEmpty {
        races.note(first, outcome)
        problems = compare(first, outcome, test)
      } else if number > 0, let seed = order.seed {
        problems = problems.map {
          TestProblem(
            $0.message, at: $0.range, details: $0.details + ["in the order of seed \(seed)"])
        }
      }
      first = first ?? outcome
      if !problems.isEmpty { break }
    }
    var result = TestResult(
      name: test.name.value, range: test.name.range, problems: problems, outcome: first,
      coverage: gatherer.coverage, runCount: count)
    if problems.isEmpty { result.notes = races.notes(at: test.name.range) }
    return result
  }

  private func failed(
    _ test: WorkflowTest, _ message: String, at range: Range<Int>?
  ) -> TestResult {
    TestResult(
      name: test.name.value, range: test.name.range,
      problems: [TestProblem(message, at: range ?? test.name.range)], outcome: nil,
      coverage: TestCoverage(), runCount: 0)
  }

  // MARK: Playing

  private func play(
    _ test: WorkflowTest, _ recording: Recording?, _ order: AnswerOrder,
    _ gatherer: CoverageGatherer
  ) async throws -> (TestOutcome, [TestProblem]) {
    let clock = VirtualClock(wallTime: recording?.run?.startedAt ?? 1_767_225_600)
    let transport = TestTransport(
      test, clock: clock, replay: recording, order: order, pagedSteps: pagedSteps,
      load: { [testFiles] path throws(FileError) in try testFiles.read(path) })
    let steps = StepEnds()
    let said = SaidTexts()
    var options = options(of: test, clock, recording) { event in
      gatherer.receive(event)
      steps.receive(event)
      said.receive(event)
    }
    if transport.givesValues {
      options.givenValues = { transport.takeValues(of: $0, at: $1, of: $2, item: $3) }
    }
    let pipeline = Pipeline(plan, transport: transport, options: options)
    let result = try await pipeline.run(inputs: inputs(of: test)).result
    let saved = (options.files as? ReadOnlyFiles)?.savedFiles ?? []
    let outcome = TestOutcome(
      report: result.report, sent: transport.sent, steps: steps.ends, saved: saved,
      said: said.texts, seed: order.seed)
    return (outcome, transport.problems)
  }

  /// The surroundings of a run of a test: nothing of the machine.
  package func options(
    of test: WorkflowTest, _ clock: any RunClock, _ recording: Recording?,
    observer: @escaping @Sendable (RunEvent) -> Void
  ) -> RunOptions {
    var options = RunOptions()
    options.clock = clock
    options.environment = test.environment?.value
    options.concurrency = test.concurrency
    options.state = test.state
    options.random = { 0.5 }
    options.answers = recording?.givenAnswers ?? [:]
    options.runID = recording?.run?.id ?? "0000000000000000"
    options.sandboxOrigin = OriginAlias.sandbox
    options.files = ReadOnlyFiles(files)
    options.keptEvents = 0
    options.observer = observer
    return options
  }

  /// The inputs of a test. A secret without a value gets a generated text.
  package func inputs(of test: WorkflowTest) -> [String: JSONValue] {
    var inputs = test.inputs
    for input in plan.workflow.inputs where input.isSecret && input.isRequired {
      guard inputs[input.name] == nil else { continue }
      if let allowed = input.allowed.first {
        inputs[input.name] = JSONValue(allowed)
      } else {
        switch input.type {
        case .integer, .number: inputs[input.name] = 700_007
        case .string, nil: inputs[input.name] = .string("standin-for-\(input.name)")
        default: break
        }
      }
    }
    return inputs
  }

  // MARK: Judging

  private func check(_ outcome: TestOutcome, _ test: WorkflowTest) -> [TestProblem] {
    let expected = test.expected
    var problems: [TestProblem] = []
    let status = outcome.report.status.rawValue
    let wanted = expected.status?.value ?? (expected.failures.isEmpty ? .succeeded : nil)
    if let wanted, wanted.rawValue != status {
      problems.append(
        TestProblem(
          outcome.report.status == .waiting
            ? "the run waits for an answer and was expected to have \(wanted.rawValue)"
            : "the run \(status) and was expected to have \(wanted.rawValue)",
          at: expected.status?.range ?? test.name.range, details: Self.reasons(outcome.report)))
    }
    if let outputs = expected.outputs {
      let differences = JSONDifference.between(
        outputs, outcome.report.outputs.node, scope: expected.isExact ? .whole : .part, limit: 10)
      problems += differences.map { TestProblem($0.text("output"), at: outputs.range) }
    }
    if let state = expected.state {
      let differences = JSONDifference.between(state, outcome.state, scope: .part, limit: 10)
      problems += differences.map { TestProblem($0.text("state"), at: state.range) }
    }
    if let files = expected.files { problems += check(files, outcome) }
    if !expected.conditions.isEmpty {
      let node = outcome.node
      for condition in expected.conditions {
        if let problem = Self.check(condition, node) { problems.append(problem) }
      }
    }
    for failure in expected.failures where !outcome.report.failures.contains(where: failure.fits) {
      problems.append(
        TestProblem(
          "the run has no such failure of step '\(failure.step.value)'", at: failure.range,
          details: Self.reasons(outcome.report)))
    }
    return problems
  }

  /// What a run saved, against the texts and the JSON values that are expected.
  private func check(_ files: JSONNode, _ outcome: TestOutcome) -> [TestProblem] {
    files.members.flatMap { member -> [TestProblem] in
      guard let bytes = outcome.saved.first(where: { $0.path.equals(bytes: member.name) })?.bytes
      else {
        let names = outcome.saved.prefix(10).map { "'\($0.path)'" }.joined(separator: ", ")
        let rest = names.isEmpty ? "it saved none" : "it saved \(names)"
        return [
          TestProblem("the run saved no file '\(member.name)'; \(rest)", at: member.nameRange)
        ]
      }
      let name = "file '\(member.name)'"
      if let text = member.value.string {
        if bytes.elementsEqual(text.utf8) { return [] }
        let actual = String(decoding: bytes, as: UTF8.self).shortened(to: 200)
        return [
          TestProblem("\(name) is not as expected; it has: \(actual)", at: member.value.range)
        ]
      }
      guard let actual = try? JSONDocument.parse(bytes).root else {
        return [TestProblem("\(name) is not JSON", at: member.value.range)]
      }
      return JSONDifference.between(member.value, actual, scope: .part, limit: 10).map {
        TestProblem("\(name): " + $0.text("value"), at: member.value.range)
      }
    }
  }

  private static func check(
    _ condition: Written<Condition>, _ node: JSONNode
  ) -> TestProblem? {
    let context = QueryContext(node)
    let text = condition.value.text
    do throws(ConditionError) {
      if try condition.value.holds(in: context) { return nil }
    } catch {
      return TestProblem(error.message, at: condition.range)
    }
    let details = condition.value.references.compactMap { reference -> String? in
      let nodes = reference.query.nodes(in: context)
      guard nodes.count == 1, let value = nodes.first else {
        return "\(reference.query.text) selects \(nodes.count) values"
          + (nodes.isEmpty ? reference.query.caseHint(in: context) : "")
      }
      return "\(reference.query.text) is \(value.text.shortened(to: 200))"
    }
    return TestProblem("'\(text)' does not hold", at: condition.range, details: details)
  }

  private static func reasons(_ report: RunReport) -> [String] {
    let reasons = report.failures.prefix(3).map { failure in
      failure.subject + (failure.item.map { " item \($0)" } ?? "") + ": "
        + failure.failure.message
    }
    return reasons + (report.stopReason.map { [$0.message] } ?? [])
      + report.questions.prefix(3).map { question in
        "step '\(question.step)' asks '\(question.text)'; answer it in 'respond', as in"
          + " {\"\(question.step)\": {\"values\": {\"\(question.answers.first?.name ?? "answer")\":"
          + " …}}}"
      }
  }

  // MARK: Orders

  /// Differences between two orders of one test.
  private func compare(
    _ one: TestOutcome, _ other: TestOutcome, _ test: WorkflowTest
  ) -> [TestProblem] {
    let seed = other.seed ?? 0
    if let race = RequestRaces.between(one, other) {
      return [
        TestProblem(race, at: test.name.range, details: orders(one, other) + ["seed \(seed)"])
      ]
    }
    let differences = JSONDifference.between(
      one.report.outputs.node, other.report.outputs.node, limit: 3)
    let changes = JSONDifference.between(one.state, other.state, limit: 3)
    guard
      !differences.isEmpty || !changes.isEmpty || one.report.status != other.report.status
    else { return [] }
    let what =
      differences.first.map { $0.text("output") } ?? changes.first.map { $0.text("state") }
      ?? "the run \(one.report.status.rawValue) or \(other.report.status.rawValue)"
    return [
      TestProblem(
        "the order of answers decides what comes of the run: \(what)", at: test.name.range,
        details: orders(one, other) + ["seed \(seed)"])
    ]
  }

  /// Both orders at the first request that differs.
  private func orders(_ one: TestOutcome, _ other: TestOutcome) -> [String] {
    let (left, right) = (one.arrivals, other.arrivals)
    let place = zip(left, right).enumerated().first { $0.element.0.key != $0.element.1.key }
    guard let start = place?.offset else { return [] }
    func text(_ list: [TestTransport.Sent]) -> String {
      list[start...].prefix(3).map { "\($0.request.method) of \($0.key)" }.joined(separator: ", ")
    }
    return ["one order: \(text(left))", "another:   \(text(right))"]
  }
}

extension JSONDifference {
  /// As a message says it.
  func text(_ what: String) -> String {
    let path = path.hasPrefix(bytes: "$.") ? String(path.dropFirst(bytes: 2)) : path
    switch kind {
    case .missing: return "\(what) '\(path)' is absent; expected \(expected ?? "")"
    case .unexpected: return "\(what) '\(path)' is \(actual ?? ""), and nothing is expected there"
    case .value, .type:
      return "\(what) '\(path)' is \(actual ?? ""); expected \(expected ?? "")"
    }
  }
}

extension ExpectedRun.Failure {
  fileprivate func fits(_ failed: StepFailure) -> Bool {
    failed.step.equals(bytes: step.value) && (item == nil || item == failed.item)
      && (kind == nil || kind == failed.failure.kind.rawValue)
      && (status == nil || status == failed.failure.status)
      && (message.map { failed.failure.message.contains(bytes: $0) } ?? true)
  }
}

extension Query {
  /// The name to write if a header field is read by a name with capitals.
  fileprivate func caseHint(in context: QueryContext) -> String {
    guard let name = segments.last?.name, segments.dropLast().last?.name == "headers" else {
      return ""
    }
    let lower = name.lowercasedASCII
    return lower.equals(bytes: name) ? "" : "; names of header fields are lower-case: '\(lower)'"
  }
}

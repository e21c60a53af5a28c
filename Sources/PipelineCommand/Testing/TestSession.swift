internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import PipelineTesting

/// One run over test files: from their paths to the report.
struct TestSession: Sendable {
  private let program: Program
  private let settings: TestSettings
  private let reports: [TestReport]

  private var console: Console { program.console }

  /// How many files are tested at once.
  private static let width = 8

  init(_ program: Program, _ settings: TestSettings, _ reports: [TestReport]) {
    self.program = program
    self.settings = settings
    self.reports = reports
  }

  func run(_ paths: [String]) async -> ExitStatus {
    let start = program.clock.elapsed
    let wallTime = program.clock.wallTime
    let found = WorkflowFiles(files: console.files, kinds: .tests).read(paths)
    let all = await tested(found)
    let problems = found.compactMap { if case .failure(let problem) = $0 { problem } else { nil } }
    for problem in problems { console.complain("cannot read '\(problem.path)': \(problem.reason)") }
    for entry in all { show(entry.file) }
    if let filter = settings.filter, all.isEmpty, problems.isEmpty {
      console.complain("no test has '\(filter)' in its name or the name of its file")
      return .usage
    }
    let gaps = settings.filter == nil && !settings.isLive ? self.gaps(of: all) : []
    let files = all.map(\.file)
    showSummary(files, program.clock.elapsed - start)
    for gap in gaps { console.error.write(line: "not tested: \(gap)") }
    guard write(files, gaps, start: wallTime) else { return .failure }
    if !problems.isEmpty || files.contains(where: { $0.findings != nil }) { return .invalid }
    let fails =
      files.contains { !$0.failed.isEmpty } || settings.requiresAll && !gaps.isEmpty
    return fails ? .failure : .success
  }

  /// What must change for tests to be run again: paths and contents.
  func watched(_ paths: [String]) -> [String: Int] {
    var state: [String: Int] = [:]
    func add(_ path: String) {
      guard let bytes = try? console.files.read(path, WorkflowFiles.sizeLimit) else { return }
      state[path] = bytes.hashValue
    }
    for case .success(let file) in WorkflowFiles(files: console.files, kinds: .tests).read(paths) {
      state[file.name] = file.bytes.hashValue
      let linted = lint(file)
      let place = { (path: String) in PathText.path(path, beside: file.name) }
      if let workflow = linted.workflow {
        for name in workflow.fileNames { add(name) }
      } else if let path = linted.tests?.workflow.value {
        add(place(path))
      }
      for test in linted.tests?.tests ?? [] {
        if let path = test.replay?.value { add(place(path)) }
      }
    }
    return state
  }

  // MARK: Testing

  private struct Entry: Sendable {
    let file: TestedFile
    let workflow: LintedWorkflow?
    let coverage: TestCoverage
  }

  /// Up to `width` files run at once. Their order stays.
  private func tested(_ found: [Result<SourceFile, PathProblem>]) async -> [Entry] {
    let sources = found.compactMap { try? $0.get() }
    // Live requests of one file may disturb those of another.
    let width = settings.isLive ? 1 : Self.width
    return await withTaskGroup(of: (Int, Entry?).self) { group in
      var entries = [Entry?](repeating: nil, count: sources.count)
      var begun = 0
      func begin(_ group: inout TaskGroup<(Int, Entry?)>) {
        let number = begun
        begun += 1
        group.addTask { (number, await test(sources[number])) }
      }
      while begun < min(width, sources.count) { begin(&group) }
      while let (number, entry) = await group.next() {
        entries[number] = entry
        if begun < sources.count { begin(&group) }
      }
      return entries.compactMap { $0 }
    }
  }

  private func lint(_ file: SourceFile) -> LintedTests {
    Linter(loader: LintedFiles(root: file.name, files: console.files))
      .lintTests(WorkflowText(file))
  }

  /// `nil` if the filter matches no test of the file.
  private func test(_ source: SourceFile) async -> Entry? {
    let linted = lint(source)
    var file = TestedFile(file: source)
    guard !linted.hasErrors, let tests = linted.tests, let workflow = linted.workflow,
      let plan = workflow.plan
    else {
      file.findings = Findings(
        file: source, diagnostics: linted.diagnostics.filter { $0.severity == .error })
      return Entry(file: file, workflow: nil, coverage: TestCoverage())
    }
    let chosen = tests.tests.filter { test in
      guard let filter = settings.filter else { return true }
      return test.name.value.contains(bytes: filter) || source.name.contains(bytes: filter)
    }
    if chosen.isEmpty { return nil }
    let runner: TestRunner
    let files: FolderFiles
    do throws(FileError) {
      files = try FolderFiles(test: source.name)
      var made = TestRunner(
        plan, files: try FolderFiles(workflow: plan.workflow.source.name), testFiles: files,
        loadRecording: { path throws(RecordingProblem) in try Self.recording(path, files) })
      made.orders = settings.orders
      made.seed = settings.seed
      runner = made
    } catch {
      file.findings = Findings(PathProblem(path: source.name, reason: error.message))
      return Entry(file: file, workflow: nil, coverage: TestCoverage())
    }
    var coverage = TestCoverage()
    var edits: [DiagnosticFix.Edit] = []
    for test in chosen {
      if settings.isLive, !TestDrift.canBeSent(test) {
        file.skipped.append(test.name.value)
        continue
      }
      let start = program.clock.elapsed
      let result =
        settings.isLive
        ? await live(test, runner, workflow, plan, files) : await runner.run(test)
      coverage.add(result.coverage)
      if settings.updates, !settings.isLive, let edit = Self.update(of: test, result) {
        edits.append(edit)
        continue
      }
      file.tests.append(
        TestedFile.Test(result: result, duration: program.clock.elapsed - start))
    }
    if !edits.isEmpty { update(source, edits) }
    return Entry(file: file, workflow: workflow, coverage: coverage)
  }

  private static func recording(
    _ path: String, _ files: FolderFiles
  ) throws(RecordingProblem) -> Recording {
    let place: String
    do throws(FileError) {
      place = try files.resolve(path)
    } catch {
      // The message begins with the path, as this error's message does.
      let name = "'\(path)' "
      guard error.message.hasPrefix(bytes: name) else {
        throw RecordingProblem("cannot be read: \(error.message)")
      }
      throw RecordingProblem(String(error.message.dropFirst(bytes: name.utf8.count)))
    }
    return try Recording(RecordingFile(path: place))
  }

  // MARK: Live

  /// Sends the requests of a test, and compares the answers with its own.
  private func live(
    _ test: WorkflowTest, _ runner: TestRunner, _ workflow: LintedWorkflow, _ plan: Plan,
    _ files: FolderFiles
  ) async -> TestResult {
    var problems: [TestProblem] = []
    let place = test.replay?.range ?? test.name.range
    do {
      var options = program.runOptions
      options.environment = test.environment?.value
      options.concurrency = test.concurrency
      options.state = test.state
      // The files that a test saves would still be there at its next run.
      options.files = ReadOnlyFiles(try FolderFiles(workflow: plan.workflow.source.name))
      try await program.secrets.fill(&options, of: plan, given: test.inputs.keys, named: nil)
      options.logins = KeptLogins(.standard, environment: program.console.environment)
      let (inputs, _) = plan.inputs(given: test.inputs, options: options)
      let isServed = workflow.namesSandbox || inputs.namesSandbox
      let sandbox = isServed ? try SandboxServer.start() : nil
      defer { sandbox?.stop() }
      options.sandboxOrigin = sandbox?.origin
      let aliases = sandbox.map { [OriginAlias($0.origin, alias: OriginAlias.sandbox)] } ?? []
      let transport = RecordingTransport(program.transport(), aliases: aliases)
      let pipeline = Pipeline(plan, transport: transport, options: options)
      let result = try await pipeline.run(inputs: test.inputs).result
      var bytes: [UInt8] = []
      try transport.write { bytes += $0 }
      let recorded = try test.replay.map { try Self.recording($0.value, files) }
      let drift = try TestDrift(
        test, recorded: recorded, live: try Recording(MemoryRecording(bytes)))
      let updates = settings.updates && test.replay != nil
      if !drift.lines.isEmpty, !updates {
        problems.append(
          TestProblem(
            "the server has changed: \(drift.lines.count.counting("difference"))", at: place,
            details: drift.lines))
      }
      if result.status != .succeeded, test.expected.status == nil {
        problems.append(
          TestProblem(
            "the run \(result.status.rawValue)", at: place,
            details: result.report.failures.prefix(3).map {
              "\($0.subject): \($0.failure.message)"
            }))
      }
      if updates, let path = test.replay {
        try AtomicFile(path: try files.resolve(path.value)).write(bytes)
        console.error.write(
          "updated '\(path.value)' with the answers of test '\(test.name.value)'\n")
      }
    } catch let error as PathProblem {
      problems.append(TestProblem("cannot write '\(error.path)': \(error.reason)", at: place))
    } catch let error as FileError {
      problems.append(TestProblem(error.message, at: place))
    } catch {
      problems.append(TestProblem("\(error)", at: place))
    }
    return TestResult(test, problems: problems)
  }

  // MARK: Updating

  /// The outputs of a test that failed by them alone, as they are now.
  private static func update(of test: WorkflowTest, _ result: TestResult) -> DiagnosticFix.Edit? {
    guard let expected = test.expected.outputs, let outcome = result.outcome,
      !result.passed, result.problems.allSatisfy({ $0.range == expected.range })
    else { return nil }
    let actual = outcome.report.outputs.node
    var writer = JSONWriter()
    writer.beginObject()
    for member in actual.members
    where test.expected.isExact || expected[member.name] != nil {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.endObject()
    return DiagnosticFix.Edit(
      range: expected.range, replacement: String(decoding: writer.bytes, as: UTF8.self))
  }

  private func update(_ source: SourceFile, _ edits: [DiagnosticFix.Edit]) {
    let (bytes, _) = source.applying([DiagnosticFix(message: "update", edits: edits)])
    let text = WorkflowLayout.text(of: JSONDocument.parseRecovering(bytes).document.root)
    do throws(PathProblem) {
      try AtomicFile(path: source.name).write(text)
      console.error.write(line: "updated \(edits.count.counting("test")) in \(source.name)")
    } catch {
      console.complain("cannot write '\(error.path)': \(error.reason)")
    }
  }

  // MARK: Showing

  private func show(_ file: TestedFile) {
    let renderer = console.renderer(for: console.error, color: settings.color)
    if let findings = file.findings {
      console.error.write(wrapping: FindingsText(renderer: renderer).text([findings]))
      return
    }
    for test in file.tests {
      for problem in test.result.problems { show(problem, of: test, in: file, "", renderer) }
      for note in test.result.notes { show(note, of: test, in: file, "note: ", renderer) }
    }
  }

  private func show(
    _ problem: TestProblem, of test: TestedFile.Test, in file: TestedFile, _ kind: String,
    _ renderer: DiagnosticRenderer
  ) {
    let place = file.file.position(at: problem.range.lowerBound)
    var text =
      Cells.printable(
        "\(file.file.name):\(place.line):\(place.column): \(kind)test '\(test.result.name)':"
          + " \(problem.message)") + "\n"
    text += renderer.excerpt(of: problem.range, in: file.file)
    for line in problem.details { text += "  " + Cells.printable(line) + "\n" }
    console.error.write(inked: text)
  }

  private func showSummary(_ files: [TestedFile], _ duration: Duration) {
    let tests = files.flatMap(\.tests)
    let failed = tests.count { !$0.result.passed }
    var text =
      failed == 0
      ? "\(tests.count.counting("test")) passed"
      : "\(failed.grouped) of \(tests.count.counting("test")) failed"
    text += " in \(files.count.counting("file"))"
    let broken = files.count { $0.findings != nil }
    if broken > 0 { text += "; \(broken.counting("file")) cannot be tested" }
    let skipped = files.reduce(0) { $0 + $1.skipped.count }
    if skipped > 0 { text += "; \(skipped.counting("test")) with failures or values not sent" }
    let runs = tests.reduce(0) { $0 + $1.result.runCount }
    if runs > tests.count {
      text += "; \(runs.counting("run")), orders drawn from seed \(settings.seed)"
    }
    console.error.write(text + " · \(duration.text)\n")
  }

  /// The points that no test reached, by workflow.
  private func gaps(of all: [Entry]) -> [String] {
    var names: [ExactText] = []
    var coverages: [ExactText: (LintedWorkflow, TestCoverage)] = [:]
    for entry in all {
      guard let workflow = entry.workflow else { continue }
      let name = ExactText(FilePath.normalized(workflow.file.name))
      if coverages[name] == nil { names.append(name) }
      coverages[name, default: (workflow, TestCoverage())].1.add(entry.coverage)
    }
    return names.flatMap { name -> [String] in
      guard let (workflow, coverage) = coverages[name] else { return [] }
      return coverage.gaps(in: workflow).gaps.map { "\(name.text): \($0)" }
    }
  }

  /// Writes the reports; `false`, once it was said why, if one cannot be written.
  private func write(_ files: [TestedFile], _ gaps: [String], start: Double) -> Bool {
    for report in reports {
      let text = report.text(
        files, gaps: gaps, start: start, paths: console.annotationPaths)
      guard let file = report.file else {
        console.data.write(text)
        continue
      }
      do throws(PathProblem) {
        try file.write(ReportFiles.beginning(of: file, console) + Array(text.utf8))
      } catch {
        console.complain("cannot write '\(error.path)': \(error.reason)")
        return false
      }
    }
    return true
  }
}

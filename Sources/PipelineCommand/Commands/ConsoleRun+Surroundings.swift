internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineSandboxServers
internal import PipelineSinks
internal import PipelineTesting
internal import SQLiteJournals

// What a run reaches: transports, the sandbox, files, the cache, and a collector of spans.

extension ConsoleRun {
  /// Whether the run's requests are recorded or replayed.
  var isRecorded: Bool { recordings.file != nil || recordings.replayed != nil }

  /// The transport of the run, and the clock and the sandbox's address that fit it.
  func transports(
    _ options: inout RunOptions, _ sandbox: SandboxServer?
  ) -> RecordedTransports {
    options.sandboxOrigin = sandbox?.origin ?? (recordings.isOffline ? OriginAlias.sandbox : nil)
    if recordings.isOffline {
      options.clock = VirtualClock(
        wallTime: recordings.replayed?.run?.startedAt ?? program.clock.wallTime)
    }
    return recordings.transport(
      over: program.transport, sandbox: sandbox?.origin, clock: options.clock as? VirtualClock)
  }

  /// The sandbox, if the run needs one, at the port it had before if that is free: pages name the
  /// next one's URL.
  func sandbox(
    isNamed: Bool, _ settings: RunSettings
  ) throws(ServerError) -> SandboxServer? {
    guard isNamed || settings.sandboxPort != 0, !recordings.isOffline else { return nil }
    if settings.sandboxPort != 0,
      let server = try? SandboxServer.start(port: settings.sandboxPort)
    {
      return server
    }
    return try SandboxServer.start()
  }

  /// The files that the run may reach; `nil` if a folder cannot be used, which is then reported.
  func files(of plan: Plan, _ settings: RunSettings) -> FolderFiles? {
    do throws(FileError) {
      let files = try settings.files(of: plan.workflow)
      if !settings.output.equals(bytes: ".") { try files.checkOutput() }
      return files
    } catch {
      console.complain(error.message)
      return nil
    }
  }

  /// - Throws: An error if the run would write a file that it reads, or that has another of its
  ///   outputs.
  func checkFiles(of plan: Plan, _ settings: RunSettings) throws(UsageError) {
    var uses = FileUses()
    for name in plan.sourceNames { uses.reads(name, as: "a file of the workflow") }
    for (path, option) in [
      (inputs.file, "--inputs"), (inputs.secrets, "--secrets"), (settings.each, "--each"),
      (settings.stateFile, "--state"),
    ] {
      if let path { uses.reads(path, as: option) }
    }
    for assignment in inputs.assignments {
      let value = assignment.dropFirst(bytes: assignment.prefix(before: "=").utf8.count + 1)
      if value.hasPrefix(bytes: "@") { uses.reads(String(value.dropFirst(bytes: 1)), as: "--set") }
    }
    if let output = destinations.output { try uses.writes(output.path, as: "--output") }
    if let events = destinations.events { try uses.writes(events.path, as: "--events") }
    if let recording = recordings.file { try uses.writes(recording.path, as: "--record") }
    for (path, option) in reports.files { try uses.writes(path, as: option) }
    for sink in settings.sinks where !sink.target.isStandardOutput {
      try uses.writes(sink.target.path, as: "--sink")
    }
  }

  /// The cache beside the runs; `nil` if nothing is to be kept, or can be. For requests that only
  /// change something it is not begun: then there is nothing to drop.
  func cache(of linted: LintedWorkflow) -> SQLiteResponseCache? {
    guard recordings.replayed == nil,
      let kept = KeptResponses(in: isPart ? .standard : store, environment: console.environment)
    else { return nil }
    do throws(JournalError) {
      if linted.usesCache, !onlyDrops { return try kept.open() }
      return linted.mayInvalidate ? try kept.openToDrop() : nil
    } catch {
      note(error)
      return nil
    }
  }

  /// Whether no response may come from the cache: it would be missing in a recording, could not be
  /// shown, and would be known to the machine of one part alone.
  var onlyDrops: Bool { isRecorded || shown != nil || isPart }

  func note(_ problem: JournalError) {
    note("no response is kept for later runs: \(problem.message)")
  }

  func note(_ message: String) {
    if !display.isQuiet { console.error.write(line: "note: \(message)") }
  }

  /// The sender of the run's spans; `nil` if they are not wanted or cannot be sent.
  func tracing(of run: String) -> SpanExporter? {
    // A replay has no real times.
    if recordings.isOffline { return nil }
    let version = program.table.version
    switch TracingSettings.wish(console.environment, version: version) {
    case .off: return nil
    case .refused(let reason):
      note("no spans are sent: \(reason)")
      return nil
    case .on(let settings):
      for problem in settings.notes { note(problem) }
      return SpanExporter(
        settings.ofRun(run), transport: program.transport(), clock: program.clock, version: version)
    }
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import PipelineTesting
internal import SQLiteJournals

// Where the responses of a run come from, and where they are recorded.
extension ConsoleRun {
  /// The inputs of a replay: a secret that is required and not given has what stands for it in the
  /// recording.
  func withStandIns(
    _ inputs: [String: JSONValue], of plan: Plan, _ options: RunOptions
  ) -> [String: JSONValue] {
    guard recordings.isOffline, let recording = recordings.replayed else { return inputs }
    let (_, problems) = plan.inputs(given: inputs, options: options)
    return recording.standIns(for: plan.workflow, missing: problems.filter(\.isMissing).map(\.name))
      .merging(inputs) { $1 }
  }

  /// The state that the recorded run began with. A replay keeps no state.
  var replayedState: StateKeeping {
    var state: [String: JSONValue] = [:]
    for member in recordings.replayed?.run?.state.map({ Array($0.members) }) ?? [] {
      state[member.name] = JSONValue(member.value)
    }
    return .given(state)
  }

  /// The answers that the recorded run was given; empty: nothing is replayed.
  var recordedAnswers: [String: JSONValue] {
    recordings.isOffline ? recordings.replayed?.givenAnswers ?? [:] : [:]
  }

  /// The state that a replay of the run must begin with; `nil` for any.
  func begun(_ linted: LintedWorkflow, _ options: RunOptions) -> RecordedRun? {
    var begun = RecordedRun()
    if linted.readsRun {
      begun.id = options.runID ?? Run.randomID()
      begun.startedAt = options.clock.wallTime
    }
    if !options.state.isEmpty {
      begun.state =
        JSONValue.object(
          options.state.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { JSONValue.Member($0.key, $0.value) }
        ).node
    }
    return begun.id == nil && begun.state == nil ? nil : begun
  }

  /// Writes the recording, and says what could not be replayed.
  func finish(
    _ transports: RecordedTransports, _ begun: RecordedRun?, _ status: ExitStatus
  ) -> ExitStatus {
    if let replayer = transports.replayer, recordings.isOffline {
      for problem in replayer.problems { console.complain(problem) }
      for note in replayer.notes where !display.isQuiet { console.error.write("note: \(note)\n") }
      if !replayer.problems.isEmpty, status == .success { return .failure }
    }
    guard let file = recordings.file, let recorder = transports.recorder else { return status }
    var problem: RecordingProblem?
    func write(to sink: ([UInt8]) -> Void) {
      do throws(RecordingProblem) {
        try recorder.write(
          adding: recordings.replayed ?? recordings.earlier, run: begun, to: sink)
      } catch {
        problem = error
      }
    }
    do throws(PathProblem) {
      try file.write(unless: { problem != nil }, write)
    } catch {
      problem = RecordingProblem(error.reason)
    }
    if let problem {
      console.complain("cannot write '\(file.path)': \(problem.message)")
      return status == .success ? .failure : status
    }
    if !display.isQuiet {
      console.error.write(line: "recorded \(recorder.count.counting("request")) in \(file.path)")
      if recorder.suspectCount > 0 {
        let values = recorder.suspectCount.counting("value")
        let verb = recorder.suspectCount == 1 ? "looks" : "look"
        console.error.write(
          line: "note: \(values) in \(file.path) \(verb) like credentials and can be read there;"
            + " mark them with '\"secret\": true' and record again")
      }
    }
    return status
  }
}

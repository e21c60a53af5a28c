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

  /// Writes the recording, and an index of it if it belongs to a run in the store.
  ///
  /// - Returns: Why it was not written.
  private func write(
    _ recorder: RecordingTransport, _ begun: RecordedRun?, to file: AtomicFile
  ) -> RecordingProblem? {
    var problem: RecordingProblem?
    func write(_ note: (RecordedRow) -> Void) -> FileSignature? {
      do throws(PathProblem) {
        try file.write(unless: { problem != nil }) { sink in
          do throws(RecordingProblem) {
            try recorder.write(
              adding: recordings.replayed ?? recordings.earlier, run: begun, to: sink, note: note)
          } catch {
            problem = error
          }
        }
      } catch {
        problem = RecordingProblem(error.reason)
      }
      return problem == nil ? FileSignature(of: file.target) : nil
    }
    let runs = try? RunStore.of(store, console)
    let count = recorder.count + (recordings.earlier?.count ?? 0)
    if count >= AnswersIndex.least, let place = runs?.index(ofAnswers: file.path) {
      AnswersIndex(path: place).write(write)
    } else {
      _ = write { _ in }
    }
    return problem
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
    if let problem = write(recorder, begun, to: file) {
      console.complain("cannot write '\(file.path)': \(problem.reason)")
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
        let places = recorder.suspectPlaces
        for place in places.prefix(Self.mostPlaces) {
          console.error.write(line: "  in " + place)
        }
        if places.count > Self.mostPlaces {
          console.error.write(line: "  and in \(places.count - Self.mostPlaces) more places")
        }
      }
    }
    return status
  }

  /// How many places of texts that look like credentials are named.
  private static let mostPlaces = 5
}

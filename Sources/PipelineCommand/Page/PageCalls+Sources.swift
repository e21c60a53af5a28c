internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRPC
internal import PipelineRecordings
internal import SQLiteJournals

// Where answers come from: runs that kept theirs, and recordings in the folder.
extension PageCalls {
  /// Answers that can be looked at.
  struct Source: Sendable {
    /// As the page shows and names it.
    let json: JSONValue
    /// The recording.
    let path: String
  }

  /// How many recordings are opened to find the answers of a step.
  private static let mostOpened = 6
  private static let mostSources = 100

  /// The answers of a workflow, the newest first; those of recordings in the folder come last.
  mutating func sources(_ parameters: JSONNode?) throws(RPCError) -> [Source] {
    let place = try place(parameters)
    let real = realPath(of: place)
    var sources: [Source] = []
    let now = folder.clock.wallTime
    if let store = folder.store {
      for part in runs.parts(of: place) {
        guard let path = store.answers(ofRun: part.run) else { continue }
        sources.append(
          Source(
            json: [
              "run": .string(part.run), "age": .string(part.age(at: now)),
              "only": .string(part.step),
            ], path: path))
      }
      for run in store.runs() {
        guard let file = run.path, let real, file.equals(bytes: real),
          let path = store.answers(ofRun: run.id)
        else { continue }
        sources.append(
          Source(
            json: [
              "run": .string(run.id), "age": .string(run.age(at: now)),
              "status": .string(run.status.rawValue),
            ], path: path))
        if sources.count == Self.mostSources { break }
      }
    }
    for recording in recordings(of: place) {
      guard let path = folder.place(of: recording) else { continue }
      sources.append(Source(json: ["recording": .string(recording)], path: path))
    }
    return sources
  }

  /// The paths from the folder of the recordings of a workflow: those that lint knows, and those
  /// that its tests replay.
  private func recordings(of place: String) -> [String] {
    let beside = LintRecordings(files: folder.files).paths(beside: place)
      .map { folder.relative(realPath(of: $0) ?? $0) }
    let replayed = content?.recordings[ExactText(folder.relative(place))] ?? []
    var found: [String] = []
    for path in beside + replayed where folder.place(of: path) != nil {
      if !found.contains(where: { $0.equals(bytes: path) }) { found.append(path) }
    }
    return found
  }

  /// The recording that a call is about: that of a run, or one that the workflow has.
  mutating func answersPath(_ parameters: JSONNode?) throws(RPCError) -> String {
    if let name = parameters?["recording"]?.string {
      let known = recordings(of: try place(parameters))
      guard known.contains(where: { $0.equals(bytes: name) }), let path = folder.place(of: name)
      else { throw .invalidParameters("the workflow has no such recording in the folder") }
      return path
    }
    guard let path = try kept().answers(ofRun: try Self.runID(parameters)) else {
      throw .requestFailed(
        "no answers of this run are kept; runs that are started in the page keep theirs, and"
          + " 'pipeline run --keep-answers' does")
    }
    return path
  }

  /// The newest answers of a step, among a few; `nil` if none has any that is well.
  static func pinned(
    to step: String, among sources: [Source], _ shelf: PageShelf
  ) async -> JSONValue {
    for source in sources.prefix(mostOpened) {
      guard let answers = try? await shelf.answers(at: source.path) else { continue }
      if answers.range(ofStep: step).contains(where: { !answers.rows[$0].isBad }) {
        return source.json
      }
    }
    return .null
  }
}

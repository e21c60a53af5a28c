internal import PipelineByteText
internal import PipelineKit
internal import PipelineLint
internal import PipelineRecordings

/// The recordings that lint compares workflows with.
struct LintRecordings: Sendable {
  let files: FileSystem

  /// The answers in a recording.
  func answers(at path: String) throws(PathProblem) -> RecordedAnswers {
    do {
      return try RecordedAnswers(Recording(RecordingFile(path: path)))
    } catch {
      throw PathProblem(path: path, reason: "\(error)")
    }
  }

  /// Those of the recording beside a workflow, if there is one that can be read: `users.har` beside
  /// `users.json`.
  func answers(beside workflow: String) -> RecordedAnswers {
    guard workflow.hasSuffix(bytes: ".json") else { return RecordedAnswers() }
    let path = String(workflow.dropLast(bytes: 5)) + ".har"
    guard case .file? = try? files.kind(path) else { return RecordedAnswers() }
    return (try? answers(at: path)) ?? RecordedAnswers()
  }
}

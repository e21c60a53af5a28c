internal import PipelineByteText
internal import PipelineKit
internal import PipelineLint
internal import PipelineRecordings
internal import PipelineTesting

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

  /// The answers in the recording of a workflow, if there is one that can be read.
  ///
  /// The recording of `users.json` is `users.har` beside it, or in one of ``folders`` there.
  func answers(beside workflow: String) -> RecordedAnswers {
    paths(beside: workflow).first.flatMap { try? answers(at: $0) } ?? RecordedAnswers()
  }

  /// The recordings of a workflow that are there.
  func paths(beside workflow: String) -> [String] {
    guard workflow.hasSuffix(bytes: ".json") else { return [] }
    let start = workflow.lastIndex(ascii: "/").map(workflow.index(after:)) ?? workflow.startIndex
    let name = String(workflow[start...].dropLast(bytes: 5)) + ".har"
    return Self.folders.map { PathText.path($0 + name, beside: workflow) }.filter { path in
      if case .file? = try? files.kind(path) { true } else { false }
    }
  }

  /// Where recordings are kept, seen from the folder of the workflow.
  private static let folders = ["", "recordings/", "tests/recordings/"]
}

internal import PipelineByteText
internal import PipelineKit
internal import SQLiteJournals

/// There is no run to go on with, for a reason that has been reported.
struct NothingToResume: Error {
  let status: ExitStatus
}

// The run that `pipeline resume` goes on with.
extension RunStore {
  /// The run that an operand names: by its id or the beginning of it, or by its workflow's file,
  /// which means the file's newest unfinished run. Without an operand it is the newest unfinished
  /// run, if all unfinished runs belong to one workflow.
  ///
  /// - Parameter repeats: Whether a step is to be carried out again. If no run is unfinished, one
  ///   that has succeeded is meant.
  func runToResume(
    _ name: String?, repeats: Bool, _ options: StoreOptions, _ program: Program
  ) throws(NothingToResume) -> StoredRun {
    let console = program.console
    guard let name else { return try onlyUnfinished(repeats: repeats, options, program) }
    guard !WorkflowPath.isMeant(by: name) else {
      let file = WorkflowPath(name)
      let runs = runs().filter { workflowPath(of: $0) == file }
      if let run = runs.first(where: { $0.status != .succeeded }) ?? (repeats ? runs.first : nil) {
        return run
      }
      console.complain(
        "'\(path)' has no run of '\(name)' to go on with; 'pipeline runs' lists all")
      throw NothingToResume(status: .failure)
    }
    if !name.isEmpty, (try? console.files.kind(name)) == .file,
      !ids().contains(where: { $0.hasPrefix(bytes: name) })
    {
      console.complain(
        "run '\(name)' does not exist in '\(path)'; the file of this name is './\(name)'")
      throw NothingToResume(status: .failure)
    }
    guard let run = find(name, console) else { throw NothingToResume(status: .failure) }
    return run
  }

  /// The newest unfinished run, if no other workflow has any.
  private func onlyUnfinished(
    repeats: Bool, _ options: StoreOptions, _ program: Program
  ) throws(NothingToResume) -> StoredRun {
    let console = program.console
    let runs = runs()
    let unfinished = runs.filter { $0.status != .succeeded }
    let candidates = unfinished.isEmpty && repeats ? runs : unfinished
    guard let first = candidates.first else {
      console.complain("'\(path)' has no run to go on with; 'pipeline runs' lists all")
      throw NothingToResume(status: .failure)
    }
    /// The file of a run's workflow, or its name if the file is not known.
    struct Workflow: Hashable {
      let path: WorkflowPath?
      let name: String
    }
    var workflows: Set<Workflow> = []
    let newest = candidates.filter { run in
      let path = workflowPath(of: run)
      return workflows.insert(Workflow(path: path, name: path == nil ? run.workflow : "")).inserted
    }
    if newest.count == 1 { return first }
    console.complain(
      "runs of \(newest.count) workflows "
        + (unfinished.isEmpty ? "have succeeded" : "are unfinished")
        + "; name the one to go on with, by its id or its file:")
    let ids = ids()
    let rows = newest.prefix(Self.shownCandidates).map { run in
      [
        "pipeline resume \(shortID(of: run.id, among: ids))\(options.words)", run.path ?? run.file,
        run.status.rawValue, run.age(at: program.clock.wallTime),
      ]
    }
    let more = newest.count - rows.count
    console.error.write(
      TextTable(rows: rows, indentation: 2).text
        + (more > 0 ? "  and \(more) more: 'pipeline runs' lists all\n" : ""))
    throw NothingToResume(status: .usage)
  }

  private static let shownCandidates = 10

  /// The file of a run's workflow; `nil` if it is not known.
  private func workflowPath(of run: StoredRun) -> WorkflowPath? {
    // A summary of version 0.2.0 does not have it.
    if let path = run.path ?? restored(run.id)?.path { return WorkflowPath(path) }
    return run.file.hasPrefix(bytes: "/") ? WorkflowPath(run.file) : nil
  }
}

extension StoredRun {
  /// `3 min ago`, and after a day the date.
  func age(at now: Double) -> String {
    switch now - startedAt {
    case 0..<90: "\(Int(now - startedAt)) s ago"
    case 0..<5400: "\(Int(now - startedAt) / 60) min ago"
    case 0..<86_400: "\(Int(now - startedAt) / 3600) h ago"
    default: startText
    }
  }

  /// The second in which it began: no request was sent before.
  var startText: String { Timestamp(secondsSince1970: startedAt.rounded(.down)).text }
}

internal import PipelineJSONText
internal import PipelineKit
internal import SQLiteJournals

// A run that a process is carrying out, as far as its summary knows it.
extension RunsCommand {
  /// The run's steps with what the process has done so far, as text.
  static func text(ofRunning run: StoredRun, _ store: RunStore) -> String {
    var facts = Self.facts(of: run)
    if let process = store.process(carryingOut: run.id) {
      facts.append(["carried out by", process])
    }
    var text = TextTable(rows: facts).text
    if !run.steps.isEmpty {
      let rows = run.steps.map { step in
        [step.path, String(step.done), step.failed == 0 ? "" : String(step.failed)]
      }
      text += "\n" + TextTable(rows: [["step", "done", "failed"]] + rows).text
    }
    return text
  }

  /// The same as JSON.
  static func json(ofRunning run: StoredRun) -> String {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    run.writeMembers(to: &writer)
    run.writeSteps(to: &writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

internal import PipelineJSONText
internal import PipelineJournals

extension FinishRecord {
  /// The report of a process, as docs/runs.md calls it.
  var json: String {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (name, count) in [
      ("succeeded", counts.succeeded), ("recovered", counts.recovered),
      ("skipped", counts.skipped), ("failed", counts.failed), ("cancelled", counts.cancelled),
      ("requests", counts.requests), ("cached", counts.cached), ("validated", counts.validated),
      ("taken", counts.taken), ("inDoubt", counts.inDoubt),
      ("failures", failureCount),
    ] {
      writer.name(name)
      writer.integer(count)
    }
    RunQuestion.write(questions, to: &writer)
    writer.name("firstFailures")
    writer.beginArray()
    for failure in failures {
      writer.beginObject()
      writer.name("unit")
      writer.string(UnitKey(step: failure.step, place: failure.place, digest: nil).name)
      writer.name("kind")
      writer.string(failure.kind.rawValue)
      writer.name("message")
      writer.string(failure.message)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

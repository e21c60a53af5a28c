internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineSourceText
internal import PipelineTransports

/// The text of a workflow that calls another one for each row of a file.
///
/// So the runs have one journal, one order and one set of limits, and rows are divided into parts as
/// the items of any collection.
struct RowsWorkflow {
  /// The id of its only step, and the name of its only output.
  static let step = "rows"

  let called: Workflow
  let rows: RowsOfRuns

  /// A file beside the called one.
  var source: SourceFile {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.name("format")
    writer.integer(1)
    writer.name("name")
    writer.string(called.name)
    write(inputs: shared, to: &writer)
    writeEnvironments(to: &writer)
    writeLimits(to: &writer)
    writer.name("steps")
    writer.beginArray()
    writeStep(to: &writer)
    writer.endArray()
    writer.name("outputs")
    writer.beginObject()
    write(Self.step, "{{\(Self.step)}}", to: &writer)
    writer.endObject()
    writer.endObject()
    return SourceFile(
      name: called.source.name + " --each " + fileName(rows.path), bytes: writer.bytes)
  }

  /// The inputs that are the same for all rows.
  private var shared: [Input] {
    called.inputs.filter { !rows.columns.contains(bytes: $0.name) }
  }

  private func write(inputs: [Input], to writer: inout JSONWriter) {
    writer.name("inputs")
    writer.beginObject()
    for input in inputs {
      writer.name(input.name)
      writer.value(input.node)
    }
    writer.endObject()
  }

  private func writeEnvironments(to writer: inout JSONWriter) {
    guard !called.environments.isEmpty else { return }
    let names = Set(shared.map { ExactText($0.name) })
    writer.name("environments")
    writer.beginObject()
    for environment in called.environments {
      writer.name(environment.name.value)
      writer.beginObject()
      for value in environment.values where names.contains(ExactText(value.name)) {
        writer.name(value.name)
        writer.value(value.value)
      }
      writer.endObject()
    }
    writer.endObject()
    guard let name = called.defaultEnvironment else { return }
    write("defaultEnvironment", name.value, to: &writer)
  }

  /// The limits of the called file hold for all of its calls together. These here only leave room
  /// for them.
  private func writeLimits(to writer: inout JSONWriter) {
    let limits = called.limits
    let room = 1_000_000_000_000
    writer.name("limits")
    writer.beginObject()
    for (name, number) in [
      ("concurrency", limits.concurrency), ("requests", room), ("items", room),
    ] {
      writer.name(name)
      writer.integer(number)
    }
    write("deadline", "36500d", to: &writer)
    write("retryAfter", "\(limits.retryAfter.wholeMilliseconds)ms", to: &writer)
    writer.name("announced")
    writer.boolean(limits.announced)
    write("responseSize", "\(limits.responseSize)B", to: &writer)
    write("memory", "\(limits.memory)B", to: &writer)
    writer.endObject()
  }

  private func writeStep(to writer: inout JSONWriter) {
    writer.beginObject()
    write("id", Self.step, to: &writer)
    writer.name("forEach")
    writer.beginObject()
    write("$file", rows.path.replacing(bytes: "{{", with: "{{{{"), to: &writer)
    write("as", rows.format.name, to: &writer)
    writer.endObject()
    write("as", "row", to: &writer)
    write("onItemError", "collect", to: &writer)
    write("workflow", fileName(called.source.name), to: &writer)
    writer.name("inputs")
    writer.beginObject()
    // Each of them is the name of an input.
    for column in rows.columns { write(column, "{{row.\(column)}}", to: &writer) }
    for input in shared { write(input.name, "{{inputs.\(input.name)}}", to: &writer) }
    writer.endObject()
    writer.endObject()
  }

  private func write(_ name: String, _ text: String, to writer: inout JSONWriter) {
    writer.name(name)
    writer.string(text)
  }

  private func fileName(_ path: String) -> String {
    path.lastIndex(ascii: "/").map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }
}

internal import PipelineJSONText
internal import PipelineLint
internal import PipelineSourceText

/// For programs: one JSON object with counts and findings. docs/cli.md describes its members.
struct FindingsJSON: Sendable {
  func bytes(_ all: [Findings]) -> [UInt8] {
    let counts = FindingCounts(all)
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    for (name, count) in [
      ("files", counts.files), ("errors", counts.errors), ("warnings", counts.warnings),
      ("notes", counts.notes),
    ] {
      writer.name(name)
      writer.integer(count)
    }
    writer.name("findings")
    writer.beginArray()
    for findings in all {
      for diagnostic in findings.diagnostics {
        write(diagnostic, in: findings.file, to: &writer)
      }
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  private func write(
    _ diagnostic: Diagnostic, in file: SourceFile, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("code")
    writer.string(diagnostic.code)
    writer.name("severity")
    writer.string(diagnostic.severity.rawValue)
    writer.name("message")
    writer.string(diagnostic.message)
    writer.name("file")
    writer.string(file.name)
    write(diagnostic.range, in: file, to: &writer)
    if !diagnostic.related.isEmpty {
      writer.name("related")
      writer.beginArray()
      for related in diagnostic.related {
        writer.beginObject()
        writer.name("message")
        writer.string(related.message)
        if let other = related.file { writer.member("file", other.name) }
        write(related.range, in: related.file ?? file, to: &writer)
        writer.endObject()
      }
      writer.endArray()
    }
    if let fix = diagnostic.fix {
      write(fix, in: file, to: &writer)
    } else if let example = Explanation[diagnostic.code]?.text.good, !example.isEmpty {
      writer.name("example")
      writer.string(example)
    }
    writer.endObject()
  }

  private func write(_ fix: DiagnosticFix, in file: SourceFile, to writer: inout JSONWriter) {
    writer.name("fix")
    writer.beginObject()
    writer.name("message")
    writer.string(fix.message)
    writer.name("safe")
    writer.boolean(fix.isSafe)
    writer.name("edits")
    writer.beginArray()
    for edit in fix.edits {
      writer.beginObject()
      write(edit.range, in: file, to: &writer)
      writer.name("replacement")
      writer.string(edit.replacement)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private func write(_ range: Range<Int>, in file: SourceFile, to writer: inout JSONWriter) {
    let region = Region(range, in: file)
    for (name, number) in [
      ("line", region.start.line), ("column", region.start.column), ("endLine", region.end.line),
      ("endColumn", region.end.column), ("offset", range.lowerBound), ("length", range.count),
    ] {
      writer.name(name)
      writer.integer(number)
    }
  }
}

import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

// The places and edits that several rules need for their fixes.

extension LintContext {
  /// Where a name is in a range, if it is there once.
  func place(of name: String, in range: Range<Int>) -> Range<Int>? {
    let (file, part) = workflow.place(of: range)
    let bytes = file.bytes[part.clamped(to: 0..<file.bytes.count)]
    let name = Array(name.utf8)
    let places = bytes.indices.filter { start in
      guard bytes[start...].starts(with: name) else { return false }
      return [start - 1, start + name.count].allSatisfy { index in
        !bytes.indices.contains(index) || !Self.joins(bytes[index])
      }
    }
    guard let place = places.first, places.count == 1 else { return nil }
    let start = place + range.lowerBound - part.lowerBound
    return start..<start + name.count
  }

  /// Whether a template, query or condition reads an input.
  func readsInput(_ name: String) -> Bool {
    let uses = steps.lazy.flatMap(\.uses)
    let ends = blocks.lazy.flatMap(\.resolution.endUses)
    return [AnySequence(uses), AnySequence(ends)].contains { list in
      list.contains { use in
        use.definition == .inputs && use.use.query.segments.dropFirst().first?.name == name
      }
    }
  }

  /// The bytes of a range.
  func text(in range: Range<Int>) -> String {
    let (file, part) = workflow.place(of: range)
    return String(decoding: file.bytes[part.clamped(to: 0..<file.bytes.count)], as: UTF8.self)
  }

  /// Whether a byte belongs to a name.
  private static func joins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }

  /// The edit that sets one of the file's limits.
  func setting(limit name: String, to value: String) -> DiagnosticFix? {
    let root = workflow.document.root
    let edit =
      root["limits"]?[name].map { DiagnosticFix.Edit(range: $0.range, replacement: value) }
      ?? root.adding("limits", "\"\(name)\": \(value)")
    return edit.map {
      DiagnosticFix(
        message: "write \"limits\": {\"\(name)\": \(value)}", edits: [$0], isSafe: false)
    }
  }

  /// The edit that declares an input of the file; `nil` if it has the name already.
  func declaring(input name: String, as declaration: String) -> DiagnosticFix.Edit? {
    guard !workflow.inputs.contains(where: { $0.name == name }) else { return nil }
    return workflow.document.root.adding("inputs", "\"\(name)\": \(declaration)")
  }
}

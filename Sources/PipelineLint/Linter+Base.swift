import PipelineJSONText
package import PipelineLanguage
package import PipelineSourceText

extension Linter {
  /// Every finding of a file that others name in `extends`, sorted by position.
  ///
  /// - Parameter isNamed: Whether a file that is linted with it builds on it. If not, a note says
  ///   how it was judged.
  package func lintBase(_ text: WorkflowText, isNamed: Bool) -> [Diagnostic] {
    let (source, document) = (text.source, text.document)
    var decoder = WorkflowDecoder(source: source, document: document)
    var workflow = Workflow(source: source, document: document, name: source.name)
    decoder.readBase(into: &workflow)
    var found = text.problems.map { Diagnostic($0) }
    if found.allSatisfy({ $0.code == "json-duplicate-key" || $0.code == "json-bom" }) {
      found += Silencing.apply(
        decoder.silencings, to: decoder.diagnostics, isRecorded: false)
      if !isNamed { found.append(Self.note(on: document.root)) }
    }
    return found.sortedByPosition().bounded(others: decoder.uncounted)
  }

  private static func note(on root: JSONNode) -> Diagnostic {
    let start = root.range.lowerBound
    return Diagnostic(
      code: "base-file", severity: .note,
      message:
        "this file has no 'steps', so it is checked as a file for 'extends'; it cannot be run",
      range: start..<start + 1)
  }
}

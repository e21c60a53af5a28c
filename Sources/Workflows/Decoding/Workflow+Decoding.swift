import JSONText
public import SourceText

extension Workflow {
  /// Reads a workflow file: the workflow, and everything that is wrong with the text as far as one
  /// file tells, sorted by position.
  ///
  /// `nil` where the file holds no object at all. A workflow that comes with errors is for tools
  /// that look at half-finished files; it is not to be run. Names are not resolved here: `Linter`
  /// does that, and more. Performs no I/O.
  public static func decode(
    _ source: SourceFile
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let decoded = DecodedWorkflow(source)
    return (decoded.workflow, decoded.diagnostics.sortedByPosition())
  }
}

/// What decoding a file brings, for the linter.
struct DecodedWorkflow {
  let workflow: Workflow?
  /// In no order.
  let diagnostics: [Diagnostic]
  let silencings: [Silencing]
  /// The values, by their place in the document, of which some part could not be read.
  let incomplete: Set<Int>
  /// Whether the text is JSON, duplicate names aside.
  let isJSON: Bool

  init(_ source: SourceFile) {
    let (document, problems) = JSONDocument.parseRecovering(source.bytes)
    var found = problems.map { problem in
      Diagnostic(
        code: problem.code.rawValue, severity: .error,
        message: problem.code == .empty
          ? "the file is empty; a workflow begins with {\"steps\": […]}" : problem.message,
        range: problem.range,
        related: problem.related.map { .init(range: $0.range, message: $0.message) },
        fix: problem.fix.map { fix in
          Fix(
            message: fix.message,
            edits: fix.edits.map { Fix.Edit(range: $0.range, replacement: $0.replacement) })
        })
    }
    var decoder = WorkflowDecoder(source: source, document: document)
    workflow = decoder.workflow()
    isJSON = problems.allSatisfy { $0.code == .duplicateName || $0.code == .byteOrderMark }
    // In a text that is no JSON only its own problems are certain.
    if isJSON { found += decoder.diagnostics }
    diagnostics = found
    silencings = decoder.silencings
    incomplete = decoder.incomplete
  }
}

import PipelineJSONText
package import PipelineSourceText

extension Workflow {
  /// Reads a workflow file: the workflow, and everything that is wrong with the text as far as one
  /// file tells, sorted by position.
  ///
  /// `nil` where the file holds no object at all. A workflow that comes with errors is for tools
  /// that look at half-finished files; it is not to be run. Names are not resolved here: `Linter`
  /// does that, and more. Performs no I/O but through `loader`, which reads a file that this one
  /// extends.
  package static func decode(
    _ source: SourceFile, loader: (any FileLoader)? = nil
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let decoded = DecodedWorkflow(WorkflowText(source), loader: loader)
    let found = decoded.diagnostics.map { diagnostic in
      decoded.workflow.map { diagnostic.told(in: $0) } ?? diagnostic
    }
    return (decoded.workflow, found.sortedByPosition().bounded(others: decoded.uncounted))
  }
}

/// What decoding a file brings, for the linter.
struct DecodedWorkflow {
  let document: JSONDocument
  let workflow: Workflow?
  /// In no order.
  let diagnostics: [Diagnostic]
  /// How many more were found of a code and not kept.
  let uncounted: [String: Int]
  let silencings: [Silencing]
  /// The values, by their place in the document, of which some part could not be read.
  let incomplete: Set<Int>
  /// Whether the text is JSON, duplicate names aside.
  let isJSON: Bool

  init(_ text: WorkflowText, loader: (any FileLoader)?) {
    let problems = text.problems
    document = text.document
    var decoder = WorkflowDecoder(source: text.source, document: document, loader: loader)
    workflow = decoder.workflow()
    isJSON = problems.allSatisfy { $0.code == .duplicateName || $0.code == .byteOrderMark }
    // In a text that is no JSON only its own problems are certain.
    diagnostics = problems.map { Diagnostic($0) } + (isJSON ? decoder.diagnostics : [])
    uncounted = isJSON ? decoder.uncounted : [:]
    silencings = decoder.silencings
    incomplete = decoder.incomplete
  }
}

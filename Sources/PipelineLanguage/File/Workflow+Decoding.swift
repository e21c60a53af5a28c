package import PipelineJSONText
package import PipelineSourceText

extension Workflow {
  /// Reads a workflow file. Gives the workflow, and all problems of the text that one file shows,
  /// sorted by position.
  ///
  /// `nil` if the file holds no object at all. A workflow with errors is for tools that look at
  /// half-finished files. It must not be run. Names are not resolved here: `Linter` does that, and
  /// more. Performs no I/O but through `loader`, which reads a file that this one extends.
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

/// The result of decoding a file, for the linter.
package struct DecodedWorkflow {
  package let document: JSONDocument
  package let workflow: Workflow?
  /// In no order.
  package let diagnostics: [Diagnostic]
  /// How many more were found of a code and not kept.
  package let uncounted: [String: Int]
  package let silencings: [Silencing]
  /// The values, by their place in the document, that could not be read completely.
  package let incomplete: Set<Int>
  /// Whether the text is JSON, except for duplicate names.
  package let isJSON: Bool

  package init(_ text: WorkflowText, loader: (any FileLoader)?) {
    let problems = text.problems
    document = text.document
    var decoder = WorkflowDecoder(source: text.source, document: document, loader: loader)
    workflow = decoder.workflow()
    isJSON = problems.allSatisfy { $0.code == .duplicateName || $0.code == .byteOrderMark }
    // If a text is not JSON, only the problems of its syntax are certain.
    diagnostics = problems.map { Diagnostic($0) } + (isJSON ? decoder.diagnostics : [])
    uncounted = isJSON ? decoder.uncounted : [:]
    silencings = decoder.silencings
    incomplete = decoder.incomplete
  }
}

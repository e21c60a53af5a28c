public import SourceText
internal import Workflows

extension Pipeline {
  /// Reads, checks and plans a workflow given as JSON text.
  ///
  /// `warnings` has what lint finds besides.
  ///
  /// - Parameter name: What messages call the workflow, such as the name of its file.
  /// - Throws: `WorkflowError` with every error that lint finds.
  public init(
    _ workflow: String, name: String = "workflow.json", transport: any Transport,
    options: RunOptions = RunOptions()
  ) throws(WorkflowError) {
    let source = SourceFile(name: name, bytes: Array(workflow.utf8))
    let linted = Linter().lint(source)
    guard !linted.hasErrors, let workflow = linted.workflow, let plan = Plan(workflow) else {
      throw WorkflowError(source: source, diagnostics: linted.diagnostics)
    }
    self.init(plan, transport: transport, options: options)
    warnings = linted.diagnostics
  }
}

/// A workflow that cannot be run.
public struct WorkflowError: Error, Sendable, CustomStringConvertible {
  /// The text of the workflow.
  public let source: SourceFile
  /// Every finding, sorted by position; at least one is an error.
  public let diagnostics: [Diagnostic]

  /// An error with these findings about a text.
  public init(source: SourceFile, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics
  }

  /// The findings as lint prints them, with the source lines and carets.
  public var description: String {
    let renderer = DiagnosticRenderer()
    return diagnostics.map { renderer.render($0, in: source) }.joined(separator: "\n")
  }
}

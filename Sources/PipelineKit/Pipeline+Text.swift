public import PipelineJSONText
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
public import PipelineSourceText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Pipeline {
  /// Reads, checks and plans a workflow given as JSON text.
  ///
  /// `warnings` has the other findings of lint.
  ///
  /// - Parameters:
  ///   - workflow: The text.
  ///   - name: The name of the workflow in messages, such as the name of its file.
  ///   - loader: Reads the files that the workflow names. Without one, it is an error to name any.
  ///   - transport: The transport of the requests.
  ///   - options: The options of the runs.
  /// - Throws: `WorkflowError` with every error that lint finds.
  public init(
    _ workflow: String, name: String = "workflow.json", loader: WorkflowLoader? = nil,
    transport: any Transport, options: RunOptions = RunOptions()
  ) throws(WorkflowError) {
    try self.init(
      SourceFile(name: name, bytes: Array(workflow.utf8)), loader, transport, options)
  }

  /// Checks and plans a workflow written as a literal in Swift.
  ///
  /// ```swift
  /// let pipeline = try Pipeline(
  ///   json: ["steps": [["id": "user", "endpoint": "GET https://api.example/users/7"]]],
  ///   transport: transport)
  /// ```
  ///
  /// Messages show the workflow as text, a line for each member.
  ///
  /// - Parameters:
  ///   - workflow: The workflow.
  ///   - name: The name of the text in messages.
  ///   - loader: Reads the files that the workflow names.
  ///   - transport: Sends the requests.
  ///   - options: The surroundings of each run.
  /// - Throws: `WorkflowError` with every error that lint finds.
  public init(
    json workflow: JSONValue, name: String = "workflow.json", loader: WorkflowLoader? = nil,
    transport: any Transport, options: RunOptions = RunOptions()
  ) throws(WorkflowError) {
    var writer = JSONWriter(style: .pretty)
    workflow.write(to: &writer)
    try self.init(SourceFile(name: name, bytes: writer.bytes), loader, transport, options)
  }

  /// Reads, checks and plans a workflow file, and the files that it names. They lie below its
  /// folder.
  ///
  /// Steps may read no file unless `options.files` says so.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - transport: Sends the requests.
  ///   - options: The surroundings of each run.
  /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
  ///   read.
  public init(
    contentsOf path: String, transport: any Transport, options: RunOptions = RunOptions()
  ) throws {
    let loader = WorkflowLoader.around(path)
    let bytes = try loader.read(path)
    try self.init(SourceFile(name: path, bytes: bytes), loader, transport, options)
  }

  /// Reads, checks and plans the workflow file of a URL, such as one of a bundle, and the files that
  /// it names.
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - transport: Sends the requests.
  ///   - options: The surroundings of each run.
  /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
  ///   read.
  public init(
    contentsOf url: URL, transport: any Transport, options: RunOptions = RunOptions()
  ) throws {
    guard url.isFileURL else {
      throw FileError("'\(url.absoluteString)' cannot be read: it is not the URL of a file")
    }
    try self.init(contentsOf: url.path, transport: transport, options: options)
  }

  private init(
    _ source: SourceFile, _ loader: WorkflowLoader?, _ transport: any Transport,
    _ options: RunOptions
  ) throws(WorkflowError) {
    let linted = Linter(loader: loader).lint(source)
    guard !linted.hasErrors, let plan = linted.plan else {
      throw WorkflowError(source: source, diagnostics: linted.diagnostics)
    }
    self.init(plan, transport: transport, options: options)
    warnings = linted.diagnostics
  }

  /// The text of the workflow, which `warnings` point into.
  public var source: SourceFile { plan.workflow.source }

  /// The findings of lint, as it prints them, with the source lines and carets. Empty without
  /// findings.
  public var warningText: String {
    let renderer = DiagnosticRenderer()
    return warnings.map { renderer.render($0, in: source) }.joined(separator: "\n")
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

public import SourceText

/// Judges workflow files: everything that can be known to be wrong, or is likely to be, before
/// anything is sent.
///
/// Opens no socket and reads no file but through its loader.
public struct Linter: Sendable {
  private let loader: (any FileLoader)?

  /// - Parameter loader: Reads the files that a workflow names; without one they are not looked at.
  public init(loader: (any FileLoader)? = nil) {
    self.loader = loader
  }

  /// Every finding of a file, sorted by position.
  ///
  /// - Complexity: O(size of the file), but for what is wrong: proposals look at all names.
  public func lint(_ source: SourceFile) -> LintedWorkflow {
    let decoded = DecodedWorkflow(source)
    var found = decoded.diagnostics
    if let workflow = decoded.workflow, decoded.isJSON {
      let context = LintContext(workflow, incomplete: decoded.incomplete)
      for rule in LintRules.all { found += rule.check(context) }
    }
    found = Silencing.apply(decoded.silencings, to: found)
    return LintedWorkflow(
      file: source, workflow: decoded.workflow, diagnostics: found.sortedByPosition())
  }
}

/// A file that was linted.
public struct LintedWorkflow: Sendable {
  public let file: SourceFile
  /// The workflow as far as it could be read; to be run only if there are no errors.
  public let workflow: Workflow?
  /// Sorted by position.
  public let diagnostics: [Diagnostic]

  /// Whether anything keeps the workflow from being run.
  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads the files that a workflow names.
public protocol FileLoader: Sendable {
  /// The file at `path`, as written in the file called `file`.
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError>
}

/// Why a file cannot be read, in a phrase for its reader.
public struct FileLoadError: Error, Sendable {
  public let message: String

  public init(_ message: String) {
    self.message = message
  }
}

package import PipelineSourceText

/// Reads the files that a workflow names.
package protocol FileLoader: Sendable {
  /// The file at `path`, as written in the file called `file`.
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError>

  /// The description of an API at `path`, as written in the file called `file`. It may be larger
  /// than other files, and lie outside the workflow's folder, because no run reads it.
  func loadDescription(
    _ path: String, relativeTo file: String
  ) -> Result<SourceFile, FileLoadError>

  /// Whether it is certain that no file exists at `path`, as written in the file called `file`.
  func isMissing(_ path: String, relativeTo file: String) -> Bool

  /// What reads the workflow that the test file `file` names as `path`, and the files that this
  /// workflow names.
  func forWorkflow(at path: String, testedBy file: String) -> any FileLoader
}

extension FileLoader {
  package func loadDescription(
    _ path: String, relativeTo file: String
  ) -> Result<SourceFile, FileLoadError> { load(path, relativeTo: file) }

  package func isMissing(_ path: String, relativeTo file: String) -> Bool { false }

  package func forWorkflow(at path: String, testedBy file: String) -> any FileLoader { self }
}

/// Why a file cannot be read, in a phrase for its reader.
package struct FileLoadError: Error, Sendable {
  package let message: String
  /// The path of a file with nearly the same name, as it would be written.
  package let near: String?

  package init(_ message: String, near: String? = nil) {
    self.message = message
    self.near = near
  }

  /// The end of the message, with the edit of a path in quotes.
  package func proposal(at range: Range<Int>) -> Proposal {
    .didYouMean(near, at: range, as: near.map { "\"\($0)\"" })
  }
}

public import PipelineJSONText
public import PipelineKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
  extension Pipeline {
    /// Reads, checks and plans a workflow given as JSON text. Its requests go over libcurl, by
    /// `CurlTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds.
    public init(
      _ workflow: String, name: String = "workflow.json", loader: WorkflowLoader? = nil,
      options: RunOptions = RunOptions()
    ) throws(WorkflowError) {
      try self.init(
        workflow, name: name, loader: loader, transport: CurlTransport.shared, options: options)
    }

    /// Checks and plans a workflow written as a literal in Swift. Its requests go over libcurl, by
    /// `CurlTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds.
    public init(
      json workflow: JSONValue, name: String = "workflow.json", loader: WorkflowLoader? = nil,
      options: RunOptions = RunOptions()
    ) throws(WorkflowError) {
      try self.init(
        json: workflow, name: name, loader: loader, transport: CurlTransport.shared,
        options: options)
    }

    /// Reads, checks and plans a workflow file and the files that it names. Its requests go over
    /// libcurl, by `CurlTransport.shared`.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - options: The surroundings of each run.
    /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
    ///   read.
    public init(contentsOf path: String, options: RunOptions = RunOptions()) throws {
      try self.init(contentsOf: path, transport: CurlTransport.shared, options: options)
    }

    /// Reads, checks and plans the workflow file of a URL, such as one of a bundle, and the files that
    /// it names. Its requests go over libcurl, by `CurlTransport.shared`.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - options: The surroundings of each run.
    /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
    ///   read.
    public init(contentsOf url: URL, options: RunOptions = RunOptions()) throws {
      try self.init(contentsOf: url, transport: CurlTransport.shared, options: options)
    }
  }
#endif

extension CurlTransport {
  /// The transport of all pipelines that are not given one: they share its connections and its
  /// threads. `shutdown()` ends it for all of them.
  public static let shared = CurlTransport()
}

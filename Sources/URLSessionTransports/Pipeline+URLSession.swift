public import Foundation
public import PipelineKit

extension WorkflowLoader {
  /// The files of a bundle, below its resources.
  public static func bundle(_ bundle: Bundle) -> WorkflowLoader {
    folder(bundle.resourcePath ?? bundle.bundlePath)
  }
}

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  public import PipelineJSONText

  // These platforms have no libcurl, so URLSession is the default transport of a pipeline.
  extension Pipeline {
    /// Reads, checks and plans a workflow given as JSON text. Its requests go over
    /// `URLSessionTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds.
    public init(
      _ workflow: String, name: String = "workflow.json", loader: WorkflowLoader? = nil,
      options: RunOptions = RunOptions()
    ) throws(WorkflowError) {
      try self.init(
        workflow, name: name, loader: loader, transport: URLSessionTransport.shared,
        options: options)
    }

    /// Checks and plans a workflow written as a literal in Swift. Its requests go over
    /// `URLSessionTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds.
    public init(
      json workflow: JSONValue, name: String = "workflow.json", loader: WorkflowLoader? = nil,
      options: RunOptions = RunOptions()
    ) throws(WorkflowError) {
      try self.init(
        json: workflow, name: name, loader: loader, transport: URLSessionTransport.shared,
        options: options)
    }

    /// Reads, checks and plans a workflow file and the files that it names. Its requests go over
    /// `URLSessionTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
    ///   read.
    public init(contentsOf path: String, options: RunOptions = RunOptions()) throws {
      try self.init(
        contentsOf: path, transport: URLSessionTransport.shared, options: options)
    }

    /// Reads, checks and plans the workflow file of a URL, such as one of a bundle, and the files
    /// that it names. Its requests go over `URLSessionTransport.shared`.
    ///
    /// - Throws: `WorkflowError` with every error that lint finds, `FileError` if the file cannot be
    ///   read.
    public init(contentsOf url: URL, options: RunOptions = RunOptions()) throws {
      try self.init(contentsOf: url, transport: URLSessionTransport.shared, options: options)
    }
  }
#endif

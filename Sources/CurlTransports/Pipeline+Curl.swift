public import PipelineKit

extension Pipeline {
  /// Reads, checks and plans a workflow given as JSON text; its requests go over libcurl.
  ///
  /// - Throws: `WorkflowError` with every error that lint finds.
  public init(
    _ workflow: String, name: String = "workflow.json", options: RunOptions = RunOptions()
  ) throws(WorkflowError) {
    try self.init(workflow, name: name, transport: CurlTransport(), options: options)
  }
}

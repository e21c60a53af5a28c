package import PipelineJSONText
package import PipelinePlanning

extension Plan {
  /// The values that a run's inputs would have, as one object, and all problems with them. The run
  /// itself does not begin.
  package func inputs(
    given: [String: JSONValue], options: RunOptions = RunOptions()
  ) -> (values: JSONNode, problems: [InputProblem]) {
    InputValues(workflow: workflow, options: options, startedAt: options.clock.wallTime)
      .values(given)
  }
}

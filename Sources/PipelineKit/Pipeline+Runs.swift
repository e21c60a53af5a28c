package import PipelineJSONText

extension Pipeline {
  /// The identity of a new run, for all processes that carry out a part of it. Each of them is given
  /// the secret inputs again.
  ///
  /// - Throws: `InputError` if the inputs, or the state of the options, do not fit the workflow.
  package func newRecord(inputs: [String: JSONValue]) throws(InputError) -> RunRecord {
    try engine.newRecord(inputs: inputs)
  }

  /// The logins that a person makes for the workflow, and the steps whose login depends on a
  /// response, so that it is known only when they begin. Nothing is sent.
  ///
  /// - Parameter inputs: The values of the inputs that are known.
  /// - Throws: What is wrong with a value that a login is made of.
  package func wantedLogins(
    inputs: JSONNode
  ) throws(FailureReason) -> (logins: [WantedLogin], unknown: [String]) {
    try engine.wantedLogins(inputs: inputs)
  }
}

internal import PipelineByteText
package import PipelineJSONText
internal import PipelineLanguage
package import PipelinePlanning
internal import PipelineSourceText

// The state of a workflow, as the command shows and changes it.

extension Plan {
  /// The state of the file that a run would begin with, as one object, and all that is wrong with
  /// what is kept.
  ///
  /// - Parameter given: The state that the last run left.
  package func state(
    given: [String: JSONValue], options: RunOptions = RunOptions()
  ) -> (values: JSONNode, problems: [InputProblem]) {
    values(options).values(given)
  }

  /// The state with another value.
  ///
  /// - Parameters:
  ///   - path: The name of a state value; of items also `NAME.KEY`.
  ///   - text: JSON, except for texts and dates.
  package func state(
    _ state: [String: JSONValue], setting path: String, to text: String, options: RunOptions
  ) throws(InputProblem) -> [String: JSONValue] {
    let (value, key) = try stateValue(path)
    var state = state
    if let key {
      let left = LeftState(
        name: value.name, key: key, value: try values(options).value(text, of: value))
      return [left].merged(into: state)
    }
    guard value.isOfItems else {
      state[value.name] = try values(options).value(text, of: value)
      return state
    }
    guard let document = try? JSONDocument.parse(Array(text.utf8)), document.root.kind == .object
    else {
      throw InputProblem(
        name: value.name,
        message:
          "each item has its own state '\(value.name)'; write '\(value.name).KEY', or an object"
          + " with a value for each key")
    }
    if let problem = values(options).problems(with: document.root, of: value).first {
      throw problem
    }
    state[value.name] = JSONValue(document.root)
    return state
  }

  /// The state without a value; `nil` if it has none there.
  ///
  /// - Parameter path: The name of a state value, which the workflow may have no longer; of items
  ///   also `NAME.KEY`.
  package func state(
    _ state: [String: JSONValue], clearing path: String
  ) throws(InputProblem) -> [String: JSONValue]? {
    var state = state
    if state.removeValue(forKey: path) != nil { return state }
    let (value, key) = try stateValue(path)
    guard let key else { return nil }
    let members = state[value.name].map { Array($0.node.members) } ?? []
    guard members.contains(where: { $0.name.equals(bytes: key) }) else {
      throw InputProblem(
        name: path,
        message: "state '\(value.name)' has no key '\(key)'"
          + Spelling.didYouMean(key, among: members.map(\.name)))
    }
    state[value.name] = .object(
      members.filter { !$0.name.equals(bytes: key) }
        .map { JSONValue.Member($0.name, JSONValue($0.value)) })
    return state
  }

  private func values(_ options: RunOptions) -> StateValues {
    StateValues(workflow: workflow, startedAt: options.clock.wallTime)
  }

  /// The state value that is meant, and the key behind the first dot.
  private func stateValue(
    _ path: String
  ) throws(InputProblem) -> (value: StateValue, key: String?) {
    let name = path.prefix(before: ".")
    guard let value = workflow.state.first(where: { $0.name.equals(bytes: name) }) else {
      throw InputProblem.noState(path, in: workflow)
    }
    if name.utf8.count == path.utf8.count { return (value, nil) }
    let key = String(path.dropFirst(bytes: name.utf8.count + 1))
    guard value.isOfItems, !key.isEmpty else {
      throw InputProblem(
        name: path,
        message: value.isOfItems
          ? "'\(path)' has no key after the dot"
          : "state '\(value.name)' is one value, and has no key '\(key)'")
    }
    return (value, key)
  }
}

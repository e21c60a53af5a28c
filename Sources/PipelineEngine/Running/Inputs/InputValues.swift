internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineSourceText

/// An input, or a state value, that a run cannot use.
public struct InputProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Its name.
  public let name: String
  /// One phrase that names the input, what is wrong, and the way out.
  public let message: String
  /// Whether nothing is wrong but that a value is not given yet.
  public var isMissing = false
  /// Whether the input is secret, so that it must not be given where other users see it.
  package var isSecret = false
  /// The environment variable of the input.
  package var variable: String?
  /// The text that was given for a list or an object, and is none.
  package var text: String?
  /// Whether the value is what stands for a secret in a recording.
  package var isStandIn = false

  /// The message.
  public var description: String { message }
}

extension InputProblem {
  /// The workflow has no state value of this name.
  static func noState(_ name: String, in workflow: Workflow) -> InputProblem {
    let names = workflow.state.map(\.name)
    return InputProblem(
      name: name,
      message: names.isEmpty
        ? "state value '\(name)' does not exist: the workflow has no state"
        : "state value '\(name)' does not exist"
          + (Spelling.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
            ?? "; there is: " + names.joined(separator: ", ")))
  }
}

/// Everything that is wrong with a run's inputs and its state.
public struct InputError: Error, Sendable, CustomStringConvertible {
  /// All problems, at least one.
  public let problems: [InputProblem]

  /// A line for each problem.
  public var description: String { problems.map(\.message).joined(separator: "\n") }
}

extension ScopeValue {
  /// Values that were checked, unless something is wrong with them.
  init(checked: (values: JSONNode, problems: [InputProblem])) throws(InputError) {
    guard checked.problems.isEmpty else { throw InputError(problems: checked.problems) }
    self.init(checked.values)
  }
}

/// The inputs of a run: given values over variables over the environment over defaults.
struct InputValues {
  private let inputs: [Input]
  private let environments: [Workflow.Environment]
  private let defaultEnvironment: String?
  private let options: RunOptions
  private let startedAt: Double
  /// What messages call a value, and what stands before its name.
  private let noun: String
  private let prefix: String

  init(workflow: Workflow, options: RunOptions, startedAt: Double) {
    inputs = workflow.inputs
    environments = workflow.environments
    defaultEnvironment = workflow.defaultEnvironment?.value
    self.options = options
    self.startedAt = startedAt
    noun = "input"
    prefix = ""
  }

  /// Values that come from no surroundings, such as the answers of a person.
  init(inputs: [Input], startedAt: Double, noun: String, prefix: String) {
    self.inputs = inputs
    environments = []
    defaultEnvironment = nil
    options = RunOptions()
    self.startedAt = startedAt
    self.noun = noun
    self.prefix = prefix
  }

  /// The inputs as one object.
  func resolve(_ given: [String: JSONValue]) throws(InputError) -> ScopeValue {
    try ScopeValue(checked: values(given))
  }

  /// The inputs that have a value, as one object, and all that is wrong.
  func values(_ given: [String: JSONValue]) -> (values: JSONNode, problems: [InputProblem]) {
    var problems: [InputProblem] = []
    let declared = inputs.map(\.name)
    let known = Set(declared)
    for name in given.keys.sorted() where !known.contains(name) {
      // A proposal for each of hundreds of wrong names would be too long to read.
      let advice =
        problems.count < 100
        ? Spelling.nearest(to: name, among: declared).map { "; did you mean '\($0)'?" }
          ?? "; there is: " + Self.list(declared) : ""
      problems.append(
        InputProblem(
          name: name,
          message: declared.isEmpty
            ? "\(noun) '\(prefix)\(name)' does not exist: the workflow has no inputs"
            : "\(noun) '\(prefix)\(name)' does not exist" + advice))
    }
    let count = problems.count
    let environment = chosenEnvironment(&problems)
    // With a wrong name, what its environment would have given is not missing.
    let unknown =
      problems.count > count ? Set(environments.flatMap { $0.values.map(\.name) }) : []
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for input in inputs {
      if given[input.name] == nil, unknown.contains(input.name) { continue }
      guard let value = value(of: input, given[input.name], environment, &problems) else {
        continue
      }
      writer.name(input.name)
      writer.value(value)
    }
    writer.endObject()
    return (writer.document().root, problems)
  }

  /// The names, up to the number that anyone reads.
  private static func list(_ names: [String]) -> String {
    names.prefix(50).joined(separator: ", ") + (names.count > 50 ? ", …" : "")
  }

  private func chosenEnvironment(_ problems: inout [InputProblem]) -> [String: JSONNode] {
    guard let name = options.environment ?? defaultEnvironment else { return [:] }
    guard
      let environment = environments.first(where: { $0.name.value.equals(bytes: name) })
    else {
      let names = environments.map(\.name.value)
      problems.append(
        InputProblem(
          name: name,
          message: names.isEmpty
            ? "environment '\(name)' does not exist: the workflow has no environments"
            : "environment '\(name)' does not exist"
              + (Spelling.nearest(to: name, among: names).map { "; did you mean '\($0)'?" }
                ?? "; there is: " + Self.list(names))))
      return [:]
    }
    return Dictionary(
      environment.values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private func value(
    of input: Input, _ given: JSONValue?, _ environment: [String: JSONNode],
    _ problems: inout [InputProblem]
  ) -> JSONNode? {
    var node: JSONNode?
    if let given {
      node = input.taken(given.node)
    } else if let variable = input.variable?.value,
      options.unreadableVariables.contains(variable)
    {
      problems.append(
        InputProblem(
          name: input.name,
          message: "input '\(input.name)': the environment variable \(variable) is not UTF-8"))
      return nil
    } else if let variable = input.variable?.value, let text = options.variables[variable] {
      node = input.taken(JSONValue.string(text).node)
    } else if let value = environment[input.name] {
      node = value
    } else if let value = input.defaultValue {
      node = input.type.flatMap { RelativeMoment.resolve(value, $0, startedAt: startedAt) } ?? value
    } else {
      if !input.isOptional, !options.unneededInputs.contains(input.name) {
        problems.append(
          InputProblem(
            name: input.name, message: missing(input), isMissing: true, isSecret: input.isSecret,
            variable: input.variable?.value))
      }
      return nil
    }
    guard let node else { return nil }
    if let refusal = input.refusal(of: node, shown: shown(node, input)) {
      var problem = InputProblem(name: input.name, message: words(input) + " " + refusal)
      if let type = input.type, type == .array || type == .object, !ValueCheck.holds(node, type),
        !input.isSecret
      {
        problem.text = node.string
      }
      problems.append(problem)
    }
    return node
  }

  /// The value as a message begins with it.
  private func words(_ input: Input) -> String { "\(noun) '\(prefix)\(input.name)'" }

  private func missing(_ input: Input) -> String {
    words(input) + " has no value"
      + (input.variable.map { ", and neither has the environment variable \($0.value)" } ?? "")
  }

  private func shown(_ node: JSONNode, _ input: Input) -> String {
    if input.isSecret { return Redactor.mask }
    return node.text.shortened(to: 60)
  }

  /// The inputs of a called file.
  static func forCall(
    _ workflow: Workflow, _ call: Call, in scope: Scope, files: any FileAccess,
    _ identity: RunIdentity
  ) throws(FailureReason) -> ScopeValue {
    let given = ScopeValue(text: try Evaluation.text(of: call.inputs, in: scope, files: files)).node
    var values: [String: JSONValue] = [:]
    for member in given.members { values[member.name] = JSONValue(member.value) }
    // Environments and variables have no effect in a file that another file runs.
    var workflow = workflow
    workflow.environments = []
    workflow.defaultEnvironment = nil
    do throws(InputError) {
      return try InputValues(
        workflow: workflow, options: RunOptions(), startedAt: identity.startedAt
      ).resolve(values)
    } catch {
      throw FailureReason(
        .value, error.problems.first?.message ?? "the inputs cannot be used", at: call.path.range)
    }
  }
}

extension Workflow {
  /// What is wrong with the inputs of a call of this file, apart from those that are missing.
  ///
  /// - Parameter inputs: An object. Texts are read according to the types of the inputs.
  package func problems(ofCallWith inputs: JSONNode) -> [InputProblem] {
    var workflow = self
    workflow.environments = []
    workflow.defaultEnvironment = nil
    workflow.inputs = workflow.inputs.filter { inputs[$0.name] != nil }
    var values: [String: JSONValue] = [:]
    for input in workflow.inputs { values[input.name] = inputs[input.name].map(JSONValue.init) }
    return InputValues(workflow: workflow, options: RunOptions(), startedAt: 0).values(values)
      .problems
  }
}

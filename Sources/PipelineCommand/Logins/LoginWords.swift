internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage

/// What a person types to log in for a run.
struct LoginWords: Sendable {
  private let words: [String]
  private let more: [String]
  private let workflow: Workflow
  /// The names of the inputs that are set on the command line.
  private let given: [String]

  /// - Parameters:
  ///   - inputs: Given again, without secrets: other users see arguments.
  ///   - store: Where the run looks for logins.
  init(
    file: String, environment: String?, _ inputs: InputOptions, _ store: StoreOptions,
    of workflow: Workflow
  ) {
    words = ["pipeline", "login", file]
    self.workflow = workflow
    given = inputs.assignments.map { String($0.prefix(before: "=")) }
    var more: [String] = []
    if let environment { more += ["--environment", environment] }
    for assignment in inputs.assignments {
      let name = assignment.prefix(before: "=")
      if workflow.inputs.first(where: { $0.name.equals(bytes: name) })?.isSecret == true {
        continue
      }
      more += ["--set", assignment]
    }
    if let file = inputs.file, file != "-" { more += ["--inputs", file] }
    if let file = inputs.secrets { more += ["--secrets", file] }
    if let folder = store.folder { more += ["--store", folder] }
    self.more = more
  }

  /// The words for a run whose inputs are not on a command line.
  init(file: String, environment: String?, _ store: StoreOptions, of workflow: Workflow) {
    words = ["pipeline", "login", file]
    self.workflow = workflow
    given = []
    more = [("--environment", environment), ("--store", store.folder)].flatMap { option, value in
      value.map { [option, $0] } ?? []
    }
  }

  /// The command line that makes a login.
  ///
  /// - Parameters:
  ///   - credential: The name of the login, if its author gave it one.
  ///   - recorded: The inputs that an earlier process of the run was given, without secrets.
  @Sendable func command(_ credential: String?, _ recorded: JSONValue?) -> String {
    var words = words
    if let credential { words += ["--credential", credential] }
    words += more
    for input in workflow.inputs where !given.contains(bytes: input.name) {
      guard let node = recorded?.node[input.name] else { continue }
      if let standard = input.defaultValue, standard.isEqual(to: node) { continue }
      words += ["--set", "\(input.name)=\(node.string ?? node.text)"]
    }
    return words.map(ShellWords.quoted).joined(separator: " ")
  }
}

import PipelineJSONPaths
import PipelineJSONText

// The keys of steps and branches, in the order of their tables.

extension LanguageObject {
  /// A member of `steps` or `finally`.
  static let step = LanguageObject(.step, "step", place: "in a step") { keys in
    _ = keys.id()
    keys.declareActions(LanguageAction.allCases)
    _ = SurroundingKeys(&keys)
    keys.beside(Keys.iterating) { keys in
      _ = IterationKeys(&keys)
      _ = keys.expectation()
    }
    keys.beside([.steps]) { keys in
      _ = keys.itemState()
      _ = keys.repetition()
    }
    keys.beside(Keys.retrying) { _ = $0.retryPolicy() }
    keys.beside([.endpoint]) { _ = RequestKeys(&$0) }
    keys.adviseOnSteps()
  }

  /// An element of `choose`: an action with its own settings.
  static let branch = LanguageObject(
    .branch, "branch", place: "in a branch of 'choose'"
  ) { keys in
    keys.declareActions(LanguageAction.allCases.filter { $0 != .choose })
    _ = keys.when()
    keys.beside(Keys.iterating) { _ = $0.expectation() }
    keys.beside(Keys.retrying) { _ = $0.retryPolicy() }
    keys.beside([.endpoint]) { _ = RequestKeys(&$0) }
    keys.advise([
      .says(
        "else default otherwise",
        "the last branch has no 'when'; write its action here, or 'otherwise' in the step"),
      .word("case test is", for: "when"),
      .says("then do", "write the action itself: 'endpoint', 'values', 'steps', …"),
    ])
  }
}

/// The keys of a step that no action has.
struct StepKeys {
  let id: Written<String>?
  let description: String?
  let surroundings: SurroundingKeys
  let iteration: IterationKeys
  let itemState: [StateValue]
  let repetition: Written<RepeatKeys>?

  init(_ keys: inout Keys) {
    id = keys.id()
    description = keys.about()
    surroundings = SurroundingKeys(&keys)
    iteration = IterationKeys(&keys)
    itemState = keys.itemState()
    repetition = keys.repetition()
  }
}

extension Keys {
  fileprivate static let iterating: Set<LanguageAction> = [
    .endpoint, .workflow, .steps, .values, .choose,
  ]

  /// The actions that can be tried again.
  fileprivate static let retrying: Set<LanguageAction> = [.endpoint, .workflow, .steps]

  fileprivate mutating func id() -> Written<String>? {
    required(
      "id", .scopeName, "The step's name. Other steps read its values by this name.",
      example: #""list""#,
      foreign: [
        .says("name stepId key taskId", "write 'id', or 'description' for a sentence")
      ])
  }

  mutating func about() -> String? {
    optional(
      "description", .text, "A description of the step, for people.",
      example: #""Fetch the first page.""#)
  }

  mutating func when() -> Written<Condition>? {
    optional(
      "when", .guarding(.when), "The step runs only if this holds; otherwise it is skipped.",
      example: #""$.list.total > 0""#,
      foreign: [
        "if condition cond runIf only",
        .says("unless skipIf skip", "write 'when': \"!(…)\"", as: "\"!(…)\""),
      ])
  }

  /// What is said of words that mean no key of a step, and of a branch no other thing.
  fileprivate mutating func adviseOnSteps() {
    advise([
      .says("script exec code", "scripts are not supported; compute with 'values'"),
      .says(
        "event prerequest",
        "scripts are not supported; write 'extract' for values and 'expect' for tests"),
      .says(
        "env", "declare 'inputs' with 'env' at the top of the file, and write {{inputs.NAME}}"),
      .says(
        "next goto then onSuccess",
        "the step that comes later says it: 'dependsOn'; or write \"order\": \"listed\""),
      .says(
        "disabled enabled",
        "write 'when': \"$.inputs.sync == true\" with an input of this name, or take the step out"),
      .says("end", "leave it out; the run ends when every step has ended"),
      .says("baseURL", "it belongs in 'defaults'; an endpoint here may be a complete URL"),
      .says(
        "rateLimit throttle", "write 'limits': {\"rate\": \"10/1s\"} at the top of the file"),
      .says(
        "inspect dump debug",
        "write 'say': \"{{user.name}}\" in a separate step, or name the value in 'outputs'"),
      .says(
        "stream streaming sse",
        "responses are read whole; set it in the body if you want the raw text of a stream"),
      .says(
        "transform jsonata jmespath jq postProcess",
        "write 'extract' for values of the response, or 'values' in a separate step"),
      .says(
        "persist",
        "declare the value in 'state' at the top of the file, with its 'next'"),
    ])
  }

  fileprivate mutating func declareActions(_ actions: [LanguageAction]) {
    exclude(actions.map(\.rawValue), isRequired: true)
    _ = about()
    for action in actions {
      switch action {
      case .endpoint: _ = endpoint()
      case .workflow: _ = call()
      case .steps: _ = innerBlock()
      case .values: _ = values()
      case .wait: _ = wait()
      case .choose: _ = branches()
      case .fail: _ = failure()
      case .say: _ = saying()
      case .ask: _ = question()
      }
    }
  }
}

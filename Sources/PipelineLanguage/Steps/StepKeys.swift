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
    keys.beside([.endpoint]) { _ = RequestKeys(&$0) }
  }

  /// An element of `choose`: an action with its own settings.
  static let branch = LanguageObject(
    .branch, "branch", place: "in a branch of 'choose'"
  ) { keys in
    keys.declareActions(LanguageAction.allCases.filter { $0 != .choose })
    _ = keys.when()
    keys.beside(Keys.iterating) { _ = $0.expectation() }
    keys.beside([.endpoint]) { _ = RequestKeys(&$0) }
  }
}

extension Keys {
  fileprivate static let iterating: Set<LanguageAction> = [
    .endpoint, .workflow, .steps, .values, .choose,
  ]

  mutating func id() -> Written<String>? {
    required(
      "id", .scopeName, "The step's name. Other steps read its values by this name.",
      example: #""list""#)
  }

  mutating func about() -> String? {
    optional(
      "description", .text, "A description of the step, for people.",
      example: #""Fetch the first page.""#)
  }

  mutating func when() -> Written<Condition>? {
    optional(
      "when", .guarding(.when), "The step runs only if this holds; otherwise it is skipped.",
      example: #""$.list.total > 0""#)
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
      }
    }
  }
}

extension LanguageObject {
  /// A member of `steps` or `finally`.
  static let step = LanguageObject(
    .step, "step", place: "in a step",
    keys: [
      LanguageKey(
        "id", "The step's name. Other steps read its values by this name.", .name,
        example: #""list""#,
        isRequired: true),
      LanguageKey(
        "description", "A description of the step, for people.", .text,
        example: #""Fetch the first page.""#),
    ] + actions + surroundings + collections + expectation + requests,
    choices: [Choice(keys: LanguageAction.allCases.map(\.rawValue), isRequired: true)])

  /// The keys for a step's action, and the keys that belong to one of them.
  private static let actions = [
    LanguageKey(
      "endpoint",
      "Sends a request: a method in capitals, then a URL or a path below `baseURL`. `swift:NAME`"
        + " calls code of an app.",
      .endpoint, example: #""GET /users/{{inputs.id}}""#),
    LanguageKey(
      "workflow", "Runs another workflow file.", .path, example: #""./account.json""#),
    LanguageKey(
      "inputs", "The inputs of the other workflow.",
      .map(.either([.data, .scopeQuery])), example: #"{"id": "{{user.id}}"}"#,
      beside: [.workflow], names: .input),
    LanguageKey(
      "steps", "Runs a block of steps in its own scope.", .list(.object(.step)),
      example: #"[{"id": "get", "endpoint": "GET https://api.example.com/users"}]"#),
    LanguageKey(
      "order",
      "`graph`: only dependencies order these steps. `listed`: each step also follows the one"
        + " before it.",
      .choice(Block.Order.allCases.map(\.rawValue)), default: #""graph""#,
      example: #""listed""#, beside: [.steps]),
    LanguageKey(
      "finally", "Steps that run once after these, however those ended.", .list(.object(.step)),
      example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#,
      beside: [.steps]),
    LanguageKey(
      "outputs", "The values that the block returns; by default, each step's values by its id.",
      .map(.either([.data, .scopeQuery, .object(.output)])),
      example: #"{"name": "{{get.name}}"}"#, beside: [.steps]),
    LanguageKey(
      "values", "Computes values and sends nothing.", .map(.either([.data, .scopeQuery])),
      example: #"{"name": "{{user.first}} {{user.last}}"}"#, names: .value),
    LanguageKey("wait", "Waits.", .pause, example: #""2s""#),
    LanguageKey(
      "choose", "Carries out the first of these branches whose `when` holds.",
      .several(.object(.branch)),
      example:
        #"[{"when": "$.list.total > 0", "values": {"text": "some"}}, {"values": {"text": "none"}}]"#
    ),
    LanguageKey(
      "fail", "Fails with this message.", .either([.template, .object(.failure)]),
      example: #""job {{job.id}} ended as {{job.state}}""#),
  ]

  /// An element of `choose`: an action with its own settings.
  static let branch: LanguageObject = {
    let left: Set<String> = ["id", "dependsOn", "otherwise", "onError", "priority", "choose"]
    let names = Set(collections.map(\.name)).union(left)
    return LanguageObject(
      .branch, "branch", place: "in a branch of 'choose'",
      keys: step.keys.filter { !names.contains($0.name) },
      choices: [
        Choice(
          keys: LanguageAction.allCases.map(\.rawValue).filter { $0 != "choose" }, isRequired: true)
      ])
  }()

  /// `onError` if it names what to recover from.
  static let recovery = LanguageObject(
    .recovery, "recovery", place: "in 'onError'", of: Recovery.self)

  /// `fail` if it has more than the message.
  static let failure = LanguageObject(
    .failure, "failure", place: "in 'fail'", of: IntendedFailure.self)

  private static let surroundings = [LanguageKey](SurroundingKeys.self)

  /// The keys of a step that runs once for each item.
  private static let collections = [LanguageKey](IterationKeys.self)
    .beside(.endpoint, .workflow, .steps, .values, .choose)

  private static let expectation = Keys.declarations { _ = $0.expectation() }.finished
    .beside(.endpoint, .workflow, .steps, .values, .choose)

  private static let requests = [LanguageKey](RequestKeys.self).beside(.endpoint)

  /// `forEach` over whole numbers.
  static let range = LanguageObject(
    .range, "range", place: "in the object of 'forEach'", of: Iteration.Numbers.self)
}

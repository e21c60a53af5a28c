extension LanguageObject {
  private static let iterating: Set<LanguageAction> = [.endpoint, .workflow, .steps, .values]

  /// A member of `steps` or `finally`.
  static let step = LanguageObject(
    .step, "step", place: "in a step",
    keys: [
      LanguageKey(
        "id", "The step's name, by which others read its values.", .name, example: #""list""#,
        isRequired: true),
      LanguageKey(
        "description", "What the step does, for people.", .text,
        example: #""Fetch the first page.""#),
    ] + actions + surroundings + collections + results + requests + settings,
    choices: [Choice(keys: LanguageAction.allCases.map(\.rawValue), isRequired: true)])

  /// The keys that say what a step does, and those that belong to one of them.
  private static let actions = [
    LanguageKey(
      "endpoint", "Sends a request: a method in capitals, then a URL or a path below `baseURL`.",
      .endpoint, example: #""GET /users/{{inputs.id}}""#),
    LanguageKey(
      "workflow", "Runs another workflow file.", .path, example: #""./account.json""#),
    LanguageKey(
      "inputs", "The values that the other workflow is given.",
      .map(.either([.data, .scopeQuery])), example: #"{"id": "{{user.id}}"}"#,
      beside: [.workflow], names: .input),
    LanguageKey(
      "steps", "Runs steps of its own, in a scope of their own.", .several(.object(.step)),
      example: #"[{"id": "get", "endpoint": "GET https://api.example.com/users"}]"#),
    LanguageKey(
      "order",
      "`graph`: only dependencies order these steps. `listed`: each also follows the one before it.",
      .choice(Block.Order.allCases.map(\.rawValue)), default: #""graph""#,
      example: #""listed""#, beside: [.steps]),
    LanguageKey(
      "finally", "Steps that run once after these, however those ended.", .list(.object(.step)),
      example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#,
      beside: [.steps]),
    LanguageKey(
      "outputs", "What the block returns; without it, each step's values by its id.",
      .map(.either([.data, .scopeQuery, .object(.output)])),
      example: #"{"name": "{{get.name}}"}"#, beside: [.steps]),
    LanguageKey(
      "values", "Computes values and sends nothing.", .map(.either([.data, .scopeQuery])),
      example: #"{"name": "{{user.first}} {{user.last}}"}"#, names: .value),
    LanguageKey("wait", "Waits.", .pause, example: #""2s""#),
  ]

  /// The keys that surround any action.
  private static let surroundings = [
    LanguageKey(
      "dependsOn", "Steps that must end first, though this one reads nothing from them.",
      .list(.name), example: #"["login"]"#),
    LanguageKey(
      "when", "The step runs only where this holds; else it is skipped.", .condition,
      example: #""$.list.total > 0""#),
    LanguageKey(
      "otherwise", "The step's values where it is skipped, or has failed under `recover`.",
      .map(.either([.data, .scopeQuery])), example: #"{"total": 0}"#, names: .value),
    LanguageKey(
      "onError",
      "`fail` ends the run; `continue` skips what depends on the step and the run ends failed; `recover` goes on with `otherwise`.",
      .either([.choice(Step.OnError.allCases.map(\.rawValue)), .none]), default: #""fail""#,
      example: #""recover""#),
    LanguageKey(
      "priority", "Among steps that are ready the higher starts first.",
      .integer(minimum: -1_000_000), default: "0", example: "10"),
  ]

  /// The keys of a step that runs once for each item.
  private static let collections = [
    LanguageKey(
      "forEach", "Runs the action once for each item.",
      .either([.scopeQuery, .list(.data), .object(.range)]), example: #""$.list.ids""#,
      beside: iterating),
    LanguageKey(
      "as", "What the item is called inside of the step.", .name, default: #""item""#,
      example: #""id""#, beside: iterating, with: "forEach"),
    LanguageKey(
      "indexAs", "What the item's number, from 0, is called inside of the step.", .name,
      example: #""number""#, beside: iterating, with: "forEach"),
    LanguageKey(
      "concurrency",
      "The most items at once; 1 takes them one after another. Without it, the run's limit.",
      .either([.integer(minimum: 1), .none]), example: "1", beside: iterating, with: "forEach"),
    LanguageKey(
      "batch", "Takes up to so many items together: the loop name is a list of them.",
      .integer(minimum: 1), example: "10", beside: iterating, with: "forEach"),
    LanguageKey(
      "distinct", "Leaves out an item that equals an earlier one.", .boolean, default: "false",
      example: "true", beside: iterating, with: "forEach"),
    LanguageKey(
      "onItemError",
      "`fail` cancels the other items; `collect` runs them all and leaves `null` for those that failed. Under `recover` always `collect`.",
      .choice(Iteration.OnItemError.allCases.map(\.rawValue)), default: #""fail""#,
      example: #""collect""#, beside: iterating, with: "forEach"),
  ]

  /// The keys that judge and read what the action brought.
  private static let results = [
    LanguageKey(
      "expect", "What must hold of the response, or of the step's values.",
      .either([.object(.expect), .none]),
      example: #"{"status": 201}"#, beside: iterating),
    LanguageKey(
      "extract", "The values that the step takes out of the response.",
      .map(.either([.bodyQuery, .object(.extractor)])), example: #"{"ids": "$.data[*].id"}"#,
      beside: [.endpoint], names: .value),
    LanguageKey(
      "save", "Writes the body to this path below the output directory.", .template,
      example: #""images/{{inputs.id}}.png""#, beside: [.endpoint]),
  ]

  /// The keys that say how often a request is sent.
  private static let requests = [
    LanguageKey(
      "retry", "How often, and when, a failed request is sent again.",
      .either([.integer(minimum: 1), .object(.retry), .none]), default: "1", example: "3",
      beside: [.endpoint]),
    LanguageKey(
      "timeout", "The longest that one attempt may take, redirects included.",
      .either([.duration, .object(.timeout), .none]), example: #""10s""#, beside: [.endpoint]),
    LanguageKey(
      "poll", "Sends the request again until a condition holds.", .object(.poll),
      example: #"{"until": "@.body.state == 'done'"}"#, beside: [.endpoint]),
    LanguageKey(
      "paginate", "Fetches page after page and joins what the extractors find.",
      .object(.paginate), example: #"{"link": "next"}"#, beside: [.endpoint]),
  ]

  private static let settings = requestSettings.map { key in
    LanguageKey(
      key.name, key.meaning, key.type, default: key.defaultValue, example: key.example,
      beside: [.endpoint])
  }

  /// `forEach` over whole numbers.
  static let range = LanguageObject(
    .range, "range", place: "in the object of 'forEach'",
    keys: [
      LanguageKey("from", "The first number.", wholeNumber, example: "1", isRequired: true),
      LanguageKey(
        "to", "The last number, itself included.", wholeNumber, example: #""{{list.pages}}""#,
        isRequired: true),
      LanguageKey(
        "by", "The distance between two numbers.", wholeNumber, default: "1", example: "2"),
    ])

  private static let wholeNumber = LanguageType.either([.integer(minimum: .min), .reference])
}

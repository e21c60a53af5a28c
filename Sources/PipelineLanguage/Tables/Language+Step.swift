extension LanguageObject {
  private static let iterating: Set<LanguageAction> = [
    .endpoint, .workflow, .steps, .values, .choose,
  ]

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
    ] + actions + surroundings + collections + results + requests + settings,
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
    .recovery, "recovery", place: "in 'onError'",
    keys: [
      LanguageKey(
        "recover", "The failures that the step recovers from; any other fails.",
        .several(.either([.choice(RecoveryCause.kinds), .status])),
        example: #"["network", 404, "5xx", "expect"]"#, isRequired: true)
    ])

  /// `fail` if it has more than the message.
  static let failure = LanguageObject(
    .failure, "failure", place: "in 'fail'",
    keys: [
      LanguageKey(
        "message", "The failure's message.", .template, example: #""{{job.id}} failed""#,
        isRequired: true),
      LanguageKey(
        "details", "Any data about the failure, for `error.details` and the report.", .data,
        example: #"{"job": "{{job.id}}"}"#),
    ])

  /// The keys that surround any action.
  private static let surroundings = [
    LanguageKey(
      "dependsOn", "Steps that must end first, although this step reads nothing from them.",
      .list(.name), example: #"["login"]"#),
    LanguageKey(
      "when", "The step runs only if this holds; otherwise it is skipped.", .condition,
      example: #""$.list.total > 0""#),
    LanguageKey(
      "otherwise", "The step's values if it is skipped, or if it fails under `recover`.",
      .map(.either([.data, .scopeQuery])), example: #"{"total": 0}"#, names: .value),
    LanguageKey(
      "onError",
      "`fail` ends the run; `continue` skips dependent steps, and the run ends as failed;"
        + " `recover` continues with `otherwise`.",
      .either([
        .choice(Step.OnError.allCases.map(\.rawValue)), .object(.recovery), .none,
      ]), default: #""fail""#,
      example: #""recover""#),
    LanguageKey(
      "priority", "Among the steps that are ready, the highest priority starts first.",
      .integer(minimum: -1_000_000), default: "0", example: "10"),
  ]

  /// The keys of a step that runs once for each item.
  private static let collections = [
    LanguageKey(
      "forEach", "Runs the action once for each item.",
      .either([.scopeQuery, .list(.data), .object(.range)]), example: #""$.list.ids""#,
      beside: iterating),
    LanguageKey(
      "as", "The item's name inside the step.", .name, default: #""item""#,
      example: #""id""#, beside: iterating, with: "forEach"),
    LanguageKey(
      "indexAs", "The name of the item's number, from 0, inside the step.", .name,
      example: #""number""#, beside: iterating, with: "forEach"),
    LanguageKey(
      "concurrency",
      "The maximum number of items at once; 1 runs them one after another. By default, the run's"
        + " limit.",
      .either([.integer(minimum: 1), .reference, .none]), example: "1", beside: iterating,
      with: "forEach"),
    LanguageKey(
      "batch", "Takes up to this many items together; the loop name is then a list.",
      .either([.integer(minimum: 1), .reference]), example: "10", beside: iterating,
      with: "forEach"),
    LanguageKey(
      "until",
      "The collection ends after the first item whose row, `@`, satisfies this. Needs"
        + " `\"concurrency\": 1`.",
      .condition, example: #""@.id""#, beside: iterating, with: "forEach"),
    LanguageKey(
      "distinct", "Leaves out an item that equals an earlier one.", .boolean, default: "false",
      example: "true", beside: iterating, with: "forEach"),
    LanguageKey(
      "onItemError",
      "`fail` cancels the other items; `collect` runs them all, and the row of a failed item is"
        + " `null`. Under `recover` it is always `collect`.",
      .choice(Iteration.OnItemError.allCases.map(\.rawValue)), default: #""fail""#,
      example: #""collect""#, beside: iterating, with: "forEach"),
  ]

  /// The keys that judge and read what the action brought.
  private static let results = [
    LanguageKey(
      "expect", "The expectations of the response, or of the step's values.",
      .either([.object(.expect), .none]),
      example: #"{"status": 201}"#, beside: iterating),
    LanguageKey(
      "extract", "The values that the step extracts from the response.",
      .map(.either([.bodyQuery, .object(.extractor)])), example: #"{"ids": "$.data[*].id"}"#,
      beside: [.endpoint], names: .value),
    LanguageKey(
      "save", "Writes the body to this path below the output directory.", .template,
      example: #""images/{{inputs.id}}.png""#, beside: [.endpoint]),
  ]

  /// The keys that say how often a request is sent.
  private static let requests = [
    LanguageKey(
      "retry", "How often and when a failed request is sent again.",
      .either([.integer(minimum: 1), .object(.retry), .none]), default: "1", example: "3",
      beside: [.endpoint]),
    LanguageKey(
      "settle",
      "The look-up that says whether a request that must not be sent twice was carried out.",
      .object(.settle),
      example:
        #"{"endpoint": "GET https://api.example.com/orders/7", "done": "@.status == 200"}"#,
      beside: [.endpoint]),
    LanguageKey(
      "timeout", "The maximum time of one attempt, redirects included.",
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
    .range, "range", place: "in the object of 'forEach'", of: Iteration.Numbers.self)
}

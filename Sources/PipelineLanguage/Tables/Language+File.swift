extension LanguageObject {
  /// A whole workflow file.
  static let file = LanguageObject(
    .file, "workflow file", place: "at the top of the file",
    keys: [
      LanguageKey(
        "format", "The version of this language that the file is written in.",
        .integer(minimum: 1), default: "1", example: "1"),
      LanguageKey(
        "name", "The workflow's name for people; by default, the file's name.", .text,
        example: #""users""#),
      LanguageKey(
        "description", "A description of the workflow, for people.", .text,
        example: #""List the users.""#),
      LanguageKey(
        "extends",
        "A file whose inputs, environments, defaults and limits this file extends.", .path,
        example: #""./base.json""#),
      LanguageKey(
        "inputs", "The values that come from outside the run.", .map(.object(.input)),
        example: #"{"page": {"type": "integer", "default": 1}}"#, names: .input),
      LanguageKey(
        "environments", "Sets of input values; `--environment NAME` chooses one.",
        .map(.map(.json)), example: #"{"live": {"page": 2}}"#),
      LanguageKey(
        "defaultEnvironment", "The environment of a run that chooses none.", .text,
        example: #""live""#, with: "environments"),
      LanguageKey(
        "state", "Values that a successful run leaves to the next run.",
        .map(.object(.state)),
        example: #"{"since": {"default": "2026-01-01", "next": "{{run.startedAt}}"}}"#,
        names: .input),
      LanguageKey(
        "defaults", "Settings that every step inherits.", .object(.defaults),
        example: #"{"baseURL": "https://api.example.com", "timeout": "10s"}"#),
      LanguageKey(
        "limits", "Limits of the whole run.", .object(.limits), example: #"{"concurrency": 4}"#),
      LanguageKey(
        "order",
        "`graph`: only dependencies order the steps. `listed`: each step also follows the one before it.",
        .choice(Block.Order.allCases.map(\.rawValue)), default: #""graph""#,
        example: #""listed""#),
      LanguageKey(
        "steps", "The steps of the workflow. The list may be empty if there are `outputs`.",
        .list(.object(.step)),
        example: #"[{"id": "list", "endpoint": "GET https://api.example.com/users"}]"#,
        isRequired: true),
      LanguageKey(
        "finally", "Steps that run once after all others, however those ended.",
        .list(.object(.step)),
        example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#),
      LanguageKey(
        "outputs", "The values that the run returns.",
        .map(.either([.data, .scopeQuery, .object(.output)])),
        example: #"{"total": "{{list.total}}"}"#),
    ])

  /// A file that others name in `extends`.
  static let base = LanguageObject(
    .base, "file to build on", place: "in a file named by 'extends'",
    keys: file.keys.filter {
      [
        "format", "name", "description", "inputs", "environments", "defaultEnvironment",
        "defaults", "limits",
      ].contains($0.name)
    })

  /// A member of `inputs`.
  static let input = LanguageObject(
    .input, "input", place: "in an input",
    keys: [
      LanguageKey(
        "type", "The type of the value; by default, any JSON.",
        .choice(Input.ValueType.allCases.map(\.rawValue)), example: #""integer""#),
      LanguageKey(
        "description", "The purpose of the value, for people.", .text,
        example: #""The page to start from.""#),
      LanguageKey(
        "default",
        "The value if none is given. A `date` or `datetime` may be `now` or `now-30d`.", .json,
        example: "1"),
      LanguageKey(
        "optional", "Whether the value may be left out; it is then absent.", .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "enum", "The allowed values.", .several(.json), example: #"["eu", "us"]"#),
      LanguageKey(
        "secret", "Whether the value is shown as `•••` in everything that the run prints.",
        .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "env", "The environment variable that gives the value.", .text,
        example: #""API_TOKEN""#),
    ])

  /// A member of `state`.
  static let state = LanguageObject(
    .state, "state value", place: "in a state value",
    keys: [
      LanguageKey(
        "type", "The type of the value; by default, any JSON.",
        .choice(Input.ValueType.allCases.map(\.rawValue)), example: #""datetime""#),
      LanguageKey(
        "description", "The purpose of the value, for people.", .text,
        example: #""The newest record that was exported.""#),
      LanguageKey(
        "default",
        "The value until a run has left one. A `date` or `datetime` may be `now` or `now-30d`.",
        .json, example: #""2026-01-01T00:00:00Z""#),
      LanguageKey(
        "next", "The value after a successful run; without `next`, no run changes the value.",
        .either([.data, .scopeQuery]),
        example: #""{{run.startedAt}}""#),
    ])

  /// A member of `outputs` that says more than its value.
  static let output = LanguageObject(
    .output, "output", place: "in an output",
    keys: [
      LanguageKey(
        "value", "The value that the run returns under this name.", .either([.data, .scopeQuery]),
        example: #""{{login.token}}""#, isRequired: true),
      LanguageKey(
        "reveal", "Whether a secret value is shown.", .boolean, default: "false",
        example: "true", isRequired: true),
    ])

  /// `limits`.
  static let limits = LanguageObject(
    .limits, "limits", place: "in 'limits'",
    keys: [
      LanguageKey(
        "concurrency", "The maximum number of requests in flight.", .integer(minimum: 1),
        default: "16",
        example: "4"),
      LanguageKey(
        "perOrigin",
        "The maximum number of requests in flight to one origin; by default, `concurrency`.",
        .integer(minimum: 1), example: "2"),
      LanguageKey(
        "rate", "The maximum number of requests in a span of time.", .rate, example: #""100/1m""#),
      LanguageKey(
        "ratePerOrigin", "The maximum number of requests to one origin in a span of time.", .rate,
        example: #""10/1s""#),
      LanguageKey(
        "deadline", "The maximum time of the run, without `finally`.", .duration,
        default: #""1h""#, example: #""10m""#),
      LanguageKey(
        "finally", "The maximum time of the `finally` steps.", .duration, default: #""1m""#,
        example: #""15m""#),
      LanguageKey(
        "responseSize", "The maximum size of a response's body, decoded.", .size,
        default: #""64MB""#, example: #""512KB""#),
      LanguageKey(
        "requests", "The maximum number of requests of the run, retries included.",
        .integer(minimum: 1), default: "1000000", example: "500"),
      LanguageKey(
        "items", "The maximum number of items in all collections, plus calls of other files.",
        .integer(minimum: 1),
        default: "1000000", example: "500"),
      LanguageKey(
        "retryAfter", "The maximum time that a `Retry-After` may hold back an origin.", .pause,
        default: #""5m""#, example: #""30s""#),
      LanguageKey(
        "memory", "The maximum size of rows, bodies and collected failures together.",
        .size,
        default: #""1GB""#, example: #""256MB""#),
    ])

  /// `$lint`, which every object takes.
  static let lint = LanguageObject(
    .lint, "lint settings", place: "in '$lint'",
    keys: [
      LanguageKey(
        "ignore", "Findings that are not reported here: code → reason.", .map(.text),
        example: #"{"unused-extractor": "read by another tool"}"#, isRequired: true)
    ])
}

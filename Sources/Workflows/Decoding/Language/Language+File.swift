extension LanguageObject {
  /// A whole workflow file.
  static let file = LanguageObject(
    .file, "workflow file", place: "at the top of the file",
    keys: [
      LanguageKey(
        "format", "The version of this language that the file is written in.",
        .integer(minimum: 1), default: "1", example: "1"),
      LanguageKey(
        "name", "What people call the workflow; without it, the file's name.", .text,
        example: #""users""#),
      LanguageKey(
        "description", "What the workflow does, for people.", .text,
        example: #""List the users.""#),
      LanguageKey(
        "extends",
        "A file whose inputs, environments, defaults and limits this file builds on.", .path,
        example: #""./base.json""#),
      LanguageKey(
        "inputs", "The values that a run is given from outside.", .map(.object(.input)),
        example: #"{"page": {"type": "integer", "default": 1}}"#, names: .input),
      LanguageKey(
        "environments", "Sets of input values; `--environment NAME` chooses one.",
        .map(.map(.json)), example: #"{"live": {"page": 2}}"#),
      LanguageKey(
        "defaultEnvironment", "The environment of a run for which none is chosen.", .text,
        example: #""live""#, with: "environments"),
      LanguageKey(
        "defaults", "Settings that every step inherits.", .object(.defaults),
        example: #"{"baseURL": "https://api.example.com", "timeout": "10s"}"#),
      LanguageKey(
        "limits", "Bounds on the whole run.", .object(.limits), example: #"{"concurrency": 4}"#),
      LanguageKey(
        "order",
        "`graph`: only dependencies order the steps. `listed`: each step also follows the one before it.",
        .choice(Block.Order.allCases.map(\.rawValue)), default: #""graph""#,
        example: #""listed""#),
      LanguageKey(
        "steps", "What the workflow does.", .several(.object(.step)),
        example: #"[{"id": "list", "endpoint": "GET https://api.example.com/users"}]"#,
        isRequired: true),
      LanguageKey(
        "finally", "Steps that run once after the others, however those ended.",
        .list(.object(.step)),
        example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#),
      LanguageKey(
        "outputs", "What the run returns.", .map(.either([.data, .scopeQuery, .object(.output)])),
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
        "type", "What the value must be; without it, any JSON.",
        .choice(Input.ValueType.allCases.map(\.rawValue)), example: #""integer""#),
      LanguageKey(
        "description", "What the value is for, for people.", .text,
        example: #""The page to start from.""#),
      LanguageKey(
        "default",
        "The value where none is given. A `date` or `datetime` may be `now` or `now-30d`.", .json,
        example: "1"),
      LanguageKey(
        "optional", "Whether the run may go without the value; it is absent then.", .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "enum", "The values that are allowed.", .several(.json), example: #"["eu", "us"]"#),
      LanguageKey(
        "secret", "Whether the value is shown as `•••` in all that the run prints.", .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "env", "The environment variable that gives the value.", .text,
        example: #""API_TOKEN""#),
    ])

  /// A member of `outputs` that says more than its value.
  static let output = LanguageObject(
    .output, "output", place: "in an output",
    keys: [
      LanguageKey(
        "value", "What the run returns under this name.", .either([.data, .scopeQuery]),
        example: #""{{login.token}}""#, isRequired: true),
      LanguageKey(
        "reveal", "Whether a secret value is shown all the same.", .boolean, default: "false",
        example: "true", isRequired: true),
    ])

  /// `limits`.
  static let limits = LanguageObject(
    .limits, "limits", place: "in 'limits'",
    keys: [
      LanguageKey(
        "concurrency", "The most requests in flight.", .integer(minimum: 1), default: "16",
        example: "4"),
      LanguageKey(
        "perOrigin", "The most requests in flight to one origin; without it, `concurrency`.",
        .integer(minimum: 1), example: "2"),
      LanguageKey(
        "rate", "The most requests in a span of time.", .rate, example: #""100/1m""#),
      LanguageKey(
        "ratePerOrigin", "The most requests to one origin in a span of time.", .rate,
        example: #""10/1s""#),
      LanguageKey(
        "deadline", "The longest that the run may take, `finally` not counted.", .duration,
        default: #""1h""#, example: #""10m""#),
      LanguageKey(
        "responseSize", "The most bytes that a response's body may have, decoded.", .size,
        default: #""64MB""#, example: #""512KB""#),
      LanguageKey(
        "requests", "The most requests that the run sends, retries included.",
        .integer(minimum: 1), default: "1000000", example: "500"),
      LanguageKey(
        "items", "The most items over all collections, and calls of other files.",
        .integer(minimum: 1),
        default: "1000000", example: "500"),
      LanguageKey(
        "retryAfter", "The longest that a `Retry-After` may hold back an origin.", .pause,
        default: #""5m""#, example: #""30s""#),
      LanguageKey(
        "memory", "The most bytes that rows, bodies and collected failures may hold together.",
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

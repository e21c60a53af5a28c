extension LanguageObject {
  static let extractorSources = [
    "body", "header", "headers", "cookie", "status", "url", "text", "regex", "value",
  ]

  /// A member of `extract` that says more than its query.
  static let extractor = LanguageObject(
    .extractor, "extractor", place: "in an extractor",
    keys: [
      LanguageKey("body", "A query of the body.", .bodyQuery, example: #""$.data.id""#),
      LanguageKey("header", "A header of the response.", .text, example: #""Location""#),
      LanguageKey(
        "headers",
        "`true` takes all headers as an object: names in lower case, repeated ones joined with `, `.",
        .yes, example: "true"),
      LanguageKey("cookie", "A cookie that the response sets.", .text, example: #""session""#),
      LanguageKey("status", "`true` takes the status.", .yes, example: "true"),
      LanguageKey(
        "url", "`true` takes the URL of the response, after redirects.", .yes,
        example: "true"),
      LanguageKey("text", "`true` takes the body as text.", .yes, example: "true"),
      LanguageKey(
        "regex",
        "A pattern for the body's text; the value is the match of its first group, or the whole"
          + " match if it has none.",
        .pattern,
        example: #""id=([0-9]+)""#),
      LanguageKey(
        "value", "Any template, to add a value to the row.", .data, example: #""{{id}}""#),
      LanguageKey(
        "take",
        "Takes one element of a query's list; `one` fails if there is none or more than one.",
        .choice(Extractor.Take.allCases.map(\.rawValue)), example: #""first""#, with: "body"),
      LanguageKey(
        "type", "The type of the value; a text is converted to it.",
        .choice(Extractor.ValueType.allCases.map(\.rawValue)), example: #""integer""#),
      LanguageKey(
        "optional", "Whether the value may be missing; it is then absent.", .boolean,
        default: "false", example: "true"),
      LanguageKey("default", "The value if nothing is found.", .json, example: "0"),
      LanguageKey(
        "secret", "Whether the value is shown as `•••` in everything that the run prints.",
        .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "decode", "Decodes a text.", .choice(Extractor.Decoding.allCases.map(\.rawValue)),
        example: #""base64""#),
      LanguageKey(
        "all", "Takes every header of this name, as a list.", .boolean, default: "false",
        example: "true", with: "header"),
      LanguageKey(
        "param", "Takes this query parameter of a URL and decodes it.", .text, example: #""code""#),
    ],
    choices: [Choice(keys: extractorSources, isRequired: true)])

  /// `expect`.
  static let expect = LanguageObject(
    .expect, "expectation", place: "in 'expect'",
    keys: [
      LanguageKey(
        "status", "The expected statuses.", .either([.status, .several(.status)]),
        default: #""2xx""#, example: #"[200, "4xx"]"#),
      LanguageKey(
        "where", "Conditions that must hold; `@` is the response.",
        .list(.either([.condition, .object(.check)])), example: #"["@.body.ok == true"]"#),
      LanguageKey(
        "contentType", "The media type that the response must have.", .text,
        example: #""application/json""#),
      LanguageKey(
        "schema", "A JSON Schema (draft 2020-12) that the body must satisfy.", .schema,
        example: #"{"type": "object", "required": ["id"]}"#),
    ])

  /// A member of `where` that says what to say.
  static let check = LanguageObject(
    .check, "check", place: "in a check of 'where'", of: Expectation.Check.self)

  /// `paginate`.
  static let paginate = LanguageObject(
    .paginate, "pagination", place: "in 'paginate'", of: Pagination.self)

  /// `poll`.
  static let poll = LanguageObject(
    .poll, "polling", place: "in 'poll'", of: Poll.self)

  /// `timeout` if it has more than the overall limit.
  static let timeout = LanguageObject(
    .timeout, "time limits", place: "in 'timeout'", of: TimeLimits.self)

  /// `retry` if it has more than a number.
  static let retry = LanguageObject(
    .retry, "retry policy", place: "in 'retry'",
    keys: [
      LanguageKey(
        "attempts", "The total number of attempts, the first one included.",
        .integer(minimum: 1), example: "3", isRequired: true),
      LanguageKey(
        "on", "The failures that are retried.",
        .list(.either([.choice(["network", "timeout"]), .status])),
        default: #"["network", "timeout", 408, 425, 429, 502, 503, 504]"#,
        example: #"["network", 429, "5xx"]"#),
      LanguageKey(
        "when", "A response for which this holds is retried, too; `@` is the response.",
        .condition, example: #""@.body.error.code == 'busy'""#),
      LanguageKey(
        "delay", "The pause before the second attempt.", .pause, default: #""200ms""#,
        example: #""1s""#),
      LanguageKey(
        "factor", "Each later pause is this many times the previous one.", .number(minimum: 1),
        default: "2", example: "1.5"),
      LanguageKey(
        "maxDelay", "The maximum pause.", .duration, default: #""30s""#, example: #""10s""#),
      LanguageKey(
        "jitter", "Whether each pause is a random time between half of it and all of it.", .boolean,
        default: "true", example: "false"),
      LanguageKey(
        "unsafe",
        "Whether methods that are not idempotent are also sent again, with an `Idempotency-Key`.",
        .boolean, default: "false", example: "true"),
    ])
}

extension LanguageObject {
  static let extractorSources = [
    "body", "header", "cookie", "status", "url", "text", "regex", "value",
  ]

  /// A member of `extract` that says more than its query.
  static let extractor = LanguageObject(
    .extractor, "extractor", place: "in an extractor",
    keys: [
      LanguageKey("body", "A query of the body.", .bodyQuery, example: #""$.data.id""#),
      LanguageKey("header", "A header of the response.", .text, example: #""Location""#),
      LanguageKey("cookie", "A cookie that the response sets.", .text, example: #""session""#),
      LanguageKey("status", "The status, with `true`.", .yes, example: "true"),
      LanguageKey(
        "url", "The URL that answered, after redirects, with `true`.", .yes,
        example: "true"),
      LanguageKey("text", "The body as text, with `true`.", .yes, example: "true"),
      LanguageKey(
        "regex",
        "What the first group of this pattern matches in the body's text; without one, its whole match.",
        .pattern,
        example: #""id=([0-9]+)""#),
      LanguageKey(
        "value", "Any template, to carry a value into the row.", .data, example: #""{{id}}""#),
      LanguageKey(
        "take",
        "Makes the list of a query single: `one` fails where there are none or several.",
        .choice(Extractor.Take.allCases.map(\.rawValue)), example: #""first""#, with: "body"),
      LanguageKey(
        "type", "What the value must be; a text is converted to it.",
        .choice(Extractor.ValueType.allCases.map(\.rawValue)), example: #""integer""#),
      LanguageKey(
        "optional", "Whether nothing may be found; the value is absent then.", .boolean,
        default: "false", example: "true"),
      LanguageKey("default", "The value where nothing is found.", .json, example: "0"),
      LanguageKey(
        "secret", "Whether the value is shown as `•••` in all that the run prints.", .boolean,
        default: "false", example: "true"),
      LanguageKey(
        "decode", "Decodes a text.", .choice(Extractor.Decoding.allCases.map(\.rawValue)),
        example: #""base64""#),
      LanguageKey(
        "all", "Takes every header of this name, as a list.", .boolean, default: "false",
        example: "true", with: "header"),
      LanguageKey(
        "param", "Takes this query parameter of a URL, decoded.", .text, example: #""code""#),
    ],
    choices: [Choice(keys: extractorSources, isRequired: true)])

  /// `expect`.
  static let expect = LanguageObject(
    .expect, "expectation", place: "in 'expect'",
    keys: [
      LanguageKey(
        "status", "The statuses that pass.", .either([.status, .several(.status)]),
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
    .check, "check", place: "in a check of 'where'",
    keys: [
      LanguageKey(
        "that", "What must hold.", .condition, example: #""@.body.total > 0""#,
        isRequired: true),
      LanguageKey(
        "message", "What is said where it does not.", .template,
        example: #""no users on page {{inputs.page}}""#, isRequired: true),
    ])

  /// `paginate`.
  static let paginate = LanguageObject(
    .paginate, "pagination", place: "in 'paginate'",
    keys: [
      LanguageKey(
        "link", "The relation of the `Link` header that leads to the next page (RFC 8288).",
        .text, example: #""next""#),
      LanguageKey("next", "The next page's URL in the body.", .bodyQuery, example: #""$.next""#),
      LanguageKey(
        "cursor", "The next page's cursor in the body.", .bodyQuery,
        example: #""$.meta.next""#, with: "param"),
      LanguageKey(
        "param", "The parameter that sends the cursor.", .text, example: #""cursor""#,
        with: "cursor"),
      LanguageKey(
        "page", "The parameter that sends the page's number.", .text, example: #""page""#),
      LanguageKey(
        "from", "The first page's number.", .integer(minimum: 0), default: "1", example: "0",
        with: "page"),
      LanguageKey(
        "pages", "How many pages there are, in the body.", .bodyQuery,
        example: #""$.total_pages""#, with: "page"),
      LanguageKey(
        "offset", "The parameter that sends how many records to pass over.", .text,
        example: #""offset""#, with: "by"),
      LanguageKey(
        "by", "How many records one page holds.", .integer(minimum: 1), example: "100",
        with: "offset"),
      LanguageKey(
        "total", "How many records there are, in the body.", .bodyQuery,
        example: #""$.total""#, with: "offset"),
      LanguageKey(
        "in", "Where the parameter goes.",
        .choice(Pagination.Place.allCases.map(\.rawValue)), default: #""query""#,
        example: #""body""#),
      LanguageKey(
        "items", "The page's records: an empty page, or under `by` a short one, is the last.",
        .bodyQuery, example: #""$.data""#),
      LanguageKey(
        "maxPages", "The most pages; reaching it is an error.", .integer(minimum: 1),
        default: "1000", example: "50"),
    ],
    choices: [Choice(keys: ["link", "next", "cursor", "page", "offset"], isRequired: true)])

  /// `poll`.
  static let poll = LanguageObject(
    .poll, "polling", place: "in 'poll'",
    keys: [
      LanguageKey(
        "until", "Polling ends where this holds; `@` is the response.", .condition,
        example: #""@.body.state == 'done'""#, isRequired: true),
      LanguageKey(
        "failWhen", "The step fails at once where this holds.", .condition,
        example: #""@.body.state == 'failed'""#),
      LanguageKey(
        "every", "The pause before the second request.", .duration, default: #""2s""#,
        example: #""500ms""#),
      LanguageKey(
        "factor", "Each later pause is so many times the one before.", .number(minimum: 1),
        default: "1", example: "1.5"),
      LanguageKey(
        "maxEvery", "The longest pause.", .duration, default: #""30s""#, example: #""10s""#),
      LanguageKey(
        "within", "The longest that polling may take; a request under way then is given up.",
        .duration, default: #""5m""#,
        example: #""1m""#),
      LanguageKey(
        "attempts", "The most requests; without it, only `within` ends polling.",
        .integer(minimum: 1), example: "20"),
    ])

  /// `timeout` where it says more than the longest in all.
  static let timeout = LanguageObject(
    .timeout, "time limits", place: "in 'timeout'",
    keys: [
      LanguageKey(
        "total", "The longest that one attempt may take, redirects included.", .duration,
        example: #""10s""#),
      LanguageKey(
        "connect", "The longest until a connection stands, its TLS handshake included.",
        .duration, default: #""10s""#, example: #""3s""#),
      LanguageKey(
        "silence", "The longest without a byte sent or received.", .duration,
        default: #""60s""#, example: #""5m""#),
    ])

  /// `retry` where it says more than a number.
  static let retry = LanguageObject(
    .retry, "retry policy", place: "in 'retry'",
    keys: [
      LanguageKey(
        "attempts", "How often the request is sent in all, the first time included.",
        .integer(minimum: 1), example: "3", isRequired: true),
      LanguageKey(
        "on", "What is worth another attempt.",
        .list(.either([.choice(["network", "timeout"]), .status])),
        default: #"["network", "timeout", 408, 425, 429, 502, 503, 504]"#,
        example: #"["network", 429, "5xx"]"#),
      LanguageKey(
        "delay", "The pause before the second attempt.", .pause, default: #""200ms""#,
        example: #""1s""#),
      LanguageKey(
        "factor", "Each later pause is so many times the one before.", .number(minimum: 1),
        default: "2", example: "1.5"),
      LanguageKey(
        "maxDelay", "The longest pause.", .duration, default: #""30s""#, example: #""10s""#),
      LanguageKey(
        "jitter", "Whether each pause is drawn between half of it and the whole.", .boolean,
        default: "true", example: "false"),
      LanguageKey(
        "unsafe",
        "Whether methods that are not idempotent are sent again too, with an `Idempotency-Key`.",
        .boolean, default: "false", example: "true"),
    ])
}

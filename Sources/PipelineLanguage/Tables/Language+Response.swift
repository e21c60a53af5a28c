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
        "pages", "The number of pages, in the body.", .bodyQuery,
        example: #""$.total_pages""#, with: "page"),
      LanguageKey(
        "offset", "The parameter that sends the number of records to skip.", .text,
        example: #""offset""#, with: "by"),
      LanguageKey(
        "by", "The number of records on a page.", .integer(minimum: 1), example: "100",
        withAny: ["page", "offset"]),
      LanguageKey(
        "total", "The number of records, in the body.", .bodyQuery,
        example: #""$.total""#, with: "offset"),
      LanguageKey(
        "in", "The place of the parameter.",
        .choice(Pagination.Place.allCases.map(\.rawValue)), default: #""query""#,
        example: #""body""#),
      LanguageKey(
        "items", "The page's records: the last page is an empty one or, with `by`, a short one.",
        .bodyQuery, example: #""$.data""#),
      LanguageKey(
        "while", "A page follows only while this holds; `@` is the response.", .condition,
        example: #""@.body.more == true""#, withAny: ["cursor", "page", "offset"]),
      LanguageKey(
        "maxPages", "The maximum number of pages; more pages are an error.",
        .integer(minimum: 1),
        default: "1000", example: "50"),
    ],
    choices: [Choice(keys: ["link", "next", "cursor", "page", "offset"], isRequired: true)])

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

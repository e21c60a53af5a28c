// The objects of a test file.
extension LanguageObject {
  /// A whole `*.test.json`.
  static let tests = LanguageObject(
    .tests, "test file", place: "in a test file",
    keys: [
      LanguageKey(
        "workflow", "The workflow file that is tested, relative to this file.", .path,
        example: #""./users.json""#, isRequired: true),
      LanguageKey(
        "tests", "The tests. They do not depend on each other.", .several(.object(.test)),
        example: #"[{"name": "as recorded", "replay": "./users.har"}]"#, isRequired: true),
    ])

  /// A member of `tests`.
  static let test = LanguageObject(
    .test, "test", place: "in a test",
    keys: [
      LanguageKey(
        "name", "What the test shows, for people.", .text, example: #""two users""#,
        isRequired: true),
      LanguageKey("inputs", "The workflow's inputs.", .map(.json), example: #"{"page": 2}"#),
      LanguageKey(
        "environment", "The environment of the workflow.", .text, example: #""staging""#),
      LanguageKey(
        "state", "The state that the last run left.", .map(.json),
        example: #"{"since": "2026-01-01"}"#),
      LanguageKey(
        "concurrency", "How many requests go at once.", .integer(minimum: 1), example: "4"),
      LanguageKey(
        "respond",
        "Answers by step: one for all of its requests, a list for one after the other, or `items`."
          + " Steps separated by commas share a list.",
        .map(.either([.object(.answer), .list(.object(.answer)), .object(.itemAnswers)])),
        example: #"{"list": {"json": {"total": 0}}}"#),
      LanguageKey(
        "replay", "A recording that answers what `respond` does not.", .path,
        example: #""./users.har""#),
      LanguageKey(
        "orders", "Under how many orders of answers the test is played.", .integer(minimum: 1),
        default: "1", example: "20"),
      LanguageKey(
        "ignore", "Parts of answers that `--live` does not compare.", .list(.bodyQuery),
        example: #"["$.updatedAt"]"#),
      LanguageKey(
        "expect", "What must come of it; by default a run that succeeds.", .object(.expected),
        example: #"{"outputs": {"total": 0}}"#),
    ])

  /// The response to a step's request.
  static let answer = LanguageObject(
    .answer, "answer", place: "in an answer",
    keys: [
      LanguageKey("json", "A body of JSON.", .json, example: #"{"id": 7}"#),
      LanguageKey("text", "A body of text.", .content, example: #""ok""#),
      LanguageKey(
        "file", "A file whose content is the body, relative to this file.", .path,
        example: #""./page.html""#),
      LanguageKey(
        "fault", "No answer, but a failure of this kind.",
        .choice(TestAnswer.Fault.allCases.map(\.rawValue)), example: #""refused""#),
      LanguageKey(
        "values", "The step's values; no request is sent.", .map(.json), example: #"{"id": 7}"#),
      LanguageKey(
        "status", "The status code.", .integer(minimum: 100), default: "200", example: "503"),
      LanguageKey(
        "headers", "Header fields of the answer.", .map(.text),
        example: #"{"Retry-After": "120"}"#),
      LanguageKey(
        "after", "How long the answer takes, in virtual time.", .pause, default: #""0s""#,
        example: #""90s""#),
    ],
    choices: [Choice(keys: ["json", "text", "file", "fault", "values"], isRequired: false)])

  /// Answers by item.
  static let itemAnswers = LanguageObject(
    .itemAnswers, "answers by item", place: "in 'respond'",
    keys: [
      LanguageKey(
        "items", "For each item its answer, or a list of answers, one after the other.",
        .list(.either([.object(.answer), .list(.object(.answer))])),
        example: #"[{"json": {"id": 7}}, [{"status": 503}, {"json": {"id": 8}}]]"#,
        isRequired: true)
    ])

  /// The expected result of a test.
  static let expected = LanguageObject(
    .expected, "expectation", place: "in 'expect'",
    keys: [
      LanguageKey(
        "status", "How the run ends.", .choice(ExpectedRun.Status.allCases.map(\.rawValue)),
        default: #""succeeded""#, example: #""failed""#),
      LanguageKey(
        "outputs", "Outputs, or parts of them, that the run must return.", .map(.json),
        example: #"{"total": 2}"#),
      LanguageKey(
        "exactly", "Whether the outputs must have nothing besides.", .boolean, default: "false",
        example: "true", with: "outputs"),
      LanguageKey(
        "state", "Values, or parts of them, that the run must leave to the next one.", .map(.json),
        example: #"{"since": "2026-01-31"}"#),
      LanguageKey(
        "files",
        "Files that the run must save, by path: the whole text, or parts of a JSON value.",
        .map(.json), example: #"{"users/7.json": {"id": 7}}"#),
      LanguageKey(
        "where",
        "Conditions on `$.outputs`, `$.state`, `$.files`, `$.requests`, `$.steps`, `$.failures` and"
          + " `$.elapsed`.",
        .list(.condition), example: #"["count($.requests.user[*]) == 3"]"#),
      LanguageKey(
        "failures", "Failures that the run must have.", .list(.object(.expectedFailure)),
        example: #"[{"step": "list", "kind": "network"}]"#),
    ])

  /// A failure that a run must have.
  static let expectedFailure = LanguageObject(
    .expectedFailure, "failure", place: "in 'failures'",
    keys: [
      LanguageKey("step", "The step.", .text, example: #""list""#, isRequired: true),
      LanguageKey("item", "The position of the item.", .integer(minimum: 0), example: "0"),
      LanguageKey(
        "kind", "What went wrong.", .choice(ExpectedRun.failureKinds), example: #""network""#),
      LanguageKey("status", "The status code.", .integer(minimum: 100), example: "404"),
      LanguageKey(
        "message", "A part of the message.", .text, example: #""no complete response""#),
    ])
}

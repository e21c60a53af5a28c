// What other tools call the keys of test files.

extension LanguageAliases.Keys {
  static let tests = [
    Row("file target subject path", "workflow"),
    Row("cases specs scenarios test examples", "tests"),
  ]

  static let test = [
    Row("title description it id", "name"),
    Row("input params variables vars with given args set", "inputs"),
    Row("env profile", "environment"),
    Row("responses response mock mocks stub stubs answers answer steps routes", "respond"),
    Row("recording har cassette fixture", "replay"),
    Row("outputs", "expect", "write 'expect': {\"outputs\": …}"),
    Row("failures", "expect", "write 'expect': {\"failures\": …}"),
    Row("status", "expect", "write 'expect': {\"status\": …}"),
    Row("where", "expect", "write 'expect': {\"where\": …}"),
    Row("assert asserts assertions expected expects then should", "expect"),
  ]

  static let answer = [
    Row("delay wait latency sleep delayMs responseTime", "after"),
    Row(
      "body data payload response content", "json",
      "write 'json' for a body of JSON, or 'text' or 'file'"),
    Row("statusCode code httpStatus", "status"), Row("header", "headers"),
    Row("error failure networkError", "fault"), Row("extract outputs value", "values"),
    Row("path bodyFile", "file"),
  ]

  static let expected = [
    Row("output result results returns", "outputs"),
    Row("failure error errors", "failures"),
    Row("assert asserts assertions conditions checks that", "where"),
    Row("exact strict", "exactly", "write 'exactly': true", as: "true"),
    Row("outcome", "status"),
  ]

  static let expectedFailure = [
    Row("statusCode code", "status"), Row("type reason", "kind"), Row("index", "item"),
    Row("text contains", "message"), Row("id", "step"),
  ]
}

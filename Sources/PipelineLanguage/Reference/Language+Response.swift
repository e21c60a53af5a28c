// The objects that read and judge responses, and repeat requests.

extension LanguageObject {
  /// A member of `extract` that says more than its query.
  static let extractor = LanguageObject(
    .extractor, "extractor", place: "in an extractor", of: ExtractorOptions.self)

  static let expect = LanguageObject(
    .expect, "expectation", place: "in 'expect'", of: Expectation.self)

  /// A member of `where` that says what to say.
  static let check = LanguageObject(
    .check, "check", place: "in a check of 'where'", of: Expectation.Check.self)

  static let paginate = LanguageObject(
    .paginate, "pagination", place: "in 'paginate'", of: Pagination.self)

  static let poll = LanguageObject(.poll, "polling", place: "in 'poll'", of: Poll.self)

  /// `timeout` if it has more than the overall limit.
  static let timeout = LanguageObject(
    .timeout, "time limits", place: "in 'timeout'", of: TimeLimits.self)

  /// `retry` if it has more than a number.
  static let retry = LanguageObject(
    .retry, "retry policy", place: "in 'retry'", of: RetryPolicy.self)
}

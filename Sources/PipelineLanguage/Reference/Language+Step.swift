extension LanguageObject {
  /// `onError` if it names what to recover from.
  static let recovery = LanguageObject(
    .recovery, "recovery", place: "in 'onError'", of: Recovery.self)

  /// `fail` if it has more than the message.
  static let failure = LanguageObject(
    .failure, "failure", place: "in 'fail'", of: IntendedFailure.self)

  /// `forEach` over whole numbers.
  static let range = LanguageObject(
    .range, "range", place: "in the object of 'forEach'", of: Iteration.Numbers.self)
}

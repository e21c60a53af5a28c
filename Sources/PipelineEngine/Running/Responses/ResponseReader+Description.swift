internal import PipelineLint

extension ResponseReader {
  /// Notes what is not as the description of the API says, or fails because of it.
  func checkDescription() throws(FailureReason) {
    guard let checks = step.checks else { return }
    let differences = checks.differences(
      of: step.request, status: body.response.status, body: body.json)
    guard let first = differences.first else { return }
    let facts = ResponseFacts(self)
    let messages = differences.prefix(Self.mostDifferences).map { difference in
      difference.message
        + (difference.value.map { ": " + facts.shown($0.text, to: 60) } ?? "")
    }
    guard checks.fails else {
      for message in messages { step.noteOnce(message) }
      return
    }
    throw FailureReason(
      .schema, messages[0], at: first.range, hints: Array(messages.dropFirst()))
  }

  /// More differences of one response are not reported.
  private static let mostDifferences = 5
}

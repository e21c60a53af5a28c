/// Why the state of a workflow cannot be read or kept.
struct StateProblem: Error, Sendable {
  /// One phrase that names the file and the way out.
  var message: String
  /// Lines that show the places, each ending with a newline.
  var lines = ""
  var status = ExitStatus.failure
}

extension Console {
  /// Reports why there is no state, and gives the status to end with.
  func complain(_ problem: StateProblem) -> ExitStatus {
    error.write(problem.lines)
    complain(problem.message)
    return problem.status
  }
}

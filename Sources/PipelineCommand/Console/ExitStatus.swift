/// The status that the program returns to its caller.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  case invalid = 2
  case inDoubt = 3
  /// For a part it means `skipped`: a part does not wait.
  case waiting = 4
  /// For parts alone, as is the next one.
  case failedForGood = 5
  case notReady = 6
  /// `EX_USAGE` of sysexits.h.
  case usage = 64
  /// 128 + `SIGINT`, as shells have it.
  case interrupted = 130

  /// The step of a part is skipped, or not carried out.
  static let skipped = ExitStatus.waiting

  var meaning: String {
    switch self {
    case .success: "Success"
    case .failure: "The run failed, or its outputs or state could not be written"
    case .invalid: "The workflow, an input or the state is invalid"
    case .inDoubt: "A request may have been carried out, and nobody knows; 'resume' lists it"
    case .waiting:
      "The run waits for an answer; 'resume --answer' goes on. Of a part: its step is skipped"
    case .failedForGood: "The part failed, and trying again does not help (part run)"
    case .notReady: "A part that this one follows has not been carried out (part)"
    case .usage: "The command line is wrong"
    case .interrupted: "Interrupted by Ctrl-C, SIGTERM or SIGHUP"
    }
  }
}

/// The status that the program returns to its caller.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  case invalid = 2
  case inDoubt = 3
  /// `EX_USAGE` of sysexits.h.
  case usage = 64
  /// 128 + `SIGINT`, as shells have it.
  case interrupted = 130

  var meaning: String {
    switch self {
    case .success: "Success"
    case .failure: "The run failed, or its outputs or state could not be written"
    case .invalid: "The workflow, an input or the state is invalid"
    case .inDoubt: "A request may have been carried out, and nobody knows; 'resume' lists it"
    case .usage: "The command line is wrong"
    case .interrupted: "Interrupted by Ctrl-C or SIGTERM"
    }
  }
}

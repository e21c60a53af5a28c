import PipelineCommand
import Synchronization

/// Keeps what is written.
final class CapturedStream: PipelineCommand.Stream {
  private let bytes = Mutex<[UInt8]>([])
  let terminal: TerminalSize?
  let failure: String?

  /// - Parameter failure: Why nothing that is written arrives.
  init(terminal: TerminalSize? = nil, failing failure: String? = nil) {
    self.terminal = terminal
    self.failure = failure
  }

  func write(_ new: [UInt8]) { bytes.withLock { $0 += new } }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// What the program printed, and its exit status.
struct Outcome {
  var status: ExitStatus
  var output: String
  var error: String
}

/// Runs the program in this process.
func pipeline(
  _ arguments: [String], environment: [String: String] = [:], files: FileSystem = .system
) async -> Outcome {
  let (output, error) = (CapturedStream(), CapturedStream())
  let console = Console(
    output: output, error: error, files: files, environment: environment)
  let status = await Program(console: console).main(arguments)
  return Outcome(status: status, output: output.text, error: error.text)
}

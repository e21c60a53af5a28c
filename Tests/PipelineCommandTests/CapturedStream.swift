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
///
/// - Parameter lines: What a person at a terminal types; `nil`: there is no terminal.
func pipeline(
  _ arguments: [String], environment: [String: String] = [:], files: FileSystem = .system,
  answering lines: [String]? = nil
) async -> Outcome {
  let (output, error) = (CapturedStream(), CapturedStream())
  var console = Console(
    output: output, error: error, files: files, environment: environment)
  if let lines {
    let typed = TypedLines(lines)
    console.input = TerminalInput { _ in typed.next() }
  }
  let status = await Program(console: console).main(arguments)
  return Outcome(status: status, output: output.text, error: error.text)
}

/// Lines that a person types, one after the other.
private final class TypedLines: Sendable {
  private let lines: Mutex<[String]>

  init(_ lines: [String]) { self.lines = Mutex(lines) }

  func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

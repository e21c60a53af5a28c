internal import PipelineByteText
internal import PipelineSourceText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Everything outside the program except the network: streams, files, environment, signals.
///
/// Commands get it as a parameter, so that a test can run the whole program without a process.
package struct Console: Sendable {
  private let outputStream: any Stream
  private let errorStream: any Stream
  package var files: FileSystem
  package var environment: [String: String]
  /// The variables that are set and whose bytes are not UTF-8.
  package var unreadableVariables: Set<String> = []
  /// The person at the terminal; `nil` if there is none to be asked.
  package var input: TerminalInput?
  /// The signals that end a run. Made only when a command asks, because it changes the process.
  package var interrupts: @Sendable () -> AsyncStream<Interrupt>

  package init(
    output: any Stream, error: any Stream, files: FileSystem = .system,
    environment: [String: String] = [:],
    interrupts: @escaping @Sendable () -> AsyncStream<Interrupt> = { AsyncStream { _ in } }
  ) {
    outputStream = output
    errorStream = error
    self.files = files
    self.environment = environment
    self.interrupts = interrupts
  }

  /// The process's own.
  ///
  /// From here on a write to a closed pipe is an error of that write and no longer ends the process.
  package static func process() -> Console {
    signal(SIGPIPE, SIG_IGN)
    keepNumbersOfClosedStreams()
    let (variables, unreadable) = processEnvironment()
    var console = Console(
      output: DescriptorStream.output, error: DescriptorStream.error, environment: variables,
      interrupts: { Interrupt.all() })
    console.unreadableVariables = unreadable
    console.input = TerminalInput.process()
    return console
  }

  /// What was asked for, as text for people: findings, help, a plan.
  var output: TextStream { TextStream(outputStream, environment: environment) }

  /// Everything else for people: progress, failures, summaries.
  var error: TextStream { TextStream(errorStream, environment: environment) }

  /// What was asked for, for other programs: rows, reports, drawings. It is written as it is.
  var data: any Stream { outputStream }

  /// What was asked for as JSON.
  var json: JSONStream { JSONStream(outputStream, environment: environment) }

  /// Reports what is in the program's way, as one line.
  func complain(_ message: String) {
    error.write(wrapping: Cells.printable("pipeline: " + message) + "\n")
  }

  /// Reports why a command cannot go on, and gives the status to end with.
  func complain(of error: any Error) -> ExitStatus {
    guard let error = error as? UsageError else {
      complain("\(error)")
      return .failure
    }
    complain(error.message)
    return .usage
  }
}

/// Opens streams that the program was started without (`>&-`). Otherwise the next file or socket
/// would get a stream's number, and printed text would go there.
private func keepNumbersOfClosedStreams() {
  for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
    // For the other direction, so that using it fails as before.
    _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

/// The variables of the process, the first of each name, and those that are not UTF-8.
private func processEnvironment() -> (variables: [String: String], unreadable: Set<String>) {
  var variables: [String: String] = [:]
  var unreadable: Set<String> = []
  #if canImport(Darwin)
    guard var entry = _NSGetEnviron().pointee else { return ([:], []) }
  #else
    var entry = environ
  #endif
  while let text = entry.pointee {
    let parts = String(cString: text).split(
      ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
    entry += 1
    guard parts.count == 2 else { continue }
    let name = String(parts[0])
    guard variables[name] == nil, !unreadable.contains(name) else { continue }
    if String(validatingCString: text) != nil {
      variables[name] = String(parts[1])
    } else {
      unreadable.insert(name)
    }
  }
  return (variables, unreadable)
}

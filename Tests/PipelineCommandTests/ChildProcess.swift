import PipelineTestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program as a process of its own, as a shell would start it.
final class ChildProcess {
  private let id: pid_t
  private let outputEnd: Int32
  private let errorEnd: Int32

  /// The executable that was built together with these tests.
  static let executable: String? = {
    var folder = CommandLine.arguments[0]
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let candidate = folder + "/pipeline"
      if access(candidate, X_OK) == 0, readFile(candidate)?.isEmpty == false { return candidate }
    }
    return nil
  }()

  /// - Parameters:
  ///   - closed: A standard stream that the program is started without.
  ///   - variables: More of its environment.
  ///   - starter: The words of a program that starts it.
  init?(
    _ arguments: [String], closed: Int32? = nil, environment variables: [String: String] = [:],
    under starter: [String] = []
  ) {
    guard let executable = Self.executable else { return nil }
    guard let output = Spawning.pipe(), let error = Spawning.pipe() else { return nil }
    // Nothing is kept where the tests' user keeps runs.
    let environment = Spawning.environment.merging(["PIPELINE_STORE": "off"]) { $1 }
      .merging(variables) { $1 }
    let id = try? Spawning.start(starter + [executable] + arguments, environment: environment) {
      actions in
      posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
      posix_spawn_file_actions_adddup2(&actions, error.writing, 2)
      if let closed { posix_spawn_file_actions_addclose(&actions, closed) }
    }
    close(output.writing)
    close(error.writing)
    (self.id, outputEnd, errorEnd) = (id ?? -1, output.reading, error.reading)
    guard id != nil else { return nil }
  }

  deinit {
    close(outputEnd)
    close(errorEnd)
  }

  func send(_ signal: Int32) { kill(id, signal) }

  /// The most memory that it has had so far, in bytes; `nil`: the system does not say.
  var peakBytes: Int? {
    guard let text = readFile("/proc/\(id)/status") else { return nil }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace)
    return words?.dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Whether it has ended, and nobody has waited for it.
  var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) != 0
      || information.si_signo != 0
  }

  /// The next line of stdout; blocks.
  func outputLine() -> String { line(outputEnd) }

  /// The next line of stderr; blocks.
  func errorLine() -> String { line(errorEnd) }

  /// The exit status, and what was not yet read of stdout and stderr; blocks until the end.
  func wait() -> (status: Int32, output: String, error: String) {
    let error = rest(errorEnd)
    let output = rest(outputEnd)
    return (Spawning.end(of: id), output, error)
  }

  private func line(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func rest(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

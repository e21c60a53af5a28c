import Foundation
import PipelineTestSupport

/// Starts programs and waits for them, in a group of their own, with what they used.
struct Subprocess: Sendable {
  /// Where what a program says is kept while it runs.
  let folder: URL
  let cleanup: Cleanup

  struct Ending {
    let seconds: Double
    /// User and system time, of the program and of those it waited for.
    let processorSeconds: Double
    /// The largest resident size of one process.
    ///
    /// Linux counts what this program held when it started the other one: nothing smaller than
    /// that can be seen.
    let peakBytes: Double
    let output: String
  }

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  enum Output {
    case discarded, captured, shown
  }

  /// - Throws: `Failed`, with the last of what the program said, where it does not end with
  ///   `expected`.
  func run(
    _ words: [String], output: Output = .discarded, status expected: Int32 = 0
  ) throws -> Ending {
    let said = folder.appendingPathComponent("output").path
    let complained = folder.appendingPathComponent("errors").path
    let start = ContinuousClock.now
    let id = try spawn(words, output, said: said, complained: complained)
    cleanup.waits(for: id)
    defer { cleanup.waits(for: 0) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    let seconds = (ContinuousClock.now - start).inSeconds
    guard status == expected << 8 else {
      let text = (try? String(contentsOfFile: complained, encoding: .utf8)) ?? ""
      let how = status & 0x7F == 0 ? "exit status \(status >> 8)" : "signal \(status & 0x7F)"
      throw Failed(description: "\(words.joined(separator: " ")): \(how)\n\(text.suffix(600))")
    }
    let text = output == .captured ? try String(contentsOfFile: said, encoding: .utf8) : ""
    return Ending(
      seconds: seconds, processorSeconds: usage.ru_utime.inSeconds + usage.ru_stime.inSeconds,
      peakBytes: usage.peakBytes, output: text)
  }

  private func spawn(
    _ words: [String], _ output: Output, said: String, complained: String
  ) throws -> pid_t {
    do {
      return try Spawning.start(words, environment: Spawning.environment, isApart: true) {
        actions in
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        switch output {
        case .discarded: posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        case .captured: posix_spawn_file_actions_addopen(&actions, 1, said, writing, 0o600)
        // stdout is the table's.
        case .shown: posix_spawn_file_actions_adddup2(&actions, 2, 1)
        }
        if output != .shown {
          posix_spawn_file_actions_addopen(&actions, 2, complained, writing, 0o600)
        }
      }
    } catch {
      throw Failed(description: "\(words[0]) cannot be started: \(error.reason)")
    }
  }
}

/// The programs of other people that are started.
enum Tool {
  /// Where a program is; `nil` where it is not installed.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders.map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Which of these programs there are not, in words.
  static func missing(_ names: String...) -> String {
    let absent = names.filter { path($0) == nil }
    return absent.joined(separator: " and ") + (absent.count == 1 ? " is" : " are")
      + " not installed"
  }
}

extension rusage {
  var peakBytes: Double {
    #if canImport(Darwin)
      Double(ru_maxrss)
    #else
      Double(ru_maxrss) * 1024
    #endif
  }

  /// The most that this program has held so far, in bytes.
  static var ownPeakBytes: Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    return usage.peakBytes
  }
}

extension timeval {
  var inSeconds: Double { Double(tv_sec) + Double(tv_usec) * 1e-6 }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

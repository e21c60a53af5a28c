internal import PipelineByteText
internal import PipelineSourceText

/// A stream for people: a terminal, or a log that a CI system reads.
///
/// Everything that the program says passes through here last. What came from a file, a server or
/// the command line is only text in it: it cannot move the cursor, reverse a line, or command a CI
/// system. Data has `Console.data` and `Console.json`.
struct TextStream: Sendable {
  private let stream: any Stream
  private let guardsCommands: Bool

  init(_ stream: any Stream, environment: [String: String]) {
    self.stream = stream
    guardsCommands = CommandGuard.isNeeded(in: environment)
  }

  /// The size of the terminal that shows the stream; `nil` if none does.
  var terminal: TerminalSize? { stream.terminal }

  /// Why an earlier write failed; `nil` if none did, or the reader went away.
  var failure: String? { stream.failure }

  /// Writes lines, with the control characters in them made visible.
  func write(_ text: String) { put(text, Cells.printableLines(text)) }

  /// Writes lines that have the colours of `Line` or `DiagnosticRenderer`. Other control characters
  /// are made visible.
  func write(inked text: String) { put(text, Cells.printableLines(text, keepingInks: true)) }

  /// Writes lines like `write(inked:)`. On a terminal, long ones wrap between words.
  func write(wrapping text: String) {
    guard let terminal else { return write(inked: text) }
    write(inked: Wrapping.lines(of: text, width: terminal.width).joined(separator: "\n"))
  }

  /// Writes one line, whatever the text holds.
  func write(line text: String) { write(Cells.printable(text) + "\n") }

  /// Writes commands for a CI system. Their makers escape what is in them.
  func write(commands text: String) { stream.write(text) }

  /// Draws what a screen shows, whose lines are `Line`s or went through `write(inked:)`.
  func draw(_ frame: String) { stream.write(frame) }

  private func put(_ original: String, _ text: String) {
    stream.write(guardsCommands ? CommandGuard.text(text) : text)
  }
}

/// Keeps a line from being a command of a CI system.
///
/// The runner of GitHub Actions obeys a line that begins with `::` after any blanks, and `##[` in any
/// place. Azure Pipelines obeys `##vso[`, and TeamCity `##teamcity[`.
enum CommandGuard {
  /// Whether such a system reads what the program prints.
  static func isNeeded(in environment: [String: String]) -> Bool {
    ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].contains {
      environment[$0]?.isEmpty == false
    }
  }

  /// Lines, with a blank in what would begin a command.
  static func text(_ text: String) -> String {
    guard text.contains(bytes: "::") || text.contains(bytes: "##") else { return text }
    let lines = text.split(ascii: "\n", omittingEmptySubsequences: false).map { line in
      var line = String(line)
      let start = line.firstIndex { !$0.isWhitespace } ?? line.endIndex
      if line[start...].hasPrefix(bytes: "::") {
        line = line[..<start] + ": :" + line[start...].dropFirst(bytes: 2)
      }
      while let place = line.firstRange(bytes: "##") {
        line.replaceSubrange(place, with: "# #")
      }
      return line
    }
    return lines.joined(separator: "\n")
  }
}

/// A stream of JSON for programs, which people may look at.
///
/// On a terminal, and in the log of a CI system, characters that would steer it are written as
/// escapes. Such text means the same.
struct JSONStream: Sendable {
  private let stream: any Stream
  private let escapes: Bool
  private let guardsCommands: Bool

  init(_ stream: any Stream, environment: [String: String]) {
    self.stream = stream
    guardsCommands = CommandGuard.isNeeded(in: environment)
    escapes = guardsCommands || stream.terminal != nil
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes whole values, or their beginnings up to any character.
  func write(_ bytes: [UInt8]) {
    guard escapes, !bytes.isEmpty else { return stream.write(bytes) }
    var text = ""
    var isAfterHash = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let isHash = scalar == "#"
      if scalar == "\n" || Cells.printable(scalar) == scalar,
        !(isHash && isAfterHash && guardsCommands)
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += Self.escape(scalar)
      }
      isAfterHash = isHash
    }
    stream.write(text)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    // Outside of strings JSON has no such characters, but blanks.
    guard scalar.value >= 0x20 else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
  }
}

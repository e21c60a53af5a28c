internal import PipelineByteText

/// Commands for cmd, the shell of Windows, as a browser copies them: written for a POSIX shell.
///
/// cmd takes carets away outside of quotes. The program then splits its words itself, with `\"` for a
/// quote.
enum CmdText {
  static func isCmd(_ text: String) -> Bool {
    ["^\"", "^\n", "^\r\n"].contains { text.contains(bytes: $0) }
  }

  /// - Complexity: Linear in the length of the text.
  static func posix(_ text: String) throws(ShellWords.Problem) -> String {
    var result = ""
    for (number, command) in commands(in: text).enumerated() {
      // Each command stays on its line.
      let lines = result.utf8.count { $0 == UInt8(ascii: "\n") }
      if number > 0 {
        result += String(repeating: "\n", count: max(1, command.line - 1 - lines))
      }
      result += try words(of: command.text).map(ShellWords.quoted).joined(separator: " ")
    }
    return result
  }

  /// The commands as cmd hands them over, each with the line on which it begins.
  private static func commands(in text: String) -> [(line: Int, text: [Unicode.Scalar])] {
    let scalars = Array(text.replacing(bytes: "\r\n", with: "\n").unicodeScalars)
    var commands: [(line: Int, text: [Unicode.Scalar])] = []
    var current: [Unicode.Scalar] = []
    var line = 1
    var start = 1
    var isQuoted = false
    // Chrome has also written carets into plain quotes, where cmd leaves them.
    let isQuotedToo = text.contains(bytes: "^\\^\"")
    func end() {
      if current.contains(where: { !$0.properties.isWhitespace }) {
        commands.append((start, current))
      }
      current = []
      start = line
    }
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "^" where !isQuoted || isQuotedToo:
        guard index < scalars.count else { break }
        // A caret joins lines. An empty line after it is the end of a line in a word.
        if scalars[index] == "\n" {
          line += 1
          index += 1
          if index < scalars.count, scalars[index] == "\n" {
            line += 1
            index += 1
            current.append("\n")
          }
        } else {
          current.append(scalars[index])
          index += 1
        }
      case "\"":
        isQuoted.toggle()
        current.append(scalar)
      case "\n" where !isQuoted:
        line += 1
        end()
      case "&" where !isQuoted: end()
      default:
        if scalar == "\n" { line += 1 }
        current.append(scalar)
      }
    }
    end()
    return commands
  }

  /// The words of a command, as programs for Windows split it. Browsers double each backslash, also
  /// where a program would not take one away.
  private static func words(
    of command: [Unicode.Scalar]
  ) throws(ShellWords.Problem) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var backslashes = 0
    func add(_ scalar: Unicode.Scalar) { word = (word ?? "") + String(scalar) }
    for scalar in command {
      if scalar == "\\" {
        backslashes += 1
        continue
      }
      let isQuote = scalar == "\""
      for _ in 0..<(isQuote ? backslashes / 2 : (backslashes + 1) / 2) { add("\\") }
      let isEscaped = isQuote && backslashes % 2 == 1
      backslashes = 0
      switch scalar {
      case "\"" where !isEscaped:
        isQuoted.toggle()
        word = word ?? ""
      case " ", "\t":
        if isQuoted {
          add(scalar)
        } else if let whole = word {
          words.append(whole)
          word = nil
        }
      default: add(scalar)
      }
    }
    for _ in 0..<((backslashes + 1) / 2) { add("\\") }
    guard !isQuoted else { throw ShellWords.Problem(message: "a \" is not closed") }
    return words + [word].compactMap(\.self)
  }
}

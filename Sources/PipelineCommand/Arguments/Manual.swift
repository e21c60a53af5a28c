internal import PipelineByteText

/// The manual pages that a table gives, in the language of man(7).
struct Manual: Sendable {
  /// A page and the name of its file.
  struct Page: Sendable {
    let name: String
    let text: String
  }

  let table: CommandTable

  /// The page of the whole program.
  var page: Page {
    var text = head(of: table.name, table.summary)
    text += ".SH SYNOPSIS\n.B \(escaped(table.name))\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
    text += rows(
      "COMMANDS", table.commands.map { ("\(table.name)-\($0.name)(1)", $0.page.summary) })
    text += rows("OPTIONS", table.options.map { ($0.usage.trimmed, $0.help) })
    text += examples(table.examples)
    text += rows("EXIT STATUS", ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
    return Page(name: table.name + ".1", text: text)
  }

  /// The page of one command.
  func page(of command: Command) -> Page {
    let name = "\(table.name)-\(command.name)"
    var text = head(of: name, command.page.summary)
    text += ".SH SYNOPSIS\n\(escaped(command.usage(in: table)))\n"
    if !command.page.discussion.isEmpty {
      text += ".SH DESCRIPTION\n" + command.page.discussion.map(line).joined(separator: ".PP\n")
    }
    text += rows("ARGUMENTS", command.operands.map { ($0.name, $0.help) })
    text += rows("OPTIONS", command.options.map { ($0.usage.trimmed, $0.help) })
    text += examples(command.page.examples)
    text += ".SH SEE ALSO\n.BR \(escaped(table.name)) (1)\n"
    return Page(name: name + ".1", text: text)
  }

  private func head(of name: String, _ summary: String) -> String {
    let version = escaped("\(table.name) \(table.version)")
    return ".TH \(escaped(name.uppercased())) 1 \"\" \"\(version)\" \"User Commands\"\n"
      + ".SH NAME\n\(escaped(name)) \\- \(escaped(summary))\n"
  }

  private func rows(_ title: String, _ rows: [(name: String, help: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return ".SH \(title)\n"
      + rows.map { ".TP\n.B \(escaped($0.name))\n" + line($0.help) }.joined()
  }

  private func examples(_ examples: [Example]) -> String {
    guard !examples.isEmpty else { return "" }
    return ".SH EXAMPLES\n"
      + examples.map { ".TP\n.B \(escaped($0.line))\n" + line($0.meaning) }.joined()
  }

  /// A paragraph. A dot or a quote at the beginning of its line would be a request of man(7).
  private func line(_ text: String) -> String {
    let text = escaped(text)
    let isRequest = text.hasPrefix(bytes: ".") || text.hasPrefix(bytes: "'")
    return (isRequest ? "\\&" : "") + text + "\n"
  }

  /// The text without what man(7) reads as something else, in ASCII.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "~": escaped += "\\(ti"
      case "^": escaped += "\\(ha"
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + "]"
      }
    }
    return escaped
  }
}

extension String {
  /// Without the blanks that align options without a letter.
  fileprivate var trimmed: String {
    String(decoding: utf8.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }
}

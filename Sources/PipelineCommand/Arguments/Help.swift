internal import PipelineByteText

/// The help pages that a table gives.
struct Help: Sendable {
  let table: CommandTable

  static let width = 80

  /// The page of the whole program.
  var page: String {
    var text = table.summary + "\n\nUsage: \(table.name) COMMAND [OPTION]…\n"
    text += section("Commands", table.commands.map { ($0.name, $0.page.summary) })
    text += section("Options", table.options.map { ($0.usage, $0.help) })
    text += list("Examples", table.examples)
    text += section("Exit status", ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
    return text
  }

  /// The text without a command.
  var firstSteps: String {
    table.summary + "\n" + list("First steps", table.firstSteps)
      + "\n'\(table.name) --help' lists all commands.\n"
  }

  /// The page of one command.
  func page(of command: Command) -> String {
    var text = command.page.summary + "\n\nUsage: \(command.usage(in: table))\n"
    for paragraph in command.page.discussion {
      text += "\n" + Self.wrap(paragraph, to: Self.width).joined(separator: "\n") + "\n"
    }
    text += section("Arguments", command.operands.map { ($0.name, $0.help) })
    text += section("Options", command.options.map { ($0.usage, $0.help) })
    text += list("Examples", command.page.examples)
    return text
  }

  private func section(_ title: String, _ rows: [(name: String, help: String)]) -> String {
    Self.section(title, rows)
  }

  /// A title, and rows of two columns.
  static func section(_ title: String, _ rows: [(name: String, help: String)]) -> String {
    rows.isEmpty ? "" : "\n\(title):\n" + Self.rows(rows)
  }

  /// Rows of two columns.
  static func rows(_ rows: [(name: String, help: String)]) -> String {
    let column = min(rows.map(\.name.count).max() ?? 0, 26) + 4
    var text = ""
    for row in rows {
      var line = "  " + row.name
      for part in wrap(row.help, to: width - column) {
        if line.count > column - 2, !line.allSatisfy({ $0 == " " }) {
          text += line + "\n"
          line = ""
        }
        line += String(repeating: " ", count: column - line.count) + part
        text += line + "\n"
        line = ""
      }
    }
    return text
  }

  /// A title, and command lines with their meaning below.
  private func list(_ title: String, _ examples: [Example]) -> String {
    guard !examples.isEmpty else { return "" }
    return "\n\(title):\n"
      + examples.map { "  \($0.line)\n      \($0.meaning)\n" }.joined()
  }

  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(ascii: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}

extension Option {
  /// `-o, --output FILE`, aligned for help.
  var usage: String {
    (letter.map { "-\($0), " } ?? "    ") + "--" + name + (argument.map { " " + $0.name } ?? "")
  }
}

extension Command {
  /// The command's form, as one line.
  func usage(in table: CommandTable) -> String {
    var text = table.name + " " + name
    for operand in operands {
      switch operand.arity {
      case .one: text += " " + operand.name
      case .optional: text += " [\(operand.name)]"
      case .many: text += " [\(operand.name)]…"
      }
    }
    return options.count > 1 ? text + " [OPTION]…" : text
  }
}

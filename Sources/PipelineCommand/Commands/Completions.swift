internal import PipelineByteText

/// A shell that completes our command lines.
enum Shell: String, WordChoice {
  case bash, zsh, fish
}

/// The completion scripts that a table gives.
struct Completions: Sendable {
  let table: CommandTable
  /// The codes of lint, and the words of the language.
  let topics: [String]

  /// The script for `shell`, to be sourced or installed.
  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// A shell function's name for the program.
  private var function: String { "_" + table.name }

  // MARK: bash

  private var bash: String {
    """
    # Completions of \(table.name) for bash: source this file.
    # The words of a file are quoted, and never expanded: they may be anybody's.
    \(function)_words() {
      local file="" word quoted
      for word in "${COMP_WORDS[@]:2}"; do
        if [[ $word == *.json ]]; then file=$word; break; fi
      done
      COMPREPLY=()
      while IFS= read -r word; do
        printf -v quoted %q "$word"
        if [[ $word == "$cur"* || $quoted == "$cur"* ]]; then COMPREPLY+=("$quoted"); fi
      done < <("${COMP_WORDS[0]}" completions --words "$1" ${file:+"--file=$file"} 2>/dev/null)
      compopt +o filenames 2>/dev/null
    }
    # Files whose names match, and folders.
    \(function)_files() {
      local name
      COMPREPLY=()
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(
        compgen -f -X "!$1" -- "$cur"
        compgen -d -- "$cur"
      )
    }
    \(function)_takes_value() {
      case "$command $1" in
    \(bashOptionsWithValues)
      esac
      return 1
    }
    \(function)() {
      local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
      # Bash splits '--name=value' at the sign.
      if [[ $cur == = ]]; then cur=""
      elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"
      fi
      COMPREPLY=()
      if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "\(topWords)" -- "$cur"))
        return
      fi
      case "$command $prev" in
    \(bashOptions)
      esac
      # How many operands are before the cursor.
      local operand=0 index
      for ((index = 2; index < COMP_CWORD; index++)); do
        if \(function)_takes_value "${COMP_WORDS[index]}"; then
          ((index++))
          if [[ ${COMP_WORDS[index]} == = ]]; then ((index++)); fi
        else
          case "${COMP_WORDS[index]}" in
            =) ((index++)) ;;
            -?*) ;;
            *) ((operand++)) ;;
          esac
        fi
      done
      case "$command" in
    \(bashCommands)
      esac
    }
    complete -o filenames -F \(function) \(table.name)

    """
  }

  private var topWords: String {
    (table.commands.map(\.name) + table.options.flatMap(\.words)).joined(separator: " ")
  }

  private func bashPatterns(_ options: [Option], of command: Command) -> String {
    options.flatMap(\.words).map { "\"\(command.name) \($0)\"" }.joined(separator: "|")
  }

  private var bashOptionsWithValues: String {
    table.commands.compactMap { command in
      let options = command.options.filter { $0.argument != nil }
      return options.isEmpty ? nil : "    \(bashPatterns(options, of: command))) return 0 ;;"
    }.joined(separator: "\n")
  }

  private var bashOptions: String {
    table.commands.flatMap { command in
      command.options.compactMap { option -> String? in
        guard let values = option.argument?.values else { return nil }
        return "    \(bashPatterns([option], of: command))) \(bashReply(values)); return ;;"
      }
    }.joined(separator: "\n")
  }

  private var bashCommands: String {
    table.commands.map { command in
      let words = command.options.flatMap(\.words).joined(separator: " ")
      let operands = command.operands.enumerated().map { number, operand in
        let pattern = operand.arity == .many ? "*" : "\(number)"
        return "            \(pattern)) \(bashReply(offered(for: operand))) ;;\n"
      }
      return """
            \(command.name))
              if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "\(words)" -- "$cur"))
              else case $operand in
        \(operands.joined())          esac
              fi ;;
        """
    }.joined(separator: "\n")
  }

  private func bashReply(_ values: Values) -> String {
    switch values {
    case .any, .number, .topic, .command: ":"
    case .assignment: "\(function)_words inputs; compopt -o nospace 2>/dev/null"
    case .step: "\(function)_words steps"
    case .environment: "\(function)_words environments"
    case .run: "\(function)_words runs"
    case .file(let ending): "\(function)_files '*\(ending ?? "")'"
    case .folder: "\(function)_files ''"
    case .oneOf(let words):
      "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\"))"
    }
  }

  /// The kind of an operand. Names are looked up.
  private func offered(for operand: Operand) -> Values {
    switch operand.values {
    case .command: .oneOf(table.commands.map(\.name) + HelpCommand.pages)
    case .topic: .oneOf(topics)
    default: operand.values
    }
  }

  // MARK: zsh

  private var zsh: String {
    let names = table.commands.map { "    \(quote("\($0.name):\($0.page.summary)"))" }
    let cases = table.commands.map { command in
      let options = command.options.flatMap(zshOption)
      let operands = command.operands.map { operand in
        let sign = operand.arity == .many ? "*" : operand.arity == .optional ? ":" : ""
        let name = escapeColons(operand.name)
        return quote("\(sign):\(name):\(zshAction(offered(for: operand)))")
      }
      return "    \(command.name)) _arguments -s \\\n"
        + (options + operands).map { "        " + $0 }.joined(separator: " \\\n") + " ;;"
    }
    return """
      #compdef \(table.name)
      # Completions of \(table.name) for zsh: install as _\(table.name) in a folder of $fpath.
      \(function)_words() {
        # `_arguments` puts what compadd needs before the kind.
        local kind=$argv[-1] file=${words[(r)*.json]}
        local -a found ending
        found=(${(f)"$(\(table.name) completions --words $kind ${file:+--file=$file} 2>/dev/null)"})
        if [[ $kind == inputs ]]; then ending=(-S ''); fi
        compadd "${(@)argv[1,-2]}" "${(@)ending}" -a found
      }
      \(function)() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          compadd -- \(table.options.flatMap(\.words).joined(separator: " "))
          return
        fi
        local command="$words[2]"
        shift words
        (( CURRENT-- ))
        case "$command" in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [[ "$funcstack[1]" == "\(function)" ]]; then \(function) "$@"; else compdef \(function) \(table.name); fi

      """
  }

  private func zshOption(_ option: Option) -> [String] {
    let help = option.help.replacing(bytes: "[", with: "\\[").replacing(bytes: "]", with: "\\]")
    return option.words.map { word in
      var spec = option.isRepeatable ? "*" : ""
      spec += word
      if option.argument != nil { spec += word.hasPrefix(bytes: "--") ? "=" : "+" }
      spec += "[\(escapeColons(help))]"
      if let argument = option.argument {
        spec += ":\(escapeColons(argument.name)):\(zshAction(argument.values))"
      }
      return quote(spec)
    }
  }

  private func zshAction(_ values: Values) -> String {
    switch values {
    case .any, .number, .topic, .command: " "
    case .assignment: "\(function)_words inputs"
    case .step: "\(function)_words steps"
    case .environment: "\(function)_words environments"
    case .run: "\(function)_words runs"
    case .file(let ending?): "_files -g \"*\(ending)\""
    case .file(nil): "_files"
    case .folder: "_files -/"
    case .oneOf(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private func escapeColons(_ text: String) -> String { text.replacing(bytes: ":", with: "\\:") }

  // MARK: fish

  private var fish: String {
    var lines = [
      "# Completions of \(table.name) for fish: install as \(table.name).fish.",
      "function \(function)_file",
      "  string match -r '.*\\.json$' -- (commandline -opc) | head -n 1"
        + " | string replace -r '^' -- '--file='",
      "end",
      "function \(function)_is",
      "  set -l words (commandline -opc)",
      "  test (count $words) -gt 1; and test $words[2] = $argv[1]",
      "end",
      "complete -c \(table.name) -f",
    ]
    for option in table.options {
      lines.append(fishOption(option, when: "__fish_use_subcommand"))
    }
    for command in table.commands {
      lines.append(
        "complete -c \(table.name) -n __fish_use_subcommand -a \(command.name)"
          + " -d \(fishQuote(command.page.summary))")
      let condition = "\(function)_is \(command.name)"
      for operand in command.operands {
        let action = fishAction(offered(for: operand))
        guard !action.isEmpty else { continue }
        lines.append("complete -c \(table.name) -n \(fishQuote(condition))\(action)")
      }
      lines += command.options.map { fishOption($0, when: condition) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishOption(_ option: Option, when condition: String) -> String {
    var line = "complete -c \(table.name) -n \(fishQuote(condition)) -l \(option.name)"
    if let letter = option.letter { line += " -s \(letter)" }
    if let argument = option.argument { line += " -x" + fishAction(argument.values) }
    return line + " -d \(fishQuote(option.help))"
  }

  private func fishWords(_ kind: String) -> String {
    " -a '(\(table.name) completions --words \(kind) (\(function)_file) 2>/dev/null)'"
  }

  private func fishAction(_ values: Values) -> String {
    switch values {
    case .any, .number, .topic, .command: ""
    case .assignment: fishWords("inputs")
    case .step: fishWords("steps")
    case .environment: fishWords("environments")
    case .run: fishWords("runs")
    case .file(let ending?): " -k -a '(__fish_complete_suffix \(ending))'"
    case .file(nil): " -a '(__fish_complete_path)'"
    case .folder: " -a '(__fish_complete_directories)'"
    case .oneOf(let words): " -a \(fishQuote(words.joined(separator: " ")))"
    }
  }

  // MARK: quoting

  private func quote(_ text: String) -> String {
    "'" + text.replacing(bytes: "'", with: "'\\''") + "'"
  }

  private func fishQuote(_ text: String) -> String {
    "'" + text.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'") + "'"
  }
}

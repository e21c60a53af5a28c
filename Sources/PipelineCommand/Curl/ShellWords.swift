internal import PipelineByteText

/// Splits a command as a POSIX shell would, including the form `$'…'` that browsers copy.
///
/// Nothing is expanded: a variable becomes a separate part, and other expansions are refused.
enum ShellWords {
  /// A word, as its texts and variables.
  struct Word: Sendable, Hashable {
    var parts: [Part] = []

    /// The word's text, with variables as the shell writes them.
    var text: String {
      parts.map { part in
        switch part {
        case .text(let text): text
        case .variable(let name): "${\(name)}"
        }
      }.joined()
    }

    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
      if case .text(let text) = parts.last {
        parts[parts.count - 1] = .text(text + String(scalar))
      } else {
        parts.append(.text(String(scalar)))
      }
    }
  }

  enum Part: Sendable, Hashable {
    case text(String)
    case variable(String)
  }

  /// Why a command cannot be split.
  struct Problem: Error, Hashable {
    var message: String
  }

  /// A word as it is pasted into a shell.
  static func quoted(_ word: String) -> String {
    let plain = ASCIISet.letters.union(.digits).union(ASCIISet("._-/+:@%"))
    let isPlain = word.utf8.allSatisfy { plain.contains($0) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing(bytes: "'", with: #"'\''"#) + "'"
  }

  /// The words of a text that is one command, which may be on several lines.
  static func split(_ command: String) throws(Problem) -> [Word] {
    let commands = try commands(in: command)
    guard commands.count < 2 else {
      throw Problem(message: "there are \(commands.count) commands; paste one of them")
    }
    return commands.first?.words ?? []
  }

  /// The commands of a text, each with the line on which it begins, from 1.
  ///
  /// A further command begins with `curl`, after a `;`, a `&` or a line.
  static func commands(in text: String) throws(Problem) -> [(line: Int, words: [Word])] {
    let posix = CmdText.isCmd(text) ? try CmdText.posix(text) : text
    var splitter = Splitter(scalars: Array(posix.unicodeScalars))
    return try splitter.split()
  }
}

private struct Splitter {
  /// As a shell reads: a quote before a combining mark is a quote.
  let scalars: [Unicode.Scalar]
  var index = 0
  /// Where the word that is read begins, and the line of an earlier place.
  var wordStart = 0
  var counted = (index: 0, line: 1)
  var commands: [(line: Int, words: [ShellWords.Word])] = []
  /// What ended the command before; `nil` within one.
  var separator: Unicode.Scalar?
  /// The word that is being read; `nil` between words, so that `''` is a word.
  var word: ShellWords.Word?

  init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  mutating func split() throws(ShellWords.Problem) -> [(line: Int, words: [ShellWords.Word])] {
    while let character = next {
      if word == nil { wordStart = index }
      index += 1
      switch character {
      case " ", "\t": try endWord()
      case "\n":
        try endWord()
        separator = separator ?? character
      case ";", "&":
        try endWord()
        if character == "&", next == "&" { index += 1 }
        separator = character
      case "\r" where next == "\n": continue
      case "'": try readSingleQuotes()
      case "\"": try readDoubleQuotes()
      case "\\": readEscape()
      case "$" where next == "'":
        index += 1
        try readANSIQuotes()
      case "$": try readVariable()
      case "`": throw substitution
      case "#" where word == nil:
        while let comment = next, comment != "\n" {
          _ = comment
          index += 1
        }
      case "|", "<", ">", "(", ")": throw Self.problem(with: character)
      default: add(character)
      }
    }
    try endWord()
    return commands
  }

  private static func problem(with separator: Unicode.Scalar) -> ShellWords.Problem {
    ShellWords.Problem(
      message: separator == "&"
        ? "'&' outside quotes ends the command in a shell; put the URL in single quotes"
        : "'\(separator)' outside quotes: only the curl command itself is read")
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    word = word ?? ShellWords.Word()
    word?.append(scalar)
  }

  private mutating func endWord() throws(ShellWords.Problem) {
    guard let word else { return }
    self.word = nil
    let text = word.text
    let isCurl = text == "curl" || text == "curl.exe" || text.hasSuffix(bytes: "/curl")
    if commands.isEmpty || separator != nil && isCurl {
      counted.line += scalars[counted.index..<wordStart].count { $0 == "\n" }
      counted.index = wordStart
      commands.append((counted.line, []))
    } else if let separator, separator != "\n" {
      throw Self.problem(with: separator)
    }
    separator = nil
    commands[commands.count - 1].words.append(word)
  }

  private mutating func readEscape() {
    guard let scalar = next else { return add("\\") }
    index += 1
    if joinsLines(scalar) { return }
    add(scalar)
  }

  /// Whether `scalar`, which follows a backslash, ends a line, so that the next line is joined.
  private mutating func joinsLines(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\r", next == "\n" {
      index += 1
      return true
    }
    return scalar == "\n"
  }

  private mutating func readSingleQuotes() throws(ShellWords.Problem) {
    word = word ?? ShellWords.Word()
    while let character = next {
      index += 1
      if character == "'" { return }
      add(character)
    }
    throw ShellWords.Problem(message: "a ' is not closed")
  }

  private mutating func readDoubleQuotes() throws(ShellWords.Problem) {
    word = word ?? ShellWords.Word()
    while let character = next {
      index += 1
      switch character {
      case "\"": return
      case "`": throw substitution
      case "$": try readVariable()
      case "\\":
        guard let escaped = next else { continue }
        index += 1
        if joinsLines(escaped) { continue }
        if !["$", "`", "\"", "\\"].contains(escaped) { add("\\") }
        add(escaped)
      default: add(character)
      }
    }
    throw ShellWords.Problem(message: "a \" is not closed")
  }

  /// `$'…'`, with the escapes of C.
  private mutating func readANSIQuotes() throws(ShellWords.Problem) {
    word = word ?? ShellWords.Word()
    while let character = next {
      index += 1
      if character == "'" { return }
      guard character == "\\", let escaped = next else {
        add(character)
        continue
      }
      index += 1
      switch escaped {
      case "n": add("\n")
      case "r": add("\r")
      case "t": add("\t")
      case "a": add("\u{07}")
      case "b": add("\u{08}")
      case "e", "E": add("\u{1B}")
      case "f": add("\u{0C}")
      case "v": add("\u{0B}")
      case "u": try readScalar(digits: 4)
      case "U": try readScalar(digits: 8)
      case "x": try readScalar(digits: 2)
      default: add(escaped)
      }
    }
    throw ShellWords.Problem(message: "a $' is not closed")
  }

  private mutating func readScalar(digits: Int) throws(ShellWords.Problem) {
    let text = takeDigits(digits)
    var value = UInt32(text, radix: 16)
    // Browsers write what is outside of the basic plane as two halves (UTF-16).
    if let high = value, (0xD800..<0xDC00).contains(high), next == "\\",
      index + 1 < scalars.count, scalars[index + 1] == "u"
    {
      index += 2
      value = UInt32(takeDigits(4), radix: 16).flatMap { low in
        (0xDC00..<0xE000).contains(low)
          ? 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00) : nil
      }
    }
    guard let value, let scalar = Unicode.Scalar(value) else {
      throw ShellWords.Problem(message: "'\\u\(text)' in $'…' is not a character")
    }
    add(scalar)
  }

  private mutating func takeDigits(_ most: Int) -> String {
    var text = ""
    while text.utf8.count < most, let digit = next, Character(digit).isHexDigit, digit.isASCII {
      text.unicodeScalars.append(digit)
      index += 1
    }
    return text
  }

  /// The text after a `$`.
  private mutating func readVariable() throws(ShellWords.Problem) {
    if next == "(" { throw substitution }
    let isBraced = next == "{"
    if isBraced { index += 1 }
    var name = ""
    while let scalar = next, let byte = UInt8(exactly: scalar.value),
      ASCIISet.letters.contains(byte) || scalar == "_"
        || (!name.isEmpty && ASCIISet.digits.contains(byte))
    {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard !name.isEmpty else {
      if isBraced { throw substitution }
      return add("$")
    }
    if isBraced {
      guard next == "}" else { throw substitution }
      index += 1
    }
    word = word ?? ShellWords.Word()
    word?.parts.append(.variable(name))
  }

  private var substitution: ShellWords.Problem {
    ShellWords.Problem(
      message: "the shell would compute a part of the command; paste it with that part's value")
  }
}

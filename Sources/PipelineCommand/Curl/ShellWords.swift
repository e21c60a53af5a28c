/// Splits a command as a POSIX shell would, with what browsers add when they copy one: `$'…'`.
///
/// Nothing is expanded: a variable becomes a part of its own, and other expansions are refused.
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

    fileprivate mutating func append(_ character: Character) {
      if case .text(let text) = parts.last {
        parts[parts.count - 1] = .text(text + String(character))
      } else {
        parts.append(.text(String(character)))
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
    let isPlain = word.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber)
        || "._-/+:@%".contains(character)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  static func split(_ command: String) throws(Problem) -> [Word] {
    var splitter = Splitter(characters: Array(command))
    return try splitter.split()
  }
}

private struct Splitter {
  let characters: [Character]
  var index = 0
  var words: [ShellWords.Word] = []
  /// The word that is being read; `nil` between words, so that `''` is a word.
  var word: ShellWords.Word?

  init(characters: [Character]) {
    self.characters = characters
  }

  private var next: Character? { index < characters.count ? characters[index] : nil }

  mutating func split() throws(ShellWords.Problem) -> [ShellWords.Word] {
    while let character = next {
      index += 1
      switch character {
      case " ", "\t", "\n", "\r\n": endWord()
      case "'": try readSingleQuotes()
      case "\"": try readDoubleQuotes()
      case "\\": readEscape()
      case "$" where next == "'":
        index += 1
        try readANSIQuotes()
      case "$": try readVariable()
      case "`": throw substitution
      case "#" where word == nil:
        while let comment = next, !comment.isNewline {
          _ = comment
          index += 1
        }
      case "|", ";", "&", "<", ">", "(", ")":
        throw ShellWords.Problem(
          message: character == "&"
            ? "'&' outside of quotes ends the command in a shell; put the URL in single quotes"
            : "'\(character)' outside of quotes: only the curl command itself is read")
      default: add(character)
      }
    }
    endWord()
    return words
  }

  private mutating func add(_ character: Character) {
    word = word ?? ShellWords.Word()
    word?.append(character)
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }

  private mutating func readEscape() {
    guard let character = next else { return add("\\") }
    index += 1
    // A backslash at a line's end joins lines.
    if character.isNewline { return }
    add(character)
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
        if escaped.isNewline { continue }
        if !"$`\"\\".contains(escaped) { add("\\") }
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
      case "u": try readScalar(digits: 4)
      case "U": try readScalar(digits: 8)
      case "x": try readScalar(digits: 2)
      default: add(escaped)
      }
    }
    throw ShellWords.Problem(message: "a $' is not closed")
  }

  private mutating func readScalar(digits: Int) throws(ShellWords.Problem) {
    var text = ""
    while text.count < digits, let digit = next, digit.isHexDigit {
      text.append(digit)
      index += 1
    }
    guard let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw ShellWords.Problem(message: "'\\u\(text)' in $'…' is no character")
    }
    add(Character(scalar))
  }

  /// What follows a `$`.
  private mutating func readVariable() throws(ShellWords.Problem) {
    if next == "(" { throw substitution }
    let isBraced = next == "{"
    if isBraced { index += 1 }
    var name = ""
    while let character = next, character.isASCII,
      character.isLetter || character == "_" || (!name.isEmpty && character.isNumber)
    {
      name.append(character)
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

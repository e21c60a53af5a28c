internal import PipelineByteText

/// A curl command line, read.
struct CurlCommand: Sendable {
  typealias Word = ShellWords.Word

  var urls: [Word] = []
  /// Options with their values, in their order.
  var options: [(option: CurlOption, value: Word)] = []
  /// The options that are not taken over, each as a phrase.
  var notes: [String] = []

  /// Reads a whole command, `curl` included.
  init(_ text: String) throws(ShellWords.Problem) {
    try self.init(words: try ShellWords.split(text))
  }

  init(words: [Word]) throws(ShellWords.Problem) {
    var words = words[...]
    if words.first?.text == "$" { words.removeFirst() }
    guard let name = words.popFirst(),
      name.text == "curl" || name.text.hasSuffix(bytes: "/curl")
        || name.text == "curl.exe"
    else {
      throw ShellWords.Problem(message: "the command does not begin with 'curl'")
    }
    var takesOptions = true
    while let word = words.popFirst() {
      let text = word.text
      if !takesOptions || !text.hasPrefix(bytes: "-") || text == "-" {
        urls.append(word)
      } else if text == "--" {
        takesOptions = false
      } else if text.hasPrefix(bytes: "--") {
        try readName(String(text.dropFirst(bytes: 2)), &words)
      } else {
        try readLetters(word, &words)
      }
    }
    for (option, value) in options where option == .url { urls.append(value) }
    guard let url = urls.first else {
      throw ShellWords.Problem(message: "the curl command has no URL")
    }
    if url.hasNoHost {
      throw ShellWords.Problem(message: "its URL, '\(url.text)', has no host")
    }
    if urls.count > 1 {
      notes.append(
        "only the first of \(urls.count) URLs is taken; make the others steps of their own")
    }
    if let url = urls.first, CurlURL.isSeveral(url) {
      notes.append(
        "curl expands {…} and […] in a URL; write 'forEach', and {{item}} in the endpoint"
      )
    }
  }

  /// The last value of an option.
  func value(_ option: CurlOption) -> Word? { options.last { $0.option == option }?.value }

  func has(_ option: CurlOption) -> Bool { options.contains { $0.option == option } }

  private mutating func readName(
    _ name: String, _ words: inout ArraySlice<Word>
  ) throws(ShellWords.Problem) {
    if let option = CurlOption(rawValue: name) {
      return try add(option, "--" + name, rest: nil, &words)
    }
    if CurlOption.silent.contains(name) { return }
    if CurlOption.valued.contains(name) { _ = words.popFirst() }
    notes.append("--\(name) is not taken over" + Self.advice(for: name))
  }

  private mutating func readLetters(
    _ word: Word, _ words: inout ArraySlice<Word>
  ) throws(ShellWords.Problem) {
    var rest = Word(parts: word.parts)
    rest.dropFirst()
    while let letter = rest.dropFirst() {
      if let option = CurlOption(letter: Character(letter)) {
        let joined = option.takesValue && !rest.parts.isEmpty ? rest : nil
        try add(option, "-\(letter)", rest: joined, &words)
        if option.takesValue { return }
      } else if !CurlOption.silent.contains(String(letter)) {
        notes.append("-\(letter) is not taken over")
        guard CurlOption.valued.contains(String(letter)) else { continue }
        if rest.parts.isEmpty { _ = words.popFirst() }
        return
      }
    }
  }

  private mutating func add(
    _ option: CurlOption, _ name: String, rest: Word?, _ words: inout ArraySlice<Word>
  ) throws(ShellWords.Problem) {
    guard option.takesValue else {
      options.append((option, Word()))
      return
    }
    guard let value = rest ?? words.popFirst() else {
      throw ShellWords.Problem(message: "\(name) of curl needs a value")
    }
    options.append((option, value))
  }

  private static func advice(for name: String) -> String {
    switch name {
    case "cookie-jar": "; extract a cookie with {\"cookie\": NAME} instead"
    case "location-trusted": "; name origins in 'sendCredentials'"
    case "write-out": "; extract 'status' or a header instead"
    default: ""
    }
  }
}

extension ShellWords.Word {
  /// Takes the first scalar off; `nil` if a variable or nothing comes first.
  @discardableResult
  mutating func dropFirst() -> Unicode.Scalar? {
    guard case .text(var text) = parts.first, !text.isEmpty else { return nil }
    let scalar = text.unicodeScalars.removeFirst()
    if text.isEmpty { parts.removeFirst() } else { parts[0] = .text(text) }
    return scalar
  }

  /// The word without a beginning that it has.
  func dropping(_ prefix: String) -> ShellWords.Word {
    guard case .text(let text) = parts.first, text.hasPrefix(bytes: prefix) else { return self }
    var word = self
    let rest = String(text.dropFirst(bytes: prefix.utf8.count))
    if rest.isEmpty { word.parts.removeFirst() } else { word.parts[0] = .text(rest) }
    return word
  }

  /// Whether a URL ends before its host.
  fileprivate var hasNoHost: Bool {
    guard parts.allSatisfy({ if case .text = $0 { true } else { false } }) else { return false }
    let text = text.trimmed
    guard let mark = text.firstRange(bytes: "://") else {
      return text.isEmpty || "/?#:".utf8.contains(text.utf8.first ?? 0)
    }
    let rest = text[mark.upperBound...]
    return rest.isEmpty || "/?#:".utf8.contains(rest.utf8.first ?? 0)
  }

  /// The words before and after the first `separator`; `nil` if there is none.
  func cut(at separator: Unicode.Scalar) -> (before: ShellWords.Word, after: ShellWords.Word)? {
    for (number, part) in parts.enumerated() {
      guard case .text(let text) = part, let index = text.firstIndex(ascii: separator) else {
        continue
      }
      let (left, right) = (String(text[..<index]), String(text[text.utf8.index(after: index)...]))
      return (
        ShellWords.Word(
          parts: Array(parts[..<number]) + (left.isEmpty ? [] : [.text(left)])),
        ShellWords.Word(
          parts: (right.isEmpty ? [] : [.text(right)]) + Array(parts[(number + 1)...]))
      )
    }
    return nil
  }

  /// The words between separators.
  func split(at separator: Unicode.Scalar) -> [ShellWords.Word] {
    var words: [ShellWords.Word] = []
    var rest = self
    while let (before, after) = rest.cut(at: separator) {
      words.append(before)
      rest = after
    }
    return words + [rest]
  }

  /// The same with another text for each text.
  func mapTexts(_ change: (String) -> String?) -> ShellWords.Word? {
    var word = self
    for (number, part) in parts.enumerated() {
      guard case .text(let text) = part else { continue }
      guard let changed = change(text) else { return nil }
      word.parts[number] = .text(changed)
    }
    return word
  }
}

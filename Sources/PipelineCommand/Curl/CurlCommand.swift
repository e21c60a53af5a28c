internal import PipelineByteText

/// A curl command line, read.
struct CurlCommand: Sendable {
  typealias Word = ShellWords.Word

  var urls: [Word] = []
  /// Options with their values, in their order.
  var options: [(option: CurlOption, value: Word)] = []
  /// The options that are not taken over, each as a phrase.
  var notes: [String] = []
  /// Words after options that are not known. They may be values of these.
  private var doubtful: [Word] = []
  /// Whether `--next` was read.
  private var isComplete = false

  /// Reads a whole command, `curl` included.
  init(_ text: String) throws(ShellWords.Problem) {
    try self.init(words: try ShellWords.split(text))
  }

  private init(words: [Word]) throws(ShellWords.Problem) {
    let commands = try Self.all(words)
    guard commands.count == 1 else {
      throw ShellWords.Problem(
        message: "--next makes \(commands.count) requests of it; write the command into a file, and"
          + " 'pipeline import' makes a step of each")
    }
    self = commands[0]
    if urls.count > 1 {
      notes.append(
        "only the first of \(urls.count) URLs is taken; make the others steps of their own")
    }
    if let url = urls.first, !has(.globoff), CurlGlob(url).isSeveral {
      notes.append(
        "curl expands {…} and […] in a URL; write 'forEach', and {{item}} in the endpoint"
      )
    }
  }

  /// The requests of a command, each with one URL.
  static func requests(_ words: [Word]) throws(ShellWords.Problem) -> [CurlCommand] {
    var requests: [CurlCommand] = []
    for command in try all(words) {
      let uploads = command.options.filter { $0.option == .uploadFile }
      for (number, url) in command.urls.enumerated() {
        for address in command.has(.globoff) ? [url] : try CurlGlob(url).addresses() {
          guard CurlURL.hasHost(address) else { throw noHost(address) }
          var request = command
          request.urls = [address]
          if command.urls.count > 1, !uploads.isEmpty {
            // Each file goes to the URL at its place.
            request.options.removeAll { $0.option == .uploadFile }
            if number < uploads.count { request.options.append(uploads[number]) }
          }
          requests.append(request)
        }
      }
    }
    return requests
  }

  private static func noHost(_ url: Word) -> ShellWords.Problem {
    ShellWords.Problem(message: "the URL '\(url.text)' has no host")
  }

  /// The requests of a command, which `--next` divides.
  static func all(_ words: [Word]) throws(ShellWords.Problem) -> [CurlCommand] {
    var words = words[...]
    if words.first?.text == "$" { words.removeFirst() }
    guard let name = words.popFirst(),
      name.text == "curl" || name.text.hasSuffix(bytes: "/curl")
        || name.text == "curl.exe"
    else {
      throw ShellWords.Problem(message: "the command does not begin with 'curl'")
    }
    var commands: [CurlCommand] = []
    repeat { commands.append(try CurlCommand(before: &words)) } while !words.isEmpty
    return commands
  }

  /// Reads the words up to the next `--next`.
  private init(before words: inout ArraySlice<Word>) throws(ShellWords.Problem) {
    var takesOptions = true
    while !isComplete, let word = words.popFirst() {
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
    if urls.isEmpty { urls = doubtful }
    try judgeURLs()
  }

  private mutating func judgeURLs() throws(ShellWords.Problem) {
    guard let url = urls.first, !url.text.trimmed.isEmpty else {
      throw ShellWords.Problem(message: "the curl command has no URL")
    }
    guard CurlURL.hasHost(url) else {
      throw Self.noHost(url)
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
    if name == "next" {
      isComplete = true
      return
    }
    if CurlOption.isSwitchedOff(name) || CurlOption.silent.contains(name) { return }
    notes.append("--\(name) is not taken over" + Self.advice(for: name))
    if CurlOption.valued.contains(name) {
      _ = words.popFirst()
    } else if !CurlOption.switches.contains(name), let next = words.first,
      !next.text.hasPrefix(bytes: "-"), !next.text.contains(bytes: "://")
    {
      // It is not known whether this is a value, which may be a credential.
      doubtful.append(next)
      words.removeFirst()
    }
  }

  private mutating func readLetters(
    _ word: Word, _ words: inout ArraySlice<Word>
  ) throws(ShellWords.Problem) {
    var rest = Word(parts: word.parts)
    rest.dropFirst()
    while let letter = rest.dropFirst() {
      if letter == ":" {
        isComplete = true
        return
      }
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

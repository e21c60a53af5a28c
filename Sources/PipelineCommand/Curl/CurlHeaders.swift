internal import PipelineByteText

/// The headers that a curl command names, and those that its other options add.
struct CurlHeaders {
  typealias Word = ShellWords.Word

  private(set) var fields: [(name: String, value: Word)] = []
  private(set) var notes: [String] = []
  /// The headers, in lower case, that the command leaves out: `-H 'Accept:'`.
  private var removed: Set<String> = []

  init(_ command: CurlCommand, _ body: CurlBody) {
    for (option, value) in command.options where option == .header { readHeader(value, body) }
    for (option, value) in command.options {
      switch option {
      case .userAgent: add("User-Agent", value)
      case .referer: addReferrer(value)
      case .range: add("Range", Word(parts: [.text("bytes=")] + value.parts))
      case .cookie: addCookie(value)
      default: continue
      }
    }
    if let cookie {
      add("Cookie", cookie)
    }
    if command.has(.json) { add("Accept", Word(parts: [.text("application/json")])) }
    if let type = body.addedType {
      if removed.contains(bytes: "content-type") {
        notes.append("curl sends this body without Content-Type, which each body has here")
      } else {
        add("Content-Type", Word(parts: [.text(type)]))
      }
    }
  }

  /// What `-b` gives, together.
  private var cookie: Word?

  private mutating func readHeader(_ word: Word, _ body: CurlBody) {
    guard !word.text.hasPrefix(bytes: "@") else {
      return notes.append("-H \(word.text) is not taken over: write the file's headers")
    }
    guard let (name, value) = word.cut(at: ":") else {
      if word.text.hasSuffix(bytes: ";") {
        fields.append((String(word.text.dropLast(bytes: 1)), Word()))
      } else {
        notes.append("a header without a colon is not taken over")
      }
      return
    }
    let lowered = name.text.lowercased()
    let content = value.trimmed
    if content.parts.isEmpty {
      removed.insert(lowered)
    } else if !body.impliedHeaders.contains(lowered) {
      fields.append((name.text, content))
    }
  }

  /// Adds a header, unless `-H` names or removes it.
  private mutating func add(_ name: String, _ value: Word) {
    let isNamed = fields.contains { $0.name.equalsIgnoringASCIICase(name) }
    if !isNamed, !removed.contains(name.lowercased()), !value.parts.isEmpty {
      fields.append((name, value))
    }
  }

  /// With `;auto`, curl names the URLs that lead on as well.
  private mutating func addReferrer(_ value: Word) {
    guard value.text.hasSuffix(bytes: ";auto") else { return add("Referer", value) }
    add("Referer", value.droppingLast(5))
  }

  private mutating func addCookie(_ value: Word) {
    guard value.text.contains(bytes: "=") || value.isVariable else {
      return notes.append("-b \(value.text) is not taken over: cookies of a file are not read")
    }
    cookie = cookie.map { Word(parts: $0.parts + [.text(";")] + value.parts) } ?? value
  }
}

extension ShellWords.Word {
  /// Without some bytes at the end of its last text.
  func droppingLast(_ count: Int) -> ShellWords.Word {
    guard case .text(let text)? = parts.last else { return self }
    let rest = String(text.dropLast(bytes: count))
    return ShellWords.Word(parts: parts.dropLast() + (rest.isEmpty ? [] : [.text(rest)]))
  }
}

internal import PipelineByteText
internal import PipelineImports
internal import PipelineLanguage
internal import PipelineURIs

/// The URL of a curl command, without its query if that changes nothing.
struct CurlURL {
  typealias Word = ShellWords.Word

  private(set) var address: Word
  private(set) var query: [(name: String, value: Word)] = []
  /// The query as it is sent, if fields would give another one.
  private(set) var writtenQuery: Word?
  private(set) var notes: [String] = []

  /// - Parameter body: What adds to the query and the path.
  init(_ word: Word, _ command: CurlCommand, _ body: CurlBody) {
    var url = word
    if !url.text.contains(bytes: "://"), !url.text.hasPrefix(bytes: "sandbox:") {
      // curl takes http if no scheme is given. A variable before a path is a whole address.
      let isBased = url.isVariable || Self.base(of: url).name != nil || Self.isQueried(url)
      if !isBased { url.parts.insert(.text("http://"), at: 0) }
    }
    if let (before, _) = url.cut(at: "#") { url = before }
    let parts = url.cut(at: "?")
    address = parts?.before ?? url
    if let path = body.uploaded { addName(of: path) }
    resolvePath(isAsIs: command.has(.pathAsIs))
    address = address.mapTexts(Self.escaped) ?? address
    let pieces = ([parts?.after].compactMap(\.self) + body.query).filter { !$0.parts.isEmpty }
    guard parts != nil || !pieces.isEmpty else { return }
    let whole = Word(parts: Array(pieces.map(\.parts).joined(separator: [.text("&")]))).merged
    add(query: whole)
  }

  private mutating func add(query whole: Word) {
    switch URLQuery(whole.foreign) {
    case .fields(let fields): query = fields.map { ($0.name, Word($0.value)) }
    case .written(let text): writtenQuery = Word(text)
    }
  }

  /// curl adds the name of the file that `-T` sends to a URL that ends with a slash.
  private mutating func addName(of path: Word) {
    let isBare = Self.authorityEnd(of: address) == nil
    guard isBare || address.text.hasSuffix(bytes: "/"), !["-", "."].contains(path.text) else {
      return
    }
    let name = path.split(at: "/").last ?? path
    let encoded = name.mapTexts { URI.percentEncode($0) } ?? name
    address = Word(parts: address.parts + (isBare ? [.text("/")] : []) + encoded.parts).merged
  }

  /// Resolves `.` and `..` as curl does, and encodes `:id`, which looks as if it had to be replaced.
  private mutating func resolvePath(isAsIs: Bool) {
    let segments = address.split(at: "/")
    let start = address.text.contains(bytes: "://") ? 3 : 1
    guard segments.count > start else { return }
    var kept = Array(segments[..<start])
    for (number, segment) in segments.enumerated().dropFirst(start) {
      let text = segment.text
      if text == "." || text == ".." {
        if isAsIs { notes.append("--path-as-is is not taken over: '\(text)' is resolved") }
        if text == "..", kept.count > start { kept.removeLast() }
        if number == segments.count - 1 { kept.append(Word()) }
      } else if ForeignText.isPathVariable(text) {
        notes.append("'\(text)' in the path is sent as '%3A\(text.dropFirst(bytes: 1))'")
        kept.append(Word(parts: [.text("%3A" + text.dropFirst(bytes: 1))]))
      } else {
        kept.append(segment)
      }
    }
    address = Word(parts: Array(kept.map(\.parts).joined(separator: [.text("/")]))).merged
  }

  /// Where the host of a URL ends; `nil` if nothing comes after it.
  private static func authorityEnd(of url: Word) -> String.Index? {
    let text = url.text
    let start = text.firstRange(bytes: "://")?.upperBound ?? text.startIndex
    return text[start...].firstIndex(ascii: "/")
  }

  /// Whether something comes between the scheme of a URL and its path.
  static func hasHost(_ url: Word) -> Bool {
    let text = url.text
    guard let start = text.firstRange(bytes: "://")?.upperBound else {
      return !["/", "?", "#"].contains { text.hasPrefix(bytes: $0) }
    }
    let host = text[start...].prefix(before: "/", "?", "#")
    return !host.isEmpty && !host.hasSuffix(bytes: "@")
  }

  /// The variable that a URL begins with, and the path after it; `nil` if it begins otherwise.
  static func base(of word: Word) -> (name: String?, path: Word) {
    guard case .variable(let name) = word.parts.first, word.parts.count > 1,
      case .text(let text) = word.parts[1], text.hasPrefix(bytes: "/")
    else { return (nil, word) }
    return (name, Word(parts: Array(word.parts.dropFirst())))
  }

  /// Whether a URL is a variable and a query.
  private static func isQueried(_ word: Word) -> Bool {
    guard case .variable = word.parts.first, word.parts.count > 1,
      case .text(let text) = word.parts[1]
    else { return false }
    return text.hasPrefix(bytes: "?") || text.hasPrefix(bytes: "#")
  }

  /// The fields of a form, decoded; `nil` if a field is not `name=value`.
  static func fields(ofForm word: Word) -> [(name: String, value: Word)]? {
    func decoded(_ text: String) -> String? {
      URI.percentDecode(text.replacing(bytes: "+", with: " "))
    }
    var fields: [(name: String, value: Word)] = []
    for piece in word.split(at: "&") where !piece.parts.isEmpty {
      guard let (name, value) = piece.cut(at: "="),
        let text = decoded(name.text), !text.isEmpty, name.parts.count == 1, !name.isVariable,
        let decodedValue = value.mapTexts(decoded)
      else { return nil }
      fields.append((text, decodedValue))
    }
    return fields.isEmpty ? nil : fields
  }

  /// Characters that curl takes and a URL must encode.
  private static func escaped(_ text: String) -> String? {
    var result = ""
    // Brackets are plain around an IPv6 address alone.
    let encoded = " \"<>\\^`{|}" + (text.contains(bytes: "://[") ? "" : "[]")
    for scalar in text.unicodeScalars {
      let isPlain = scalar.isASCII && !encoded.unicodeScalars.contains(scalar)
      result += isPlain ? String(scalar) : URI.percentEncode(String(scalar))
    }
    return result
  }

  /// A name for the step: the last word of the path, else of the host.
  static func stepName(for address: Word) -> String {
    let text = address.text
    let rest = text.firstRange(bytes: "://").map { text[$0.upperBound...] } ?? text[...]
    let segments = rest.split(ascii: "/").dropFirst()
    for segment in segments.reversed() {
      guard segment.first?.isLetter == true, !segment.contains(bytes: "%"),
        !segment.contains(bytes: "$"),
        segment.count <= 30,
        segment.prefix(5).contains(where: { !$0.isHexDigit })
          || segment.count < 12
      else { continue }
      let name = CurlWorkflow.inputName(String(segment.prefix(before: ".")))
      if !NameRule.scope.reserved.contains(name) { return name }
    }
    return "request"
  }
}

extension ShellWords.Word {
  /// A scalar of a word, or a variable in it.
  private enum Symbol: Equatable {
    case scalar(Unicode.Scalar)
    case variable(String)
  }

  private var symbols: [Symbol] {
    parts.flatMap { part -> [Symbol] in
      switch part {
      case .text(let text): text.unicodeScalars.map(Symbol.scalar)
      case .variable(let name): [.variable(name)]
      }
    }
  }

  private init(_ symbols: some Sequence<Symbol>) {
    var parts: [ShellWords.Part] = []
    var text = String.UnicodeScalarView()
    func endText() {
      if !text.isEmpty { parts.append(.text(String(text))) }
      text.removeAll()
    }
    for symbol in symbols {
      switch symbol {
      case .scalar(let scalar): text.append(scalar)
      case .variable(let name):
        endText()
        parts.append(.variable(name))
      }
    }
    endText()
    self.init(parts: parts)
  }

  /// The same with one text in place of several beside each other.
  var merged: ShellWords.Word { ShellWords.Word(symbols) }

  /// A URL without the user and password before its host, and these as written.
  func takingCredentials() -> (url: ShellWords.Word, credentials: ForeignText?) {
    guard let (url, info) = foreign.cuttingUserInfo else { return (self, nil) }
    return (ShellWords.Word(url), info)
  }

  /// The word, in which a variable of the shell is one of the environment.
  var foreign: ForeignText {
    ForeignText(
      parts: parts.map { part in
        switch part {
        case .text(let text): .text(text)
        case .variable(let name): .environment(name)
        }
      })
  }

  init(_ text: ForeignText) {
    self.init(
      parts: text.parts.compactMap { part in
        switch part {
        case .text(let text): .text(text)
        case .environment(let name): .variable(name)
        default: nil
        }
      })
  }
}

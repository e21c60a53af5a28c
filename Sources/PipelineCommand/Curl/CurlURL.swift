internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineURIs

/// The URL of a curl command, without its query if that changes nothing.
struct CurlURL {
  typealias Word = ShellWords.Word

  let address: Word
  let query: [(name: String, value: Word)]

  /// - Parameter data: What `-G` adds to the query.
  init(_ word: Word, adding data: [Word]) {
    var url = word
    if !url.text.contains(bytes: "://"), !url.text.hasPrefix(bytes: "sandbox:") {
      // curl takes http if no scheme is given. A variable before a path is a whole address.
      let isBased = url.isVariable || Self.base(of: url).name != nil || Self.isQueried(url)
      if !isBased { url.parts.insert(.text("http://"), at: 0) }
    }
    if let (before, _) = url.cut(at: "#") { url = before }
    var address = url
    var fields: [(name: String, value: Word)] = []
    if let (before, after) = url.cut(at: "?"), let found = Self.fields(of: after) {
      address = before
      fields = found
    }
    for piece in data { fields += Self.fields(of: piece) ?? [] }
    self.address = address.mapTexts(Self.escaped) ?? address
    query = fields
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

  /// Whether curl would send a request for each of several URLs: `/{a,b}`, `/[1-3]`.
  static func isSeveral(_ word: Word) -> Bool {
    let text = word.text
    func holds(
      _ separator: Unicode.Scalar, from opening: Unicode.Scalar, to closing: Unicode.Scalar
    ) -> Bool {
      guard let start = text.firstIndex(ascii: opening),
        let end = text[start...].firstIndex(ascii: closing)
      else { return false }
      return text[start..<end].firstIndex(ascii: separator) != nil
    }
    return holds(",", from: "{", to: "}") || holds("-", from: "[", to: "]")
  }

  /// The fields of `a=1&b=2`, decoded; `nil` if a field is not `name=value`.
  static func fields(of word: Word) -> [(name: String, value: Word)]? {
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

  private static func decoded(_ text: String) -> String? {
    URI.percentDecode(text.replacing(bytes: "+", with: " "))
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

  /// A URL without the user and password before its host, and these as written.
  func takingCredentials() -> (url: ShellWords.Word, credentials: ShellWords.Word?) {
    let symbols = symbols
    let scheme = "://".unicodeScalars.map(Symbol.scalar)
    let start = symbols.indices.first { symbols[$0...].starts(with: scheme) }.map { $0 + 3 } ?? 0
    let ends = "/?#".unicodeScalars.map(Symbol.scalar)
    let end = symbols[start...].firstIndex { ends.contains($0) } ?? symbols.count
    guard let at = symbols[start..<end].lastIndex(of: .scalar("@")) else { return (self, nil) }
    return (
      ShellWords.Word(symbols[..<start] + symbols[(at + 1)...]),
      ShellWords.Word(symbols[start..<at])
    )
  }
}

internal import URIs
internal import Workflows

/// The URL of a curl command, with its query taken off where that changes nothing.
struct CurlURL {
  typealias Word = ShellWords.Word

  let address: Word
  let query: [(name: String, value: Word)]

  /// - Parameter data: What `-G` adds to the query.
  init(_ word: Word, adding data: [Word]) {
    var url = word
    if !url.text.contains("://") {
      // curl takes http where no scheme is given.
      if !url.isVariable { url.parts.insert(.text("http://"), at: 0) }
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

  /// Whether curl would send a request for each of several URLs: `/{a,b}`, `/[1-3]`.
  static func isSeveral(_ word: Word) -> Bool {
    let text = word.text
    func holds(_ separator: Character, from opening: Character, to closing: Character) -> Bool {
      guard let start = text.firstIndex(of: opening) else { return false }
      let rest = text[start...]
      return rest.contains(closing) && rest.prefix { $0 != closing }.contains(separator)
    }
    return holds(",", from: "{", to: "}") || holds("-", from: "[", to: "]")
  }

  /// The fields of `a=1&b=2`, decoded; `nil` where a field is no `name=value`.
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
    URI.percentDecode(text.replacing("+", with: " "))
  }

  /// Characters that curl takes and a URL must encode.
  private static func escaped(_ text: String) -> String? {
    var result = ""
    // Brackets are plain around an IPv6 address alone.
    let encoded = " \"<>\\^`{|}" + (text.contains("://[") ? "" : "[]")
    for character in text {
      let isPlain = character.isASCII && !encoded.contains(character)
      result += isPlain ? String(character) : URI.percentEncode(String(character))
    }
    return result
  }

  /// A name for the step: the last word of the path, else of the host.
  var stepName: String {
    let text = address.text
    let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let segments = rest.split(separator: "/").dropFirst()
    for segment in segments.reversed() {
      guard segment.first?.isLetter == true, !segment.contains("%"), !segment.contains("$"),
        segment.count <= 30,
        segment.prefix(5).contains(where: { !$0.isHexDigit })
          || segment.count < 12
      else { continue }
      let name = CurlWorkflow.inputName(String(segment.prefix { $0 != "." }))
      if !NameRule.scope.reserved.contains(name) { return name }
    }
    return "request"
  }
}

internal import PipelineByteText
internal import PipelineLanguage

/// Names of the language, made of what other tools call things.
struct ImportedName {
  private let rule: NameRule
  private var names = UniqueNames()

  init(_ rule: NameRule) { self.rule = rule }

  /// A name that no other text has got.
  mutating func next(for text: String, otherwise fallback: String) -> String {
    var base = Self.identifier(text)
    if base.isEmpty { base = fallback }
    if rule.reserved.contains(base) { base += "Value" }
    return names.next(base)
  }

  /// `Create user` and `create-user` as `createUser`; `accessToken` stays, and `API` is `api`.
  private static func identifier(_ text: String) -> String {
    let plain = ASCIISet.letters.union(.digits).union(ASCIISet("_"))
    let words = text.utf8.split { !plain.contains($0) }.prefix(6).map { String(Substring($0)) }
    let name = words.enumerated().map { number, word in
      let first = word.prefix(1), rest = word.dropFirst()
      let isCapitals = word.utf8.count > 1 && word.uppercased().equals(bytes: word)
      return (number == 0 ? first.lowercased() : first.uppercased())
        + (isCapitals ? rest.lowercased() : String(rest))
    }.joined()
    guard let first = name.utf8.first else { return "" }
    let short = String(name.prefix(40))
    return ASCIISet.digits.contains(first) ? "_" + short : short
  }
}

/// Words of other tools, with blanks between them, and what is written for them here.
package struct Foreign: Sendable, ExpressibleByStringLiteral {
  let words: String
  /// Further advice, if writing the key is not enough.
  let text: String?
  /// How the key's value is written, with `…` for the given one and `@` for the given name.
  let shape: String?

  /// Words for the key, whose value is the same.
  package init(stringLiteral words: String) {
    self.words = words
    text = nil
    shape = nil
  }

  private init(_ words: String, text: String, shape: String?) {
    self.words = words
    self.text = text
    self.shape = shape
  }

  /// Words for which more has to be said than the key.
  static func says(_ words: String, _ text: String, as shape: String? = nil) -> Foreign {
    Foreign(words, text: text, shape: shape)
  }

  /// - Parameter key: The key that is meant; `nil`: none.
  func row(for key: String?) -> LanguageAliases.Keys.Row {
    guard let key else { return LanguageAliases.Keys.Row(words, do: text ?? "") }
    return LanguageAliases.Keys.Row(words, key, text, as: shape)
  }
}

extension LanguageObject {
  /// The words of other tools for the keys that this object declares.
  var foreignWords: [LanguageAliases.Keys.Row] {
    advice.map { $0.row(for: nil) }
      + keys.flatMap { key in key.foreign.map { $0.row(for: key.name) } }
  }
}

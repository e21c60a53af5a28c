import PipelineByteText

/// Words of other tools, with blanks between them, and what is written for them here. The tools are
/// curl, Postman, Insomnia, Bruno, Hurl, runn, Step CI, Arazzo, OpenAPI, GitHub Actions, Step
/// Functions, Kestra, dlt, Airbyte, axios and Python's requests.
package struct Foreign: Sendable, ExpressibleByStringLiteral {
  let words: String
  /// Further advice, if writing the key is not enough.
  let text: String?
  /// How the key's value is written, with `…` for the given one, `…+1` for one more, and `@` for the
  /// given name.
  let shape: String?
  /// The key that is meant, if it does not hold the words itself.
  private let key: String?

  /// Words for the key, whose value is the same.
  package init(stringLiteral words: String) {
    self.init(words, text: nil)
  }

  private init(_ words: String, text: String?, shape: String? = nil, key: String? = nil) {
    self.words = words
    self.text = text
    self.shape = shape
    self.key = key
  }

  /// Words that need more advice than the key.
  static func says(_ words: String, _ text: String, as shape: String? = nil) -> Foreign {
    Foreign(words, text: text, shape: shape)
  }

  /// Words that mean a key in this object only, although others hold them, too.
  static func word(_ words: String, for key: String) -> Foreign {
    Foreign(words, text: nil, key: key)
  }

  /// - Parameter holder: The key that holds the words; `nil` if there is none.
  fileprivate func advice(for holder: String?) -> LanguageAliases.Advice {
    (key ?? holder).map { .key($0, text, as: shape) } ?? .advice(text ?? "")
  }
}

extension LanguageObject {
  /// The advice on each word of other tools in this object, by the word as `LanguageAliases.folded`
  /// gives it.
  fileprivate var foreignWords: [String: LanguageAliases.Advice] {
    var advice: [String: LanguageAliases.Advice] = [:]
    func add(_ foreign: Foreign, _ key: String?) {
      for word in foreign.words.split(ascii: " ", omittingEmptySubsequences: true) {
        advice[LanguageAliases.folded(String(word))] = foreign.advice(for: key)
      }
    }
    for key in keys { for foreign in key.foreign { add(foreign, key.name) } }
    for foreign in self.advice { add(foreign, nil) }
    return advice
  }
}

extension LanguageAliases {
  /// The words of other tools by the kind of the object that has them.
  static let byPlace: [LanguageObject.Kind: [String: Advice]] = {
    let kinds = LanguageObject.Kind.allCases + LanguageObject.Kind.testCases
    return Dictionary(kinds.map { ($0, $0.object.foreignWords) }) { first, _ in first }
  }()
}

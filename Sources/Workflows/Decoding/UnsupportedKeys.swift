/// Keys of the language that this version refuses by name, because the engine cannot act on them
/// yet. What is read is never ignored.
enum UnsupportedKeys {
  /// Whether `key` of an object of this kind is refused.
  static func contains(_ key: String, in kind: LanguageObject.Kind) -> Bool {
    guard !keys.isEmpty else { return false }
    return keys[kind]?.contains(key) ?? false
  }

  private static let keys: [LanguageObject.Kind: Set<String>] = [:]
}

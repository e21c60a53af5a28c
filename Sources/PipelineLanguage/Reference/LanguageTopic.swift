import PipelineByteText
package import PipelineTemplates

/// Everything that a word of the language names.
package struct LanguageTopic: Sendable {
  /// A key, and the objects in which it has the same meaning, type and default.
  package struct Key: Sendable {
    package let key: LanguageKey
    package let objects: [LanguageObject]
  }

  /// What is said in an object of a word that other tools have.
  package struct Foreign: Sendable {
    package let object: LanguageObject
    /// A phrase: `write 'when'`.
    package let advice: String
    /// The key that is meant; `nil` if there is none.
    package let key: String?
  }

  package private(set) var keys: [Key] = []
  /// The objects of this name, and those that are values of the keys.
  package private(set) var objects: [LanguageObject] = []
  package let form: FormTable?
  package let foreign: [Foreign]

  /// - Parameter word: A key, an object, a form with or without its `$`, a key of one object
  ///   (`step.retry`), or a word of another tool.
  /// - Returns: `nil` if it names nothing.
  package init?(_ word: String) {
    let parts = word.split(ascii: ".", omittingEmptySubsequences: false).map(String.init)
    let name = parts.last ?? word
    form = DataForms.tables.first {
      $0.title.name.equals(bytes: word) || $0.title.name.equals(bytes: "$" + word)
    }
    let owner = parts.count == 2 ? parts[0] : nil
    foreign = parts.count > 1 ? [] : Self.foreign(word)
    guard parts.count <= 2 else { return nil }
    for object in Self.allObjects where owner.map({ object.answers(to: $0) }) ?? true {
      if let key = object[name] { add(key, of: object) }
    }
    let named = owner == nil ? Self.allObjects.filter { $0.answers(to: word) } : []
    for object in named + keys.flatMap({ $0.key.type.objects.map(\.object) })
    where !objects.contains(where: { $0 === object }) { objects.append(object) }
    if keys.isEmpty, objects.isEmpty, form == nil, foreign.isEmpty { return nil }
  }

  private mutating func add(_ key: LanguageKey, of object: LanguageObject) {
    guard let same = keys.firstIndex(where: { $0.key.isSame(as: key) }) else {
      keys.append(Key(key: key, objects: [object]))
      return
    }
    keys[same] = Key(key: keys[same].key, objects: keys[same].objects + [object])
  }

  /// The objects with tables of their own, those of workflow files first.
  package static let allObjects: [LanguageObject] = {
    let kinds = LanguageObject.Kind.allCases + LanguageObject.Kind.testCases.filter { $0 != .lint }
    return kinds.filter { $0 != .base && $0 != .branch }.map(\.object)
  }()

  /// The names of keys, objects and forms, each once and sorted.
  package static let names: [String] = {
    let all =
      allObjects.flatMap { $0.keys.map(\.name) + [$0.kind.rawValue] }
      + DataForms.tables.map(\.title.name)
    return Set(all).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }()

  private static func foreign(_ word: String) -> [Foreign] {
    allObjects.compactMap { object in
      guard let advice = LanguageAliases.byPlace[object.kind]?[LanguageAliases.folded(word)],
        advice.key?.equals(bytes: word) != true
      else { return nil }
      return Foreign(object: object, advice: advice.text, key: advice.key)
    }
  }
}

extension LanguageKey {
  /// The words of other tools for it, in the order of their declaration.
  package var foreignWords: [String] {
    foreign.flatMap { $0.words.split(ascii: " ", omittingEmptySubsequences: true).map(String.init) }
  }

  /// Whether another object's key says the same.
  func isSame(as other: LanguageKey) -> Bool {
    name == other.name && meaning == other.meaning && type == other.type
      && defaultValue == other.defaultValue
  }
}

extension LanguageObject {
  /// Whether a word is its name: `recovery`, `state value`.
  fileprivate func answers(to word: String) -> Bool {
    kind.rawValue.equals(bytes: word) || title.equals(bytes: word)
  }
}

extension LanguageType {
  /// The objects of the language that a value may be, or hold.
  package var objects: [LanguageObject.Kind] {
    switch self {
    case .object(.branch): [.step]
    case .object(let kind): [kind]
    case .map(let value): value.objects
    case .list(let element), .several(let element): element.objects
    case .either(let types): types.flatMap(\.objects)
    default: []
    }
  }
}

/// Collects the keys of an object as its initializer declares them.
struct Declarations {
  private(set) var keys: [LanguageKey] = []
  var choices: [LanguageObject.Choice] = []
  var advice: [Foreign] = []
  /// The key that chooses the form being declared.
  var lead: String?
  /// The keys of each lead's form that must be beside it.
  private var needs: [String: [String]] = [:]

  /// Adds a key. A key that two forms share is listed where the last of them declares it.
  mutating func add(_ key: LanguageKey) {
    guard let lead else {
      keys.append(key)
      return
    }
    if key.isRequired, key.name != lead { needs[lead, default: []].append(key.name) }
    var companions = key.name == lead ? [] : [lead]
    if let first = keys.firstIndex(where: { $0.name == key.name }) {
      precondition(
        keys[first].meaning == key.meaning && keys[first].type == key.type,
        "'\(key.name)' is declared in two ways")
      companions = keys[first].companions + companions
      keys.remove(at: first)
    }
    keys.append(
      LanguageKey(
        key.name, key.meaning, key.type, default: key.defaultValue, example: key.example,
        withAny: companions, foreign: key.foreign))
  }

  /// The keys with the companions of the leads.
  var finished: [LanguageKey] {
    keys.map { key in
      guard let needed = needs[key.name] else { return key }
      return LanguageKey(
        key.name, key.meaning, key.type, default: key.defaultValue, example: key.example,
        withAny: needed, foreign: key.foreign)
    }
  }
}

extension LanguageObject {
  /// The table of an object that declares its keys.
  convenience init(
    _ kind: Kind, _ title: String, place: String, of object: (some DeclaredObject).Type
  ) {
    let declarations = Keys.declarations(of: object)
    self.init(
      kind, title, place: place, keys: declarations.finished, choices: declarations.choices,
      advice: declarations.advice)
  }
}

/// Collects the keys of an object as its initializer declares them.
struct Declarations {
  private(set) var keys: [LanguageKey] = []
  var choices: [LanguageObject.Choice] = []
  var advice: [Foreign] = []
  /// The key that chooses the form being declared.
  var lead: String?
  /// The actions that the keys being declared belong to.
  var actions: Set<LanguageAction>?
  /// The keys of each lead's form that must be beside it.
  private var needs: [String: [String]] = [:]

  /// Adds a key. A key that two forms share is listed where the last of them declares it.
  mutating func add(_ key: LanguageKey) {
    var key = key
    key.actions = actions
    guard let lead else {
      keys.append(key)
      return
    }
    if key.isRequired, key.name != lead { needs[lead, default: []].append(key.name) }
    key.isRequired = false
    if key.name != lead { key.companions = [lead] }
    if let first = keys.firstIndex(where: { $0.name == key.name }) {
      let other = keys.remove(at: first)
      precondition(
        other.meaning == key.meaning && other.type == key.type,
        "'\(key.name)' is declared in two ways")
      key.companions = other.companions + key.companions
    }
    keys.append(key)
  }

  /// The keys with the companions of the leads.
  var finished: [LanguageKey] {
    keys.map { key in
      guard let needed = needs[key.name] else { return key }
      var key = key
      key.companions = needed
      return key
    }
  }
}

extension [LanguageKey] {
  /// The keys that an object declares.
  init(_ object: (some DeclaredObject).Type) {
    self = Keys.declarations { _ = object.init(&$0) }.finished
  }
}

extension LanguageObject {
  /// The table of an object that declares its keys.
  convenience init(
    _ kind: Kind, _ title: String, place: String, of object: (some DeclaredObject).Type
  ) {
    self.init(kind, title, place: place) { _ = object.init(&$0) }
  }

  /// The table of the keys that are read.
  convenience init(
    _ kind: Kind, _ title: String, place: String, _ read: (inout Keys) -> Void
  ) {
    let declarations = Keys.declarations(read)
    self.init(
      kind, title, place: place, keys: declarations.finished, choices: declarations.choices,
      advice: declarations.advice)
  }
}

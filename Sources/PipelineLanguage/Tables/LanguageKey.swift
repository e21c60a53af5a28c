import PipelineJSONText

/// One key that an object of the language may have.
package struct LanguageKey: Sendable {
  package let name: String
  /// The meaning of the key, in a sentence.
  package let meaning: String
  package let type: LanguageType
  /// The value that applies if the key is left out, as JSON text; `nil` if there is none.
  package let defaultValue: String?
  /// A value, as JSON text.
  package let example: String
  package internal(set) var isRequired: Bool
  /// The actions that allow this key of a step beside them; `nil` for all of them.
  package internal(set) var actions: Set<LanguageAction>?
  /// The keys that this one needs at least one of; empty if it may be alone.
  package internal(set) var companions: [String]
  /// The rule for the author's names in the object that is the value.
  package let names: NameRule?
  /// What other tools call it.
  let foreign: [Foreign]
  /// Whether a member under another key is read as meant for this one.
  let isMeant: @Sendable (JSONMember) -> Bool

  init(
    _ name: String, _ meaning: String, _ type: LanguageType, default defaultValue: String? = nil,
    example: String, isRequired: Bool = false, beside companions: [String] = [],
    names: NameRule? = nil, foreign: [Foreign] = [],
    isMeant: @escaping @Sendable (JSONMember) -> Bool
  ) {
    self.isMeant = isMeant
    self.name = name
    self.meaning = meaning
    self.type = type
    self.defaultValue = defaultValue
    self.example = example
    self.isRequired = isRequired
    self.companions = companions
    self.names = names
    self.foreign = foreign
  }
}

/// The key that says what a step does.
package enum LanguageAction: String, Sendable, CaseIterable {
  case endpoint, workflow, steps, values, wait, choose, fail, say, ask

  /// The position among all.
  var number: Int {
    switch self {
    case .endpoint: 0
    case .workflow: 1
    case .steps: 2
    case .values: 3
    case .wait: 4
    case .choose: 5
    case .fail: 6
    case .say: 7
    case .ask: 8
    }
  }
}

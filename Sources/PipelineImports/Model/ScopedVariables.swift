internal import PipelineLanguage

/// Gives each variable with several values a name for each of them.
///
/// Other tools have scopes: a request takes the value that is nearest to it. An input has one value
/// for all steps. So the variables of a scope that are not those of the collection are renamed in
/// the requests of the scope, together with the variables that are made of them.
struct ScopedVariables {
  /// What a variable is for a request.
  private struct Meaning: Hashable {
    let variable: String
    let value: ForeignText?
    let isSecret: Bool
    /// What the environments give instead.
    let given: [ForeignText?]
  }

  /// Where a variable is read.
  private struct Place {
    var scope: VariableScope
    /// The variables in whose values it is, the outermost one first.
    var path: [String] = []
    /// The variables of the scope that are left out, because their values add to others.
    var removed: [String] = []
    /// Whether the scope is that of a definition, which has the variables of its value alone.
    var isOfDefinition = false
  }

  private struct Read: Hashable {
    let variable: String
    let removed: [String]
  }

  private static let depthLimit = 8

  private(set) var collection: ImportedCollection
  private(set) var report: ImportReport
  private let environments: [[String: ImportedCollection.Variable]]
  /// The variables that some request sets by its response.
  private let settable: Set<String>
  /// The variables that a response before the current request sets.
  private var answered: Set<String> = []
  private var names = UniqueNames()
  private var known: [Meaning: String] = [:]
  /// What is found for the current request: variables of its scope, and definitions by position.
  private var found: [Read: String] = [:]
  private var foundAt: [Int: String] = [:]
  /// The variables whose values have no end.
  private var refused: Set<String> = []
  private var line = 1

  init(_ collection: ImportedCollection, _ report: ImportReport) {
    self.collection = collection
    self.report = report
    environments = collection.environments.map { environment in
      Dictionary(environment.values.map { ($0.name, $0) }) { $1 }
    }
    settable = Set(collection.requests.flatMap { $0.sets.map(\.variable) })
    for name in collection.variables.map(\.name) + unscopedReads { names.reserve(name) }
  }

  mutating func separate() {
    for index in collection.requests.indices {
      var request = collection.requests[index]
      report.file = request.file ?? report.file
      line = request.line
      found = [:]
      foundAt = [:]
      let place = Place(scope: request.scope)
      request.changeTexts { renamed($0, at: place) }
      collection.requests[index] = request
      answered.formUnion(request.sets.map(\.variable))
    }
  }

  /// The variables of scopes that a request reads, or may read, without being in such a scope. They
  /// are inputs of their own.
  private var unscopedReads: Set<String> {
    let requests = collection.requests
    // The number of requests whose scopes have a variable.
    var scoped: [String: Int] = [:]
    for name in requests.lazy.flatMap(\.scope.definitions.keys) { scoped[name, default: 0] += 1 }
    var reads: Set<String> = []
    for request in requests {
      let scope = request.scope.definitions
      reads.formUnion(
        request.texts.flatMap(\.variables).filter { scoped[$0] != nil && scope[$0] == nil })
    }
    let definitions = requests.flatMap { $0.scope.definitions.values }.filter { $0.position == nil }
    let values =
      (collection.variables + collection.environments.flatMap(\.values)).compactMap(\.value)
      + definitions.compactMap(\.value)
    return reads.union(
      values.flatMap(\.variables).filter { scoped[$0].map { $0 < requests.count } == true })
  }

  private mutating func renamed(_ text: ForeignText, at place: Place) -> ForeignText {
    text.renamingVariables { name(of: $0, at: place) }
  }

  /// The name in the collection of what a variable is at a place.
  private mutating func name(of variable: String, at place: Place) -> String {
    let definition = place.scope.definitions[variable]
    if definition == nil, place.isOfDefinition { return variable }
    if answered.contains(variable), definition?.strength != .overAll { return variable }
    let read = Read(variable: variable, removed: place.removed)
    if let position = definition?.position {
      if let known = foundAt[position] { return known }
    } else if let known = found[read] {
      return known
    }
    // A variable that adds to that of the collection has its name.
    let repeats =
      definition?.position == nil
      && place.path.count { $0 == variable } > (definition == nil ? 1 : 0)
    guard !repeats, place.path.count < Self.depthLimit else {
      if refused.insert(variable).inserted {
        report.refuse(
          line,
          repeats
            ? "the value of '\(variable)' is made of itself"
            : "the value of '\(variable)' is made of others, and these of others, in more than"
              + " \(Self.depthLimit) levels")
      }
      return variable
    }
    let name = name(of: variable, as: definition, at: place)
    if let position = definition?.position {
      foundAt[position] = name
    } else {
      found[read] = name
    }
    return name
  }

  private mutating func name(
    of variable: String, as definition: VariableScope.Definition?, at place: Place
  ) -> String {
    let base = collection.variable(variable)
    let isWeak = definition.map { $0.strength == .weak } ?? true
    let value = definition.map(\.value) ?? base?.value
    var outer = place
    outer.path.append(variable)
    var inner = outer
    if let surroundings = definition?.surroundings {
      inner.scope = surroundings
      inner.isOfDefinition = true
    } else if definition != nil, value?.variables.contains(variable) == true {
      inner.scope.remove(variable)
      inner.removed.append(variable)
    }
    let meaning = Meaning(
      variable: variable, value: value.map { renamed($0, at: inner) },
      isSecret: (definition?.isSecret ?? base?.isSecret) == true,
      given: environments.map { values in
        isWeak ? values[variable]?.value.map { renamed($0, at: outer) } : nil
      })
    let isShadowed = !isWeak && environments.contains { $0[variable] != nil }
    let isSettable = definition?.strength == .overAll && settable.contains(variable)
    if !isSettable, meaning == self.meaning(ofAll: variable, base) { return variable }
    if let known = known[meaning] { return known }
    let keepsGiven = meaning.given == environments.map { $0[variable]?.value }
    // A value that adds to what a run is given cannot have the name of that.
    let addsToGiven = meaning.value?.variables.contains(variable) == true
    let keepsName = base == nil && !isShadowed && !isSettable && keepsGiven && !addsToGiven
    let isFree = names.reserve(variable)
    let name =
      keepsName && isFree
      ? variable : names.next((definition?.owner.map { $0 + " " } ?? "") + variable, separator: " ")
    declare(meaning, as: name)
    return name
  }

  /// What a variable is for requests without a scope.
  private func meaning(
    ofAll variable: String, _ base: ImportedCollection.Variable?
  ) -> Meaning {
    Meaning(
      variable: variable, value: base?.value, isSecret: base?.isSecret == true,
      given: environments.map { $0[variable]?.value })
  }

  private mutating func declare(_ meaning: Meaning, as name: String) {
    known[meaning] = name
    // The other name may not show that it is a credential.
    let isSecret = meaning.isSecret || CredentialNames.isField(meaning.variable)
    collection.declare(.init(name: name, value: meaning.value, isSecret: isSecret))
    guard name != meaning.variable else { return }
    for (index, value) in meaning.given.enumerated() {
      guard let value, let given = environments[index][meaning.variable] else { continue }
      collection.environments[index].values.append(
        .init(name: name, value: value, isSecret: given.isSecret))
    }
  }
}

extension ImportedCollection {
  /// Renames the variables that have other values in some requests than in others.
  mutating func separateScopes(_ report: inout ImportReport) {
    guard requests.contains(where: { !$0.scope.isEmpty }) else { return }
    var variables = ScopedVariables(self, report)
    variables.separate()
    self = variables.collection
    report = variables.report
  }
}

/// The variables that only some requests of a collection have: those of a folder, of a request, or
/// those that a line of the file gives to the requests after it.
struct VariableScope: Sendable {
  /// What overrides a variable of a scope.
  enum Strength: Sendable {
    /// Environments and responses do: Postman, `.http` files.
    case weak
    /// Responses do: Bruno.
    case overEnvironments
    /// Nothing does: Insomnia, Hurl.
    case overAll
  }

  struct Definition: Sendable {
    let value: ForeignText?
    let isSecret: Bool
    let strength: Strength
    /// What people call the scope; `nil` if it has no name.
    let owner: String?
    /// Its place among the definitions of a file in which the place decides what holds.
    var position: Int?
    /// Where its value finds variables; `nil` if that is up to the request that inserts it.
    fileprivate(set) var surroundings: VariableScope?
  }

  private(set) var definitions: [String: Definition] = [:]

  var isEmpty: Bool { definitions.isEmpty }

  /// Defines a variable of an inner scope.
  mutating func define(
    _ variable: ImportedCollection.Variable, owner: String?, _ strength: Strength
  ) {
    var value = variable.value
    // `{{path}}/users` adds to the value of the scope around.
    if let text = value, text.variables.contains(variable.name),
      let outer = definitions[variable.name]?.value
    {
      var whole = ForeignText()
      for part in text.parts {
        part == .variable(variable.name) ? whole.append(outer) : whole.append(part)
      }
      value = whole
    }
    definitions[variable.name] = Definition(
      value: value, isSecret: variable.isSecret, strength: strength, owner: owner)
  }

  /// Defines a variable for the rest of a file.
  ///
  /// - Parameter position: The number of definitions before it.
  mutating func define(
    _ variable: ImportedCollection.Variable, at position: Int, _ strength: Strength
  ) {
    definitions[variable.name] = Definition(
      value: variable.value, isSecret: variable.isSecret, strength: strength, owner: nil,
      position: position, surroundings: visible(to: variable.value.map { [$0] } ?? []))
  }

  mutating func remove(_ variable: String) { definitions[variable] = nil }

  /// What some texts can read of it.
  func visible(to texts: [ForeignText]) -> VariableScope {
    var visible = VariableScope()
    for name in texts.flatMap(\.variables) { visible.definitions[name] = definitions[name] }
    return visible
  }
}

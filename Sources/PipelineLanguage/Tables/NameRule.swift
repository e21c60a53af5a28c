/// The allowed names for things that others read.
package enum NameRule: String, Sendable, CaseIterable {
  /// Names of inputs.
  case input
  /// Names of a step's values.
  case value
  /// Names of steps and of items.
  case scope

  /// The form of every name: a letter or `_`, then letters, digits and `_`.
  static let pattern = "^[A-Za-z_][A-Za-z0-9_]*$"

  /// Names that the language keeps for itself.
  package var reserved: [String] {
    switch self {
    case .input: []
    case .value: ["error"]
    case .scope: ["inputs", "run", "env", "secrets", "response", "error"]
    }
  }

  /// Why they are reserved, and what to do.
  func refusal(of name: String) -> String {
    switch self {
    case .input, .scope: "'\(name)' is a name that the language reserves; choose another"
    case .value: "'\(name)' is the name of a step's failure; choose another name"
    }
  }
}

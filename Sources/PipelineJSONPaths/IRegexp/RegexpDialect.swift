/// By which grammar a pattern is read. The same automaton decides matches.
enum RegexpDialect: Sendable, Hashable {
  /// RFC 9485.
  case iRegexp
  /// ECMA-262 §22.2.1 with the flag `u`, as JSON Schema recommends, and the unescaped characters
  /// that its Annex B allows.
  case ecmaScript

  var name: String {
    switch self {
    case .iRegexp: "RFC 9485"
    case .ecmaScript: "ECMAScript"
    }
  }
}

/// By which grammar a pattern is read. What matches is decided by the same automaton.
enum RegexpDialect: Sendable, Hashable {
  /// RFC 9485.
  case iRegexp
  /// ECMA-262 §22.2.1 with the flag `u`, as JSON Schema recommends, and what its Annex B lets stand
  /// unescaped.
  case ecmaScript

  var name: String {
    switch self {
    case .iRegexp: "RFC 9485"
    case .ecmaScript: "ECMAScript"
    }
  }
}

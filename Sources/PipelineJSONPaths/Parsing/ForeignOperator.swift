/// How other tools and languages compare values: their words and signs, and what they mean.
package enum ForeignOperator: Sendable, Hashable, CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case oneOf, noneOf, subset
  /// A text has another one in it, at its start, or at its end.
  case contains, begins, ends
  case matches

  /// The operator by a word or sign; `nil` if it is none.
  package init?(_ word: some StringProtocol) {
    guard let found = Self.named[word.lowercased()] else { return nil }
    self = found
  }

  /// The sign of a condition that means the same; `nil` if it has none.
  package var comparator: String? {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .oneOf, .noneOf, .subset, .contains, .begins, .ends, .matches: nil
    }
  }

  /// The words and signs, in lower case.
  private var words: String {
    switch self {
    case .equal: "== === = is eq eql equal equals"
    case .notEqual: "!= !== <> ne neq"
    case .less: "< lt below lessthan"
    case .lessOrEqual: "<= =< le lte most"
    case .greater: "> gt above greaterthan"
    case .greaterOrEqual: ">= => ge gte least"
    case .oneOf: "in anyof oneof"
    case .noneOf: "nin notin noneof"
    case .subset: "subsetof"
    case .contains: "contains contain include includes indexof like test search"
    case .begins: "startswith starts_with starts hasprefix"
    case .ends: "endswith ends_with ends hassuffix"
    case .matches: "matches match regex regexp"
    }
  }

  private static let named: [String: ForeignOperator] = allCases.reduce(into: [:]) { named, one in
    for word in one.words.split(separator: " ") { named[String(word)] = one }
  }
}

/// The objects that stand for other values, each the only member of its object: language.md §4.
enum DataForm: String, CaseIterable {
  /// The value untouched: no templates, no queries, no forms in it.
  case literal = "$literal"
  /// The value as JSON text.
  case json = "$json"
  /// The text's UTF-8 in base64.
  case base64 = "$base64"
  /// The parsed content of a file.
  case file = "$file"
  /// Objects merged from first to last, RFC 7396.
  case merge = "$merge"

  static let names = allCases.map(\.rawValue)
}

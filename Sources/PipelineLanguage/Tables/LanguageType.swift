/// The allowed values of a key.
package indirect enum LanguageType: Sendable, Equatable {
  /// A string, taken literally.
  case text
  /// A string that may hold `{{…}}`.
  case template
  /// A template that may be empty.
  case content
  /// A string that consists of one `{{…}}`.
  case reference
  /// A string that a step, an input or a loop is called by.
  case name
  /// A path of a file, taken literally.
  case path
  case boolean
  /// `true`, and nothing else.
  case yes
  /// A whole number, not below the minimum.
  case integer(minimum: Int)
  /// A number, not below the minimum.
  case number(minimum: Int)
  case duration, size, rate
  /// A duration that may be none at all.
  case pause
  /// A status code, or a class of them such as `"4xx"`.
  case status
  /// One of these strings.
  case choice([String])
  /// An RFC 9535 query of the response's body.
  case bodyQuery
  /// An RFC 9535 query of the scope.
  case scopeQuery
  case condition
  /// An RFC 9485 pattern.
  case pattern
  case endpoint
  /// An absolute http or https URL that may hold `{{…}}`.
  case url
  /// Any JSON, whose strings may hold `{{…}}`.
  case data
  /// An object that is one data form.
  case form
  /// Any JSON, taken literally.
  case json
  /// A JSON Schema.
  case schema
  /// A `null` that takes a default away.
  case none
  case object(LanguageObject.Kind)
  /// An object whose keys the author chooses.
  case map(LanguageType)
  case list(LanguageType)
  /// A list that is not empty.
  case several(LanguageType)
  case either([LanguageType])

  /// The type in words, as docs/language.md prints it: `list of steps`.
  package var words: String {
    switch self {
    case .text: "text"
    case .template, .content, .reference: "template"
    case .name: "name"
    case .path: "path"
    case .boolean: "`true` or `false`"
    case .yes: "`true`"
    case .integer(.min): "whole number"
    case .integer(let minimum): "whole number, at least \(minimum)"
    case .number(let minimum): "number, at least \(minimum)"
    case .duration, .pause: "duration"
    case .size: "size"
    case .rate: "rate"
    case .status: "status"
    case .choice(let names): names.map { "`\"\($0)\"`" }.joined(separator: ", ")
    case .bodyQuery: "query of the body"
    case .scopeQuery: "query of the scope"
    case .condition: "condition"
    case .pattern: "pattern"
    case .endpoint: "endpoint"
    case .url: "URL"
    case .data: "data"
    case .form: "data form"
    case .json: "any JSON"
    case .schema: "JSON Schema"
    case .none: "`null`"
    case .object(let kind): kind.object.title
    case .map(let value): "names → \(value.words)"
    case .list(let element), .several(let element): "list of \(element.words)"
    case .either(let types): types.map(\.wordsAmongOthers).joined(separator: " or ")
    }
  }

  /// Whether a value may be of a type.
  func takes(_ type: LanguageType) -> Bool {
    if case .either(let types) = self { return types.contains(type) }
    return self == type
  }

  /// This type or another one.
  func or(_ other: LanguageType) -> LanguageType {
    if case .either(let types) = self { return .either(types + [other]) }
    return .either([self, other])
  }

  /// The words of the type beside those of another type. The values of a map are in parentheses.
  private var wordsAmongOthers: String {
    if case .map(.either(let types)) = self {
      return "names → (" + types.map(\.words).joined(separator: " or ") + ")"
    }
    return words
  }
}

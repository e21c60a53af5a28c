/// A problem at one place of a template, endpoint or data form, and the way out.
package struct TemplateProblem: Error, Sendable, Hashable {
  /// One phrase without a period.
  package let message: String
  /// UTF-8 offsets in the decoded text that was parsed.
  package let range: Range<Int>
  package let code: Code
  /// What `range` should say instead, if that is known.
  package let fix: String?
  /// Whether `fix` is only one of the things that can be meant.
  package let isGuess: Bool
  /// The JSON that says the same in data, if `range` is the whole text.
  package let data: String?
  /// The shell's variable that is meant.
  package let variable: Variable?

  package init(
    _ code: Code, _ message: String, at range: Range<Int>, fix: String? = nil,
    isGuess: Bool = false, data: String? = nil, variable: Variable? = nil
  ) {
    self.data = data
    self.variable = variable
    self.isGuess = isGuess
    self.message = message
    self.range = range
    self.code = code
    self.fix = fix
  }

  /// A variable of a shell, and the input that takes its value.
  package struct Variable: Sendable, Hashable {
    package let name: String
    package let input: String
  }

  /// Stable names of the problems.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// Braces that are not closed, or hold nothing.
    case syntax = "template-syntax"
    /// The inside of `{{…}}` is not a singular query that begins with a name.
    case reference = "template-reference"
    /// `{{+x}}` if no path is.
    case reserved = "template-reserved"
    /// A template of another tool.
    case foreign = "foreign-template"
    /// The method of an endpoint is unknown, or not in capitals.
    case method = "endpoint-method"
    /// An endpoint is not a method, a space and a URL.
    case endpoint = "endpoint-syntax"
    /// Scheme, authority, path or fragment of a URL is not what a request can be sent to.
    case url = "url-syntax"
    /// A character that may not are in a URL.
    case urlCharacter = "url-character"
    /// A user or password in a URL.
    case urlCredentials = "url-credentials"
    /// A control character in a header or cookie.
    case headerCharacter = "header-character"
    /// A data form that is unknown, or not as its rules say.
    case dataForm = "data-form"
    /// A string in data that stands for a query is none.
    case query = "query-syntax"
    /// A string in data that looks like a query if none is read.
    case literalQuery = "literal-query"
    /// A template in the key of an object.
    case templateInKey = "template-in-key"
  }

  /// The problem with its range moved from a part of a text to the whole.
  func shifted(by offset: Int) -> TemplateProblem {
    TemplateProblem(
      code, message, at: range.lowerBound + offset..<range.upperBound + offset, fix: fix,
      isGuess: isGuess, data: data, variable: variable)
  }
}

extension [TemplateProblem] {
  /// The problems in the order of the text.
  var inOrder: [TemplateProblem] {
    // Most texts have no problems, and sorting an empty list is not free.
    count < 2 ? self : sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

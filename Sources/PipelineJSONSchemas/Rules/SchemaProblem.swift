package import PipelineSourceText

/// A problem at one place of a schema, and the way out.
package struct SchemaProblem: Error, Sendable, Hashable {
  /// One phrase without a period.
  package let message: String
  /// Bytes of the schema's document.
  package let range: Range<Int>
  package let code: Code
  /// An error if the schema cannot be used.
  package var severity: Diagnostic.Severity { code == .unknownKeyword ? .warning : .error }

  /// What to write in its place; `nil` if that is not certain.
  package let fix: String?

  init(_ code: Code, _ message: String, at range: Range<Int>, fix: String? = nil) {
    self.message = message
    self.range = range
    self.code = code
    self.fix = fix
  }

  /// Stable names of the problems.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// A keyword that JSON Schema does not have. It is ignored, as the standard says.
    case unknownKeyword = "schema-unknown-keyword"
    /// A keyword, draft, format or vocabulary that is not supported.
    case unsupported = "schema-unsupported"
    /// A keyword's value is not of the kind that it takes.
    case value = "schema-value"
    /// A `$ref` leads nowhere, to another document or around in a circle.
    case reference = "schema-reference"
    /// A pattern is not a regular expression, or none that can be matched in linear time.
    case pattern = "schema-pattern"
  }
}

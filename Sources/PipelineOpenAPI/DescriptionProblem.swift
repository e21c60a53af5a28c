internal import PipelineSourceText

/// Why a description of an API cannot be read.
package struct DescriptionProblem: Error, Sendable, Hashable {
  /// The file in question.
  package let path: String
  /// The place in the file, from 1; `nil` if the whole file is meant.
  package let place: Place?
  /// One phrase without a period.
  package let message: String

  /// A line and a column, counted from 1.
  package struct Place: Sendable, Hashable {
    package let line: Int
    package let column: Int

    init(_ position: SourcePosition) {
      line = position.line
      column = position.column
    }
  }
}

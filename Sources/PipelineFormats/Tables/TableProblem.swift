/// Why rows cannot be written as a table.
package struct TableProblem: Error, Sendable, Hashable {
  /// One phrase.
  package let message: String

  package init(_ message: String) { self.message = message }
}

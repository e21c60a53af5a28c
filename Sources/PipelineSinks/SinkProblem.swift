/// Why rows cannot be written if they are to go.
package struct SinkProblem: Error, Sendable, Hashable {
  /// One phrase.
  package let message: String

  package init(_ message: String) { self.message = message }
}

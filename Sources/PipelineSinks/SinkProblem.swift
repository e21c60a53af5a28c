/// Why rows cannot be written where they are to go.
package struct SinkProblem: Error, Sendable, Hashable {
  /// One phrase.
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// Why a description of an API cannot be read.
package struct DescriptionProblem: Error, Sendable, Hashable {
  /// The file in question.
  package let path: String
  /// The place in the file, from 1; `nil` if the whole file is meant.
  package let place: Place?
  /// One phrase without a period.
  package let message: String

  /// A line and a column, counted in bytes from 1.
  package struct Place: Sendable, Hashable {
    package let line: Int
    package let column: Int

    /// The place of the byte at `offset`.
    init(_ offset: Int, in bytes: [UInt8]) {
      var (line, start) = (1, 0)
      for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A {
        line += 1
        start = index + 1
      }
      self.line = line
      column = offset - start + 1
    }
  }
}

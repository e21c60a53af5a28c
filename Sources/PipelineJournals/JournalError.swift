/// Why a journal cannot be read or written.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One phrase that names the file, if there is one, and the problem.
  public let message: String

  /// An error with this message.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// A command line that was not understood.
struct UsageError: Error, Equatable {
  /// One phrase that ends with the way out.
  var message: String
  /// The command whose help explains more.
  var command: String?
}

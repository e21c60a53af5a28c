internal import Templates
internal import URIs
internal import Workflows

extension Failure {
  init(_ error: TransportError, at range: Range<Int>) {
    let kind: Kind =
      switch error.kind {
      case .timeout: .timeout
      case .responseTooLarge: .limit
      case .file: .file
      case .cancelled: .cancelled
      default: .network
      }
    self.init(kind, error.message, at: range)
    if error.kind == .refusedAddress {
      hints = [
        "only a URL made of the file's own text and of inputs may lead into a private network"
      ]
    }
  }

  /// A value that cannot stand where a template puts it.
  init<Value>(_ error: ExpansionError, in written: Written<Value>) {
    self.init(
      .value, error.message,
      at: error.reference.map { written.range(of: $0.range) } ?? written.range)
  }

  /// A credential would go to an origin that only a response has named.
  static func credentials(to origin: Origin, at range: Range<Int>) -> Failure {
    Failure(
      .value,
      "would send credentials to \(origin), which a response named; list \"\(origin)\" in"
        + " 'sendCredentials' if that is right", at: range)
  }

  /// A redirect would take a credential along to another origin.
  static func credentials(redirectedTo origin: Origin, at range: Range<Int>) -> Failure {
    Failure(
      .value,
      "was redirected to \(origin), and the step's credentials are for its own origin; list"
        + " \"\(origin)\" in 'sendCredentials', or hand the redirect back with '\"redirects\": 0'",
      at: range)
  }
}

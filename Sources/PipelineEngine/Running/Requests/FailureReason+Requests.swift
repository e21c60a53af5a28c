internal import PipelineLanguage
internal import PipelineTemplates
internal import PipelineURIs

extension FailureReason {
  init(_ error: TransportError, at range: Range<Int>) {
    let kind: Kind =
      switch error.kind {
      case .timeout: .timeout
      case .responseTooLarge: .limit
      case .file: .file
      case .cancelled: .cancelled
      case .handler: .fail
      default: .network
      }
    self.init(kind, error.message, at: range)
    if error.kind == .refusedAddress {
      hints = [
        "only a URL made of the file's own text and of inputs, or an origin in 'sendCredentials',"
          + " may be in a private network; one that is listed gets the step's credentials, unless"
          + " its 'auth' is null"
      ]
    }
  }

  /// A value that does not fit at its template's place.
  init<Value>(_ error: ExpansionError, in written: Written<Value>) {
    self.init(
      .value, error.message,
      at: error.reference.map { written.range(of: $0.range) } ?? written.range)
  }

  /// The client's credentials would go to a token endpoint that a response has named.
  static func credentials(to origin: Origin, at range: Range<Int>) -> FailureReason {
    FailureReason(
      .value,
      "would send credentials to \(origin), which a response named; list \"\(origin)\" in"
        + " 'sendCredentials' if this is intended",
      at: range)
  }
}

internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

extension CredentialPolicy {
  /// What `origin` gets of a request's credentials.
  ///
  /// - Throws: The credential that must not be sent there and cannot be left out.
  func grant(_ parts: CredentialParts, to origin: Origin) throws(Refusal) -> Grant {
    var grant = Grant()
    try add(.step, parts.own, origin, to: &grant)
    try add(.defaults, parts.inherited, origin, to: &grant)
    return grant
  }

  private func add(
    _ writer: Writer, _ credentials: Credentials, _ origin: Origin, to grant: inout Grant
  ) throws(Refusal) {
    if credentials.isEmpty { return }
    if mayHave(writer, origin) { return grant.add(credentials) }
    if credentials.isInURL { throw Refusal(place: .url, writer: writer) }
    if credentials.isInBody { throw Refusal(place: .body, writer: writer) }
    grant.withheld.append(writer)
  }

  /// The credentials that a target gets.
  struct Grant: Sendable, Hashable {
    var headers: [HeaderField] = []
    var cookies: [String] = []
    var connection: ConnectionSettings.Credentials?
    var hasCertificate = false
    /// Whose credentials the target does not get.
    var withheld: [Writer] = []

    fileprivate mutating func add(_ credentials: Credentials) {
      headers += credentials.headers
      cookies = credentials.cookies + cookies
      connection = connection ?? credentials.connection
      hasCertificate = hasCertificate || credentials.hasCertificate
    }

    /// All header fields. One field holds all cookies (RFC 6265 §5.4).
    var fields: [HeaderField] {
      cookies.isEmpty ? headers : headers + [HeaderField("Cookie", cookies.joined(separator: "; "))]
    }
  }

  /// A secret without which the request would be another one, and that its target must not see.
  struct Refusal: Error, Sendable, Hashable {
    enum Place: Sendable, Hashable {
      case url, body
    }

    let place: Place
    let writer: Writer
  }
}

/// The credentials of a request that one writer wrote.
struct Credentials: Sendable, Hashable {
  var headers: [HeaderField] = []
  /// Each `name=value`.
  var cookies: [String] = []
  /// The proof of the sender that a transport computes: digest, AWS signatures.
  var connection: ConnectionSettings.Credentials?
  var hasCertificate = false
  /// The URL holds a secret.
  var isInURL = false
  /// The body holds a secret.
  var isInBody = false

  var isEmpty: Bool {
    headers.isEmpty && cookies.isEmpty && connection == nil && !hasCertificate && !isInURL
      && !isInBody
  }
}

/// The parts of a request that not every target may see.
struct CredentialParts: Sendable, Hashable {
  /// Written in the step.
  var own = Credentials()
  /// From the file's `defaults`.
  var inherited = Credentials()

  subscript(_ writer: CredentialPolicy.Writer) -> Credentials {
    get {
      switch writer {
      case .step: own
      case .defaults: inherited
      }
    }
    set {
      switch writer {
      case .step: own = newValue
      case .defaults: inherited = newValue
      }
    }
  }
}

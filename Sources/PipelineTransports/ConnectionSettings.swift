internal import PipelineByteText

/// How to reach a server, and the proof of who sends the request. Requests with equal settings may
/// share connections.
public struct ConnectionSettings: Sendable, Hashable {
  /// Refuses, at connect, an address that is loopback, private or link-local.
  public var refusesPrivateAddresses = false
  /// Settings that most requests do without, kept apart so that the others are small.
  private var special: Boxed<Values>?

  /// The settings of a request that says nothing about them.
  public init() {}

  /// Whether there is nothing but what all requests have.
  package var isOrdinary: Bool { special == nil }

  /// A PEM file of certificate authorities to trust in place of the system's.
  public var caFile: String? {
    get { special?.value.caFile }
    set { change(isCleared: newValue == nil) { $0.caFile = newValue } }
  }

  /// A PEM file with the client's certificate.
  public var certificateFile: String? {
    get { special?.value.certificateFile }
    set { change(isCleared: newValue == nil) { $0.certificateFile = newValue } }
  }

  /// A PEM file with the client certificate's private key.
  public var keyFile: String? {
    get { special?.value.keyFile }
    set { change(isCleared: newValue == nil) { $0.keyFile = newValue } }
  }

  /// The proxy's URL, which may hold a user and a password; `nil` for the environment's; `""`:
  /// none.
  public var proxy: String? {
    get { special?.value.proxy }
    set { change(isCleared: newValue == nil) { $0.proxy = newValue } }
  }

  /// Credentials of a scheme that takes part in the exchange itself.
  public var credentials: Credentials? {
    get { special?.value.credentials }
    set { change(isCleared: newValue == nil) { $0.credentials = newValue } }
  }

  /// How a request authenticates itself in the course of a connection.
  public indirect enum Credentials: Sendable, Hashable {
    /// HTTP Digest (RFC 7616).
    case digest(user: String, password: String)
    /// AWS Signature Version 4.
    case awsSigV4(
      service: String, region: String, accessKey: String, secretKey: String, sessionToken: String?)

    /// Equal credentials are the same bytes: another password is another caller.
    public static func == (left: Credentials, right: Credentials) -> Bool {
      switch (left, right) {
      case (.digest(let user, let password), .digest(let otherUser, let otherPassword)):
        user.equals(bytes: otherUser) && password.equals(bytes: otherPassword)
      case (
        .awsSigV4(let service, let region, let accessKey, let secretKey, let token),
        .awsSigV4(let service2, let region2, let accessKey2, let secretKey2, let token2)
      ):
        service.equals(bytes: service2) && region.equals(bytes: region2)
          && accessKey.equals(bytes: accessKey2) && secretKey.equals(bytes: secretKey2)
          && token.equals(bytes: token2)
      default: false
      }
    }
  }

  private mutating func change(isCleared: Bool, _ body: (inout Values) -> Void) {
    if isCleared, special == nil { return }
    var values = special?.value ?? Values()
    body(&values)
    special = values == Values() ? nil : Boxed(values)
  }

  private struct Values: Sendable, Hashable {
    var caFile: String?
    var certificateFile: String?
    var keyFile: String?
    var proxy: String?
    var credentials: Credentials?

    static func == (left: Values, right: Values) -> Bool {
      left.caFile.equals(bytes: right.caFile)
        && left.certificateFile.equals(bytes: right.certificateFile)
        && left.keyFile.equals(bytes: right.keyFile) && left.proxy.equals(bytes: right.proxy)
        && left.credentials == right.credentials
    }
  }
}

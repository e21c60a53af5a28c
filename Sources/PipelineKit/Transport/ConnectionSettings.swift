/// How to reach a server and prove who calls. Requests with equal settings may share connections.
public struct ConnectionSettings: Sendable, Hashable {
  /// Refuses, at connect, an address that is loopback, private or link-local.
  public var refusesPrivateAddresses = false
  /// What most requests do without, so that settings are small to hand on.
  private var special: Boxed<Values>?

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

  /// The proxy's URL, which may hold a user and a password; `nil`: the environment's; `""`: none.
  public var proxy: String? {
    get { special?.value.proxy }
    set { change(isCleared: newValue == nil) { $0.proxy = newValue } }
  }

  /// Credentials of a scheme that takes part in the exchange itself.
  public var credentials: Credentials? {
    get { special?.value.credentials }
    set { change(isCleared: newValue == nil) { $0.credentials = newValue } }
  }

  public indirect enum Credentials: Sendable, Hashable {
    /// HTTP Digest (RFC 7616).
    case digest(user: String, password: String)
    /// AWS Signature Version 4.
    case awsSigV4(
      service: String, region: String, accessKey: String, secretKey: String, sessionToken: String?)
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
  }
}

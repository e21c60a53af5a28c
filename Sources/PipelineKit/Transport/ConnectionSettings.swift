/// How to reach a server and prove who calls. Requests with equal settings may share connections.
public struct ConnectionSettings: Sendable, Hashable {
  /// A PEM file of certificate authorities to trust in place of the system's.
  public var caFile: String?
  /// A PEM file with the client's certificate.
  public var certificateFile: String?
  /// A PEM file with the client certificate's private key.
  public var keyFile: String?
  /// The proxy's URL, which may hold a user and a password; `nil`: the environment's; `""`: none.
  public var proxy: String?
  /// Refuses, at connect, an address that is loopback, private or link-local.
  public var refusesPrivateAddresses = false
  /// Credentials of a scheme that takes part in the exchange itself.
  public var credentials: Credentials?

  public enum Credentials: Sendable, Hashable {
    /// HTTP Digest (RFC 7616).
    case digest(user: String, password: String)
    /// AWS Signature Version 4.
    case awsSigV4(
      service: String, region: String, accessKey: String, secretKey: String, sessionToken: String?)
  }

  public init() {}
}

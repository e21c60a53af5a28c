public import JSONText
public import Templates

/// How a request proves who sends it.
public struct Auth: Sendable {
  /// Indirect: every request that inherits one holds it.
  public indirect enum Scheme: Sendable {
    /// RFC 6750.
    case bearer(Written<Template>)
    /// RFC 7617.
    case basic(user: Written<Template>, password: Written<Template>)
    /// RFC 7616.
    case digest(user: Written<Template>, password: Written<Template>)
    case oauth2(OAuth2)
    case awsSigV4(AWSSigV4)
  }

  public var scheme: Scheme
  /// Whether it comes from the file's `defaults`.
  public var isInherited = false
  public let node: JSONNode

  public init(scheme: Scheme, node: JSONNode) {
    self.scheme = scheme
    self.node = node
  }

  /// RFC 6749: client credentials (§4.4), or a refresh token (§6).
  public struct OAuth2: Sendable {
    public var tokenURL: Written<URLTemplate>
    public var clientID: Written<Template>
    public var clientSecret: Written<Template>?
    public var scopes: [Written<Template>]
    public var refreshToken: Written<Template>?
    public var clientAuth = ClientAuth.basic

    /// How the client's secret is sent (RFC 6749 §2.3.1).
    public enum ClientAuth: String, Sendable, CaseIterable {
      case basic
      /// In the body, beside the client's name.
      case post
    }

    public init(
      tokenURL: Written<URLTemplate>, clientID: Written<Template>,
      clientSecret: Written<Template>?, scopes: [Written<Template>],
      refreshToken: Written<Template>?
    ) {
      self.tokenURL = tokenURL
      self.clientID = clientID
      self.clientSecret = clientSecret
      self.scopes = scopes
      self.refreshToken = refreshToken
    }
  }

  /// AWS Signature Version 4.
  public struct AWSSigV4: Sendable {
    public var service: Written<Template>
    public var region: Written<Template>
    public var accessKey: Written<Template>
    public var secretKey: Written<Template>
    public var sessionToken: Written<Template>?

    public init(
      service: Written<Template>, region: Written<Template>, accessKey: Written<Template>,
      secretKey: Written<Template>, sessionToken: Written<Template>?
    ) {
      self.service = service
      self.region = region
      self.accessKey = accessKey
      self.secretKey = secretKey
      self.sessionToken = sessionToken
    }
  }
}

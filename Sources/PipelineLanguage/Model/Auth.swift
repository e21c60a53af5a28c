package import PipelineJSONText
package import PipelineTemplates

/// How a request proves its sender.
package struct Auth: Sendable {
  /// Indirect: every request that inherits one holds it.
  package indirect enum Scheme: Sendable {
    /// RFC 6750.
    case bearer(Written<Template>)
    /// RFC 7617.
    case basic(user: Written<Template>, password: Written<Template>)
    /// RFC 7616.
    case digest(user: Written<Template>, password: Written<Template>)
    case oauth2(OAuth2)
    case awsSigV4(AWSSigV4)
  }

  package var scheme: Scheme
  /// Whether it comes from the file's `defaults`.
  package var isInherited = false
  package let node: JSONNode

  package init(scheme: Scheme, node: JSONNode) {
    self.scheme = scheme
    self.node = node
  }

  /// RFC 6749: client credentials (§4.4), or a refresh token (§6).
  package struct OAuth2: Sendable {
    package var tokenURL: Written<URLTemplate>
    package var clientID: Written<Template>
    package var clientSecret: Written<Template>?
    package var scopes: [Written<Template>]
    package var refreshToken: Written<Template>?
    package var clientAuth = ClientAuth.basic

    /// How the client's secret is sent (RFC 6749 §2.3.1).
    package enum ClientAuth: String, Sendable, CaseIterable {
      case basic
      /// In the body, beside the client's name.
      case post
    }

    package init(
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
  package struct AWSSigV4: Sendable {
    package var service: Written<Template>
    package var region: Written<Template>
    package var accessKey: Written<Template>
    package var secretKey: Written<Template>
    package var sessionToken: Written<Template>?

    package init(
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

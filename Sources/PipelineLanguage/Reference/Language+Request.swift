// The objects of requests.

extension LanguageObject {
  static let defaults = LanguageObject(
    .defaults, "defaults", place: "in 'defaults'", of: Defaults.self)

  /// A member of `query` or of a form that says how a list or an object is written.
  static let parameter = LanguageObject(
    .parameter, "parameter", place: "in a parameter of 'query' or 'form'", of: StyledValue.self)

  static let auth = LanguageObject(.auth, "auth", place: "in 'auth'", of: Auth.Scheme.self)

  static let credentials = LanguageObject(
    .credentials, "credentials", place: "in 'basic' or 'digest'", of: PasswordAuth.self)

  static let oauth2 = LanguageObject(.oauth2, "oauth2", place: "in 'oauth2'", of: OAuth2.self)

  static let clientAuth = LanguageObject(
    .clientAuth, "client authentication", place: "in 'clientAuth'", of: ClientAuthKeys.self)

  static let clientKey = LanguageObject(
    .clientKey, "client key", place: "in 'privateKeyJWT'", of: ClientKey.self)

  static let awsSigV4 = LanguageObject(
    .awsSigV4, "awsSigV4", place: "in 'awsSigV4'", of: AWSSigV4.self)

  static let sign = LanguageObject(
    .sign, "sign", place: "in 'sign'", of: RequestSignature.self)

  static let tls = LanguageObject(.tls, "tls", place: "in 'tls'", of: TLS.self)

  static let body = LanguageObject(.body, "body", place: "in 'body'", of: Body.Content.self)

  /// An element of `multipart`.
  static let part = LanguageObject(
    .part, "part", place: "in a part of 'multipart'", of: Body.Part.self)

  static let graphql = LanguageObject(
    .graphql, "graphql", place: "in 'graphql'", of: GraphQL.self)

  static let settle = LanguageObject(.settle, "look-up", place: "in 'settle'", of: LookUp.self)
}

import PipelineByteText
import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// How the client of an authorization server proves who it is.
package enum ClientAuth: Sendable {
  /// With its secret in an `Authorization` header (RFC 6749 §2.3.1).
  case basic
  /// With its secret in the body, beside its name.
  case post
  /// With a token that is signed with its secret (RFC 7523 §2.2).
  case clientSecretJWT
  /// With a token that is signed with its private key (RFC 7523 §2.2).
  case privateKeyJWT(ClientKey)

  package var key: ClientKey? {
    if case .privateKeyJWT(let key) = self { key } else { nil }
  }

  /// The word for it in the language.
  package var name: String {
    switch self {
    case .basic: "basic"
    case .post: "post"
    case .clientSecretJWT: "clientSecretJWT"
    case .privateKeyJWT: "privateKeyJWT"
    }
  }
}

/// The private key of a client.
package struct ClientKey: Sendable {
  package let key: Written<Template>
  package let algorithm: TokenAlgorithm
  package let keyID: Written<Template>?
}

extension ClientKey: DeclaredObject {
  init?(_ keys: inout Keys) {
    let key = keys.required(
      "key", .template, "The private key in PEM.", example: #""{{inputs.key}}""#,
      foreign: ["privateKey pem secret"])
    let algorithm = keys.required(
      "algorithm", KeyAlgorithmType(), "The algorithm of RFC 7518 with which it signs.",
      example: #""RS256""#, foreign: ["alg"])
    keyID = keys.optional(
      "keyId", .template, "The name of the key: `kid` in the header.", example: #""k1""#,
      foreign: ["kid"])
    guard let key, let algorithm else { return nil }
    self.key = key
    self.algorithm = algorithm
  }
}

/// The object that names a key: `{"privateKeyJWT": …}`.
struct ClientAuthKeys: DeclaredObject {
  let key: ClientKey

  init?(_ keys: inout Keys) {
    let key = keys.required(
      "privateKeyJWT", .object(.clientKey, ClientKey.self),
      "Signs a token with the client's private key (RFC 7523).",
      example: #"{"key": "{{inputs.key}}", "algorithm": "RS256"}"#,
      foreign: ["privateKey privateKeyJwt jwt"])
    guard let key else { return nil }
    self.key = key
  }
}

/// One of the words, or the object that names a key.
struct ClientAuthType: ValueType {
  private enum Word: String, CaseIterable {
    case basic, post, clientSecretJWT
  }

  var description: LanguageType {
    .either([.choice(Word.allCases.map(\.rawValue)), .object(.clientAuth)])
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> ClientAuth? {
    if node.kind == .object {
      return ObjectType<ClientAuthKeys>(kind: .clientAuth).read(node, name, &decoder)
        .map { .privateKeyJWT($0.key) }
    }
    if let text = node.string, LanguageAliases.folded(text).equals(bytes: "privatekeyjwt") {
      decoder.report(
        .invalidValue, "'privateKeyJWT' needs a key and an algorithm",
        .write(
          #"{"privateKeyJWT": {"key": "{{inputs.key}}", "algorithm": "RS256"}}"#, for: node.range),
        at: node.range)
      return nil
    }
    let word: Word? = decoder.choice(node, name)
    switch word {
    case nil: return nil
    case .basic: return .basic
    case .post: return .post
    case .clientSecretJWT: return .clientSecretJWT
    }
  }

  func text(of value: ClientAuth) -> String? { "\"\(value.name)\"" }
}

/// An algorithm that signs with a private key.
private struct KeyAlgorithmType: ValueType {
  private static let names = TokenAlgorithm.allCases.filter { $0.digestOfSecret == nil }
    .map(\.rawValue)

  var description: LanguageType { .choice(Self.names) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> TokenAlgorithm? {
    guard let algorithm: TokenAlgorithm = decoder.choice(node, name) else { return nil }
    guard algorithm.digestOfSecret == nil else {
      decoder.report(
        .invalidValue,
        "\(algorithm.rawValue) signs with a secret; write \"clientAuth\": \"clientSecretJWT\", or"
          + " an algorithm of a private key such as \"RS256\"", at: node.range)
      return nil
    }
    return algorithm
  }
}

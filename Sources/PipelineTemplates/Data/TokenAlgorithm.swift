package import PipelineByteText

/// How a JSON Web Token is signed (RFC 7518 §3.1, RFC 8037).
package enum TokenAlgorithm: String, Sendable, CaseIterable {
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"

  /// The digest that is keyed with a secret; `nil` if a private key signs.
  package var digestOfSecret: DigestAlgorithm? {
    switch self {
    case .hs256: .sha256
    case .hs384: .sha384
    case .hs512: .sha512
    case .rs256, .rs384, .rs512, .es256, .es384, .es512, .edDSA: nil
    }
  }
}

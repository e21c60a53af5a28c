internal import PipelineByteText
internal import PipelineJSONText

/// Makes JSON Web Tokens (RFC 7519) in the compact form of RFC 7515.
package enum SignedToken {
  /// What a token is signed with.
  package enum Key: Sendable {
    /// The bytes of a shared secret, for the algorithms `HS…`.
    case secret([UInt8])
    /// A private key as PEM text, for all others.
    case pem(String)
  }

  /// Why a token cannot be signed.
  package struct Problem: Error, Sendable {
    /// A phrase.
    package let message: String
  }

  /// A signed token.
  ///
  /// - Parameters:
  ///   - claims: The JSON text of an object.
  ///   - keyID: The name of the key, for the header.
  package static func text(
    claims: [UInt8], _ algorithm: TokenAlgorithm, keyID: String?, _ key: Key
  ) throws(Problem) -> String {
    var header = JSONWriter(style: .compact)
    header.beginObject()
    header.name("alg")
    header.string(algorithm.rawValue)
    header.name("typ")
    header.string("JWT")
    if let keyID {
      header.name("kid")
      header.string(keyID)
    }
    header.endObject()
    let text = Base64.encodeForURLs(header.bytes) + "." + Base64.encodeForURLs(claims)
    let signature = try signature(of: Array(text.utf8), algorithm, key)
    return text + "." + Base64.encodeForURLs(signature)
  }

  private static func signature(
    of text: [UInt8], _ algorithm: TokenAlgorithm, _ key: Key
  ) throws(Problem) -> [UInt8] {
    switch (key, algorithm.digestOfSecret) {
    case (.secret(let secret), let digest?): return digest.hmac(text, key: secret)
    case (.secret, nil):
      throw Problem(message: "\(algorithm.rawValue) needs a private key")
    case (.pem(let pem), _):
      do throws(PrivateKey.Problem) {
        return try PrivateKey(pem: pem).signature(of: text, algorithm)
      } catch {
        throw Problem(message: error.message)
      }
    }
  }
}

internal import PipelineByteText

/// The proof that the program which redeems a code is the one that asked for it (RFC 7636).
package struct PKCE: Sendable {
  /// Sent with the code.
  package let verifier: String

  /// The verifier's digest, which the browser carries: `S256` of RFC 7636 §4.2.
  package var challenge: String { Base64.encodeForURLs(SHA256.hash(Array(verifier.utf8))) }

  /// - Parameter octets: At least 32 unguessable octets (RFC 7636 §4.1).
  package init(octets: [UInt8]) {
    verifier = Base64.encodeForURLs(octets)
  }

  /// A new one, made by chance.
  package init() { self.init(octets: Self.octets()) }

  /// 32 unguessable octets from the generator of the system.
  package static func octets() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).flatMap { _ in
      let word = generator.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) }
    }
  }
}

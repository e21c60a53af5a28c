internal import CPipelineCrypto
internal import PipelineByteText

/// A private key, with which libcrypto signs. It is loaded when the first key signs.
struct PrivateKey {
  /// Why a key cannot sign.
  struct Problem: Error {
    /// A phrase.
    let message: String
  }

  private let pem: [UInt8]

  init(pem: String) { self.pem = Array(pem.utf8) }

  /// The signature of a text, as RFC 7518 §3.3 and §3.4 and RFC 8037 §3.1 have it.
  func signature(
    of text: [UInt8], _ algorithm: TokenAlgorithm
  ) throws(Problem) -> [UInt8] {
    guard let kind = Kind(algorithm) else {
      throw Problem(message: "\(algorithm.rawValue) takes no private key")
    }
    if let problem = ccrypto_load() {
      throw Problem(
        message: "\(algorithm.rawValue) needs libcrypto of OpenSSL 1.1.1 or later, which cannot be"
          + " loaded: \(String(cString: problem))")
    }
    // Enough for RSA keys of 16384 bits, beyond which OpenSSL does not go.
    var signature = [UInt8](repeating: 0, count: 2048)
    var count = signature.count
    let result = ccrypto_sign(
      pem, pem.count, kind.key, kind.bits, kind.digest, text, text.count, &signature, &count)
    switch result {
    case CCRYPTO_SIGNED: signature.removeSubrange(count...)
    case CCRYPTO_UNREADABLE: throw Problem(message: unreadable)
    case CCRYPTO_OTHER_KEY:
      throw Problem(message: "the key is not \(kind.words), which \(algorithm.rawValue) needs")
    default: throw Problem(message: "libcrypto refuses the key")
    }
    guard kind.key == CCRYPTO_EC else { return signature }
    guard let raw = Self.withoutStructure(signature, half: (Int(kind.bits) + 7) / 8) else {
      throw Problem(message: "libcrypto gave a signature that is not of RFC 3279")
    }
    return raw
  }

  /// Why the text is not a key that can be read; `nil` if only libcrypto can say.
  var problemOfText: String? {
    let text = String(decoding: pem, as: UTF8.self)
    return text.contains(bytes: "PRIVATE KEY-----") && !text.contains(bytes: "ENCRYPTED")
      && !text.contains(bytes: "\\n") ? nil : unreadable
  }

  private var unreadable: String {
    let text = String(decoding: pem, as: UTF8.self)
    if text.contains(bytes: "\\n") {
      return "the key is not PEM: its lines end with the characters \\n, and not with line ends"
    }
    if text.contains(bytes: "ENCRYPTED") {
      return "the key is protected by a passphrase; store it without one, as a secret"
    }
    return "the key is not a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----"
  }

  /// The two numbers of an ECDSA signature (RFC 3279 §2.2.3), each of a fixed length.
  static func withoutStructure(_ der: [UInt8], half: Int) -> [UInt8]? {
    var rest = der[...]
    guard rest.popFirst() == 0x30, let length = rest.popFirst() else { return nil }
    // The length of a P-521 signature takes a second byte.
    if length == 0x81 { rest = rest.dropFirst() }
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard rest.popFirst() == 0x02, let count = rest.popFirst(), rest.count >= Int(count) else {
        return nil
      }
      let number = rest.prefix(Int(count)).drop { $0 == 0 }
      guard number.count <= half else { return nil }
      raw += [UInt8](repeating: 0, count: half - number.count) + number
      rest = rest.dropFirst(Int(count))
    }
    return raw
  }

  /// The key that an algorithm needs.
  private struct Kind {
    let key: ccrypto_key
    /// The size of the key; for RSA the least.
    let bits: Int32
    /// `nil` if the algorithm has its own.
    let digest: String?
    let words: String

    init?(_ algorithm: TokenAlgorithm) {
      switch algorithm {
      case .hs256, .hs384, .hs512: return nil
      case .rs256: self.init(rsa: "SHA256")
      case .rs384: self.init(rsa: "SHA384")
      case .rs512: self.init(rsa: "SHA512")
      case .es256: self.init(CCRYPTO_EC, 256, "SHA256", "an EC key of the curve P-256")
      case .es384: self.init(CCRYPTO_EC, 384, "SHA384", "an EC key of the curve P-384")
      case .es512: self.init(CCRYPTO_EC, 521, "SHA512", "an EC key of the curve P-521")
      case .edDSA: self.init(CCRYPTO_ED25519, 0, nil, "an Ed25519 key")
      }
    }

    private init(rsa digest: String) {
      self.init(CCRYPTO_RSA, 2048, digest, "an RSA key of at least 2048 bits")
    }

    private init(_ key: ccrypto_key, _ bits: Int32, _ digest: String?, _ words: String) {
      (self.key, self.bits, self.digest, self.words) = (key, bits, digest, words)
    }
  }
}

/// The algorithms that make a digest of bytes, by the names that files use.
///
/// MD5 and SHA-1 are here because servers ask for them. They do not protect against forgery.
package enum DigestAlgorithm: String, Sendable, CaseIterable {
  case md5, sha1, sha256, sha384, sha512

  /// - Complexity: O(n) in the bytes.
  package func digest(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .md5: MD5.hash(message)
    case .sha1: SHA1.hash(message)
    case .sha256: SHA256.hash(message)
    case .sha384: SHA512.hash384(message)
    case .sha512: SHA512.hash(message)
    }
  }

  /// The keyed digest of RFC 2104.
  package func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? digest(key) : key
    block += [UInt8](repeating: 0, count: blockSize - block.count)
    let inner = digest(block.map { $0 ^ 0x36 } + message)
    return digest(block.map { $0 ^ 0x5C } + inner)
  }

  private var blockSize: Int {
    switch self {
    case .md5, .sha1, .sha256: 64
    case .sha384, .sha512: 128
    }
  }
}

/// The message with the padding that MD5, SHA-1 and SHA-2 share: a bit, zeros and the length.
enum DigestPadding {
  /// - Parameters:
  ///   - block: The bytes of a block.
  ///   - length: The message's bits, in the byte order of the algorithm.
  static func padded(_ message: [UInt8], block: Int, length: [UInt8]) -> [UInt8] {
    var bytes = message
    bytes.append(0x80)
    let rest = (bytes.count + length.count) % block
    if rest > 0 { bytes += [UInt8](repeating: 0, count: block - rest) }
    return bytes + length
  }

  /// The bytes of a number, the highest first.
  static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

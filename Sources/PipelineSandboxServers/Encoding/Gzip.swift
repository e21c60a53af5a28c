/// gzip (RFC 1952) in stored blocks: whole and valid, without compressing anything.
enum Gzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    return head + Deflate.stored(bytes) + littleEndian(Checksum.crc32(bytes))
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// Stored blocks of RFC 1951 §3.2.4.
enum Deflate {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 65_535 * 5 + 5)
    var start = 0
    repeat {
      let count = min(65_535, bytes.count - start)
      let length = UInt16(count)
      output.append(start + count == bytes.count ? 1 : 0)
      output += [UInt8(length & 255), UInt8(length >> 8)]
      output += [UInt8(~length & 255), UInt8(~length >> 8)]
      output += bytes[start..<start + count]
      start += count
    } while start < bytes.count
    return output
  }
}

enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { zeroByte($0 ^ UInt32($1)) }
  }

  /// The register after a zero byte. Any other byte is first added to the register.
  static func zeroByte(_ register: UInt32) -> UInt32 {
    table[Int(register & 255)] ^ (register >> 8)
  }

  /// RFC 1950 §8.2.
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}

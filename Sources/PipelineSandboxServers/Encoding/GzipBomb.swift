internal import PipelineHTTPServers

/// A gzip stream of zeros that unpacks to about 160 times its size. It has one literal and then
/// matches of 258 bytes at distance 1, in fixed Huffman codes (RFC 1951 §3.2.6).
struct GzipBomb {
  private static let matchLength = 258

  /// Eight matches take 104 bits, so the middle of the stream repeats every 13 bytes.
  private let repeats: Int
  let unpackedSize: Int

  /// At least `size` bytes unpacked.
  init(size: Int) {
    repeats = max(0, size / (8 * Self.matchLength))
    unpackedSize = 1 + Self.matchLength * (16 + 8 * repeats)
  }

  /// The packed stream piece by piece.
  var pieces: PieceSource {
    let packed = Self.sixteenMatches
    let pattern = packed[2..<15]
    var left = repeats
    var stage = 0
    let size = unpackedSize
    return PieceSource {
      switch stage {
      case 0:
        stage = 1
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + packed[..<2]
      case 1 where left > 0:
        let count = min(left, 1000)
        left -= count
        return Array(repeatElement(pattern, count: count).joined())
      case 1:
        stage = 2
        let trailer = [Checksum.crc32(ofZeros: size), UInt32(truncatingIfNeeded: size)]
        return packed[2...]
          + trailer.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
      default: return nil
      }
    }
  }

  private static let sixteenMatches: [UInt8] = {
    var bits = BitWriter()
    bits.append(1, count: 1)  // the last block
    bits.append(0b01, count: 2)  // fixed codes
    bits.appendCode(0b0011_0000, count: 8)  // the literal 0
    for _ in 0..<16 {
      bits.appendCode(0b1100_0101, count: 8)  // length 258
      bits.appendCode(0, count: 5)  // distance 1
    }
    bits.appendCode(0, count: 7)  // end of block
    return bits.bytes
  }()
}

/// Bits in the order of RFC 1951 §3.1.1.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var filled = 0

  /// The least significant bit first.
  mutating func append(_ value: Int, count: Int) {
    for place in 0..<count {
      if filled % 8 == 0 { bytes.append(0) }
      if value >> place & 1 == 1 { bytes[filled / 8] |= 1 << UInt8(filled % 8) }
      filled += 1
    }
  }

  /// Huffman codes are packed from the most significant bit.
  mutating func appendCode(_ code: Int, count: Int) {
    for place in (0..<count).reversed() { append(code >> place & 1, count: 1) }
  }
}

extension Checksum {
  /// The CRC-32 of `count` zero bytes in O(log count). A zero byte is a linear map of the register,
  /// and squaring gives its powers.
  static func crc32(ofZeros count: Int) -> UInt32 {
    var power = (0..<32).map { zeroByte(1 << UInt32($0)) }
    var register: UInt32 = 0xFFFF_FFFF
    var left = count
    while left > 0 {
      if left & 1 == 1 { register = apply(power, register) }
      power = power.map { apply(power, $0) }
      left >>= 1
    }
    return ~register
  }

  /// A map is kept as the images of the 32 single bits.
  private static func apply(_ map: [UInt32], _ value: UInt32) -> UInt32 {
    var (sum, rest, place): (UInt32, UInt32, Int) = (0, value, 0)
    while rest != 0 {
      if rest & 1 == 1 { sum ^= map[place] }
      rest >>= 1
      place += 1
    }
    return sum
  }
}

/// SHA-1 (FIPS 180-4), which old protocols ask for.
enum SHA1 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    let bytes = DigestPadding.padded(
      message, block: 64, length: DigestPadding.bytes(UInt64(message.count) &* 8))
    var words = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: bytes.count, by: 64) {
      for place in 0..<16 {
        words[place] = (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + place * 4 + $1]) }
      }
      for place in 16..<80 {
        let word = words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
        words[place] = rotated(word, 1)
      }
      compress(words, &state)
    }
    return state.flatMap(DigestPadding.bytes)
  }

  private static func compress(_ words: [UInt32], _ state: inout [UInt32]) {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for round in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch round / 20 {
        case 0: ((b & c) | (~b & d), 0x5a82_7999)
        case 1: (b ^ c ^ d, 0x6ed9_eba1)
        case 2: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[round]
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    for (place, value) in [a, b, c, d, e].enumerated() { state[place] &+= value }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}

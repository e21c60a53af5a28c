/// SHA-256 (FIPS 180-4), fed piece by piece. For fingerprints and checksums, not for guarding
/// secrets.
package struct SHA256 {
  private var state: SIMD8<UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// Bytes that do not fill a block yet.
  private var rest = SIMD64<UInt8>()
  private var restCount = 0
  private var count: UInt64 = 0

  package init() {}

  private static let blockSize = 64

  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(message)
    return hash.finish()
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { update($0) }
  }

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { update($0) }
  }

  /// The same as for any collection, without finding out each time how it keeps its bytes.
  package mutating func update(_ text: String.UTF8View) {
    var text = String(text)
    text.withUTF8 { update($0) }
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { update($0) }
    if isContiguous == nil { Array(bytes).withUnsafeBufferPointer { update($0) } }
  }

  /// Eight bytes, the highest first.
  package mutating func update(_ word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { update($0.bindMemory(to: UInt8.self)) }
  }

  private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    count &+= UInt64(bytes.count)
    var start = 0
    if restCount > 0 {
      start = min(Self.blockSize - restCount, bytes.count)
      keep(bytes[..<start])
      guard restCount == Self.blockSize else { return }
      compressRest()
    }
    while bytes.count - start >= Self.blockSize {
      let block = UnsafeBufferPointer(rebasing: bytes[start..<start + Self.blockSize])
      Self.compress(block, &state)
      start += Self.blockSize
    }
    keep(bytes[start...])
  }

  /// Keeps bytes until the block is full. There is room for them.
  private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    withUnsafeMutableBytes(of: &rest) { rest in
      UnsafeMutableRawBufferPointer(rebasing: rest[restCount...]).copyBytes(from: bytes)
    }
    restCount += bytes.count
  }

  private mutating func compressRest() {
    withUnsafeBytes(of: rest) { Self.compress($0.bindMemory(to: UInt8.self), &state) }
    rest = SIMD64()
    restCount = 0
  }

  /// The 32 bytes of the hash.
  package consuming func finish() -> [UInt8] {
    let words = finishedState()
    return (0..<8).flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: words[number] >> (24 - 8 * UInt32($0))) }
    }
  }

  /// The first 16 bytes of the hash, as two numbers.
  package consuming func finishShort() -> (UInt64, UInt64) {
    let words = finishedState()
    return (
      UInt64(words[0]) << 32 | UInt64(words[1]), UInt64(words[2]) << 32 | UInt64(words[3])
    )
  }

  private consuming func finishedState() -> SIMD8<UInt32> {
    let bits = count &* 8
    rest[restCount] = 0x80
    if restCount >= Self.blockSize - 8 { compressRest() }
    for place in 0..<8 {
      rest[56 + place] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * place))
    }
    compressRest()
    return state
  }

  private static func compress(
    _ block: UnsafeBufferPointer<UInt8>, _ state: inout SIMD8<UInt32>
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      for index in 0..<16 {
        let place = 4 * index
        w[index] =
          UInt32(block[place]) << 24 | UInt32(block[place + 1]) << 16
          | UInt32(block[place + 2]) << 8 | UInt32(block[place + 3])
      }
      for index in 16..<64 {
        let (x, y) = (w[index - 15], w[index - 2])
        let s0 = x.turned(right: 7) ^ x.turned(right: 18) ^ (x >> 3)
        let s1 = y.turned(right: 17) ^ y.turned(right: 19) ^ (y >> 10)
        w[index] = w[index - 16] &+ s0 &+ w[index - 7] &+ s1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      constants.withUnsafeBufferPointer { k in
        // After eight rounds each word has its own name again.
        for n in stride(from: 0, to: 64, by: 8) {
          round(a, b, c, &d, e, f, g, &h, k[n] &+ w[n])
          round(h, a, b, &c, d, e, f, &g, k[n + 1] &+ w[n + 1])
          round(g, h, a, &b, c, d, e, &f, k[n + 2] &+ w[n + 2])
          round(f, g, h, &a, b, c, d, &e, k[n + 3] &+ w[n + 3])
          round(e, f, g, &h, a, b, c, &d, k[n + 4] &+ w[n + 4])
          round(d, e, f, &g, h, a, b, &c, k[n + 5] &+ w[n + 5])
          round(c, d, e, &f, g, h, a, &b, k[n + 6] &+ w[n + 6])
          round(b, c, d, &e, f, g, h, &a, k[n + 7] &+ w[n + 7])
        }
      }
      state = state &+ SIMD8(a, b, c, d, e, f, g, h)
    }
  }

  /// One round. The words are not moved: what was `d` is the next round's `e`, and `h` its `a`.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
    _ g: UInt32, _ h: inout UInt32, _ word: UInt32
  ) {
    let s1 = e.turned(right: 6) ^ e.turned(right: 11) ^ e.turned(right: 25)
    let s0 = a.turned(right: 2) ^ a.turned(right: 13) ^ a.turned(right: 22)
    let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ word
    d = d &+ first
    h = first &+ s0 &+ ((a & b) ^ (a & c) ^ (b & c))
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension UInt32 {
  fileprivate func turned(right count: UInt32) -> UInt32 {
    self &>> count | self &<< (32 &- count)
  }
}

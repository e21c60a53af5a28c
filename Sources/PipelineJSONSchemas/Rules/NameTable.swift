import PipelineJSONText

/// Names by their UTF-8, looked up if they are in a document, without a copy.
struct NameTable: Sendable {
  private(set) var names: [[UInt8]] = []
  /// Positions in `names`, by the names' hashes; -1: none. Its size is a power of two.
  private var slots: [Int32] = []

  /// - Returns: The position of the name, if it is new. A name that exists is found first.
  @discardableResult mutating func append(_ name: [UInt8]) -> Int {
    names.append(name)
    if names.count * 2 > slots.count {
      slots = Array(repeating: -1, count: max(8, slots.count * 2))
      for position in names.indices { place(position) }
    } else {
      place(names.count - 1)
    }
    return names.count - 1
  }

  private mutating func place(_ position: Int) {
    var slot = Self.hash(names[position][...]) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(truncatingIfNeeded: position)
  }

  /// The position of the name that is at a tape index.
  func position(ofNameAt index: Int, in document: JSONDocument) -> Int? {
    guard !names.isEmpty else { return nil }
    return document.withUTF8(at: index) { utf8 in
      var slot = Self.hash(utf8) & (slots.count - 1)
      while slots[slot] >= 0 {
        let position = Int(slots[slot])
        if names[position].elementsEqual(utf8) { return position }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// FNV-1a. The names are those of a schema, so an attacker gains nothing from collisions.
  private static func hash(_ utf8: ArraySlice<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 32 ^ hash)
  }
}

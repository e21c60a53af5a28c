extension Array<UInt8> {
  /// The place of a name in a range, if it is there once. With a letter, a digit or `_` beside it, it
  /// would be another name.
  package func place(ofName name: String, in range: Range<Int>) -> Range<Int>? {
    let part = self[range.clamped(to: 0..<count)]
    let name = Array(name.utf8)
    let places = part.indices.filter { start in
      guard part[start...].starts(with: name) else { return false }
      return [start - 1, start + name.count].allSatisfy { index in
        !part.indices.contains(index) || !Self.belongsToName(part[index])
      }
    }
    guard let place = places.first, places.count == 1 else { return nil }
    return place..<place + name.count
  }

  private static func belongsToName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }
}

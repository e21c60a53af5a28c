/// Small pictures that any viewer opens.
enum PortableNetworkGraphic {
  /// A square of `size` pixels in 24-bit colour, another for each `hue`.
  static func gradient(size: Int, hue: UInt8) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<size {
      rows.append(0)  // no filter
      for x in 0..<size {
        rows += [hue, UInt8(x * 255 / size), UInt8(y * 255 / size)]
      }
    }
    let side = bigEndian(UInt32(size))
    let stream: [UInt8] = [0x78, 0x01] + Deflate.stored(rows) + bigEndian(Checksum.adler32(rows))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", side + side + [8, 2, 0, 0, 0]) + chunk("IDAT", stream) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let typed = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + typed + bigEndian(Checksum.crc32(typed))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}

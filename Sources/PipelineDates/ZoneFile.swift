/// Reads a file of the tz database (RFC 9636).
enum ZoneFile {
  /// The rules of a zone; `nil` if the bytes are not such a file, or count leap seconds.
  static func read(_ bytes: [UInt8]) -> ZoneRules? {
    guard let first = Header(bytes, at: 0) else { return nil }
    guard first.version >= 2 else {
      return rules(bytes, first, start: Header.length, width: 4, rule: nil)
    }
    // The first block is for programs that read only times of 32 bits.
    let second = Header.length + first.length(timeWidth: 4)
    guard let header = Header(bytes, at: second) else { return nil }
    let start = second + Header.length
    let end = start + header.length(timeWidth: 8)
    guard end < bytes.count, bytes[end] == newline,
      let close = bytes[(end + 1)...].firstIndex(of: newline)
    else { return nil }
    let footer = Array(bytes[(end + 1)..<close])
    guard let rule = YearlyRule(footer) else {
      return footer.isEmpty ? rules(bytes, header, start: start, width: 8, rule: nil) : nil
    }
    return rules(bytes, header, start: start, width: 8, rule: rule)
  }

  private static let newline: UInt8 = 0x0A

  private struct Header {
    static let length = 44

    /// 1 for files that have only times of 32 bits.
    let version: Int
    let utcFlags, standardFlags, leapSeconds, changes, types, characters: Int

    init?(_ bytes: [UInt8], at place: Int) {
      guard bytes.count >= place + Self.length,
        bytes[place..<(place + 4)].elementsEqual("TZif".utf8)
      else { return nil }
      let mark = bytes[place + 4]
      version = mark == 0 ? 1 : Int(mark) - 0x30
      let counts = (0..<6).map { ZoneFile.integer(bytes, at: place + 20 + $0 * 4, width: 4) }
      guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
      (utcFlags, standardFlags, leapSeconds) = (counts[0], counts[1], counts[2])
      (changes, types, characters) = (counts[3], counts[4], counts[5])
    }

    func length(timeWidth width: Int) -> Int {
      changes * (width + 1) + types * 6 + characters + leapSeconds * (width + 4) + standardFlags
        + utcFlags
    }
  }

  private static func rules(
    _ bytes: [UInt8], _ header: Header, start: Int, width: Int, rule: YearlyRule?
  ) -> ZoneRules? {
    guard header.types > 0, header.leapSeconds == 0,
      start + header.length(timeWidth: width) <= bytes.count
    else { return nil }
    let indexes = start + header.changes * width
    let types = indexes + header.changes
    let offsets = (0..<header.types).map { integer(bytes, at: types + $0 * 6, width: 4) }
    var changes: [ZoneRules.Change] = []
    changes.reserveCapacity(header.changes)
    for number in 0..<header.changes {
      let type = Int(bytes[indexes + number])
      guard type < offsets.count else { return nil }
      changes.append(
        ZoneRules.Change(
          time: integer(bytes, at: start + number * width, width: width), offset: offsets[type]))
    }
    return ZoneRules(first: offsets[0], changes: changes, rule: rule)
  }

  /// A signed number, the highest byte first.
  private static func integer(_ bytes: [UInt8], at place: Int, width: Int) -> Int {
    var value = Int(Int8(bitPattern: bytes[place]))
    for byte in bytes[(place + 1)..<(place + width)] { value = value << 8 | Int(byte) }
    return value
  }
}

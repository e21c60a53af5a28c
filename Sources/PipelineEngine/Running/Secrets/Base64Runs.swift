/// The texts that base64 in a text decodes to, standard or URL-safe, with or without padding.
///
/// The start of the base64 is unknown, because other letters may precede it. So each run of its
/// alphabet is decoded from each of its first four characters.
struct Base64Runs {
  /// The decoded bytes of the runs, with a zero byte between two.
  private(set) var bytes: [UInt8] = []
  /// The start of each run in `bytes`, and of its characters in `places`.
  private var runs: [(byte: Int, place: Int)] = []
  /// Where each character is in the text.
  private var places: [UInt32] = []

  /// Fewer characters cannot hold a secret that is searched for.
  static let shortestRun = SecretIndex.shortest * 8 / 6

  /// - Parameter alignment: How many characters of each run precede its base64: 0 to 3.
  init(of text: [UInt8], alignment: Int) {
    var index = 0
    while index < text.count {
      guard Self.value(text[index]) < 64 else {
        index += 1
        continue
      }
      let start = places.count
      // Base64 of mail is broken into lines.
      while index < text.count, Self.value(text[index]) <= Self.lineBreak {
        if Self.value(text[index]) < 64 { places.append(UInt32(index)) }
        index += 1
      }
      if places.count - start < Self.shortestRun + alignment {
        places.removeLast(places.count - start)
      } else {
        decode(from: start + alignment, of: text)
      }
    }
  }

  private mutating func decode(from start: Int, of text: [UInt8]) {
    runs.append((bytes.count, start))
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for place in start..<places.count {
      bits = bits << 6 | UInt32(Self.value(text[Int(places[place])]))
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    bytes.append(0)
  }

  /// The parts of `bytes` that may be text with escapes in it. Text that is not base64 rarely
  /// decodes to one.
  var escapedTexts: [Range<Int>] {
    var texts: [Range<Int>] = []
    var start = 0
    var isEscaped = false
    for (index, byte) in bytes.enumerated() {
      if EscapeReader.mayBegin(byte) || byte >= 0x80 { isEscaped = true }
      guard byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D else { continue }
      if isEscaped, index - start >= SecretIndex.shortest { texts.append(start..<index) }
      start = index + 1
      isEscaped = false
    }
    return texts
  }

  /// The characters of the text that some of the bytes were decoded from.
  func origin(of range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (0, runs.count)
    while lower + 1 < upper {
      let middle = (lower + upper) / 2
      if runs[middle].byte <= range.lowerBound { lower = middle } else { upper = middle }
    }
    let run = runs[lower]
    let first = run.place + (range.lowerBound - run.byte) * 8 / 6
    let last = run.place + ((range.upperBound - run.byte) * 8 - 1) / 6
    return Int(places[min(first, places.count - 1)])..<Int(places[min(last, places.count - 1)]) + 1
  }

  static let lineBreak: UInt8 = 64

  /// The value of a character; 64: a line break; 65: not part of base64.
  static func value(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    case 0x0A, 0x0D: lineBreak
    default: 65
    }
  }
}

internal import CPipelineByteMasks

/// Goes through lines of fields. Only a few bytes have a meaning, and they are searched for 64 at a
/// time.
struct SeparatedScan {
  /// The text. Behind it, `padding` more bytes can be read.
  let text: UnsafeBufferPointer<UInt8>
  /// Whether nothing follows the text.
  let isWhole: Bool
  private let delimiter: UInt8
  private let isCSV: Bool
  /// Where the next field begins.
  var position = 0
  /// Where the line begins.
  private(set) var lineStart = 0
  /// The number of the line, and the line ends passed since its start.
  private(set) var line: Int
  private var lineBreaks = 0

  /// The field that was read last, without its quotes.
  private(set) var start = 0
  private(set) var end = 0
  private(set) var hasQuotes = false
  /// Whether something in it stands for something else.
  private(set) var hasEscapes = false
  /// Whether something in it is written otherwise in a JSON string.
  private(set) var needsEscapes = false
  /// Whether it ends the line.
  private(set) var endsLine = false

  /// The bytes with a meaning among the 64 that begin at `block`.
  private var mask: UInt64 = 0
  private var block = -64

  /// How many bytes behind a text must be there.
  static let padding = 64

  init(
    _ text: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ format: SeparatedFormat, line: Int
  ) {
    self.text = text
    self.isWhole = isWhole
    self.line = line
    delimiter = format.delimiter
    isCSV = format.kind == .csv
  }

  /// The field that was read last.
  var field: UnsafeBufferPointer<UInt8> { text[part: start..<end] }

  /// Begins the line at the position.
  @inline(__always)
  mutating func beginLine() {
    lineStart = position
    lineBreaks = 0
  }

  /// The line was read to its end.
  @inline(__always)
  mutating func finishLine() { line += lineBreaks }

  /// Goes back to where the line begins, since its end is not there yet.
  mutating func leaveLine() { position = lineStart }

  // MARK: Fields

  /// Reads the next field, and passes what ends it; `false`: the text ends in it, or may go on.
  @inline(__always)
  mutating func readField() throws(FormatProblem) -> Bool {
    let base = text.baseAddress.unsafelyUnwrapped
    if isCSV, position < text.count, base[position] == Byte.quote { return try readQuoted() }
    start = position
    hasQuotes = false
    hasEscapes = false
    needsEscapes = false
    var place = find(from: position)
    while place < text.count {
      let byte = base[place]
      if byte == delimiter {
        end = place
        endsLine = false
        position = place &+ 1
        return true
      }
      if byte == Byte.lineFeed || byte == Byte.carriageReturn { break }
      if byte == Byte.quote, isCSV { throw strayQuote(at: place) }
      if byte == Byte.backslash, !isCSV { hasEscapes = true }
      needsEscapes = true
      place = find(from: place &+ 1)
    }
    end = place
    return passEnd(at: place)
  }

  private mutating func readQuoted() throws(FormatProblem) -> Bool {
    let base = text.baseAddress.unsafelyUnwrapped
    start = position + 1
    hasQuotes = true
    hasEscapes = false
    needsEscapes = false
    var place = find(from: start)
    while place < text.count {
      switch base[place] {
      case Byte.quote:
        guard place + 1 < text.count || isWhole else { return false }
        if place + 1 < text.count, base[place + 1] == Byte.quote {
          hasEscapes = true
          needsEscapes = true
          place = find(from: place + 2)
          continue
        }
        end = place
        return try passQuote(at: place)
      case Byte.lineFeed:
        lineBreaks += 1
        needsEscapes = true
      case Byte.carriageReturn:
        if place + 1 < text.count, base[place + 1] != Byte.lineFeed { lineBreaks += 1 }
        needsEscapes = true
      case delimiter: if delimiter < 0x20 { needsEscapes = true }
      default: needsEscapes = true
      }
      place = find(from: place + 1)
    }
    guard isWhole else { return false }
    throw problem("the field that begins here has no quote at its end", at: start - 1)
  }

  private mutating func passQuote(at place: Int) throws(FormatProblem) -> Bool {
    let next = place + 1
    if next < text.count {
      if text[next] == delimiter {
        endsLine = false
        position = next + 1
        return true
      }
      if !Byte.isLineEnd(text[next]) {
        throw problem(
          "something follows the quote that ends a field; a quote in a field is written twice",
          at: next)
      }
    }
    return passEnd(at: next)
  }

  /// Passes a line end, or the end of the text; `false`: the text may go on there.
  @inline(__always)
  private mutating func passEnd(at place: Int) -> Bool {
    endsLine = true
    guard place < text.count else {
      position = place
      return isWhole
    }
    lineBreaks += 1
    position = place &+ 1
    guard text[place] == Byte.carriageReturn else { return true }
    guard position < text.count else { return isWhole }
    if text[position] == Byte.lineFeed { position &+= 1 }
    return true
  }

  /// Where the next byte with a meaning is: a delimiter, a quote, a backslash or a control character.
  @inline(__always)
  private mutating func find(from place: Int) -> Int {
    var place = place
    let passed = place &- block
    if passed < 64 {
      let rest = mask >> UInt64(truncatingIfNeeded: passed)
      if rest != 0 { return min(place &+ rest.trailingZeroBitCount, text.count) }
      place = block &+ 64
    }
    let base = text.baseAddress.unsafelyUnwrapped
    while place < text.count {
      let bytes = base + place
      mask =
        (cbm_less64(bytes, 0x20) & ~cbm_less64(bytes, 0)) | cbm_equal64(bytes, delimiter)
        | cbm_equal64(bytes, Byte.quote) | cbm_equal64(bytes, Byte.backslash)
      block = place
      if mask != 0 { return min(place &+ mask.trailingZeroBitCount, text.count) }
      place &+= 64
    }
    return text.count
  }

  // MARK: Texts

  /// The text of the field with its escapes undone.
  var unescaped: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - start)
    var place = start
    while place < end {
      let byte = text[place]
      place += 1
      if isCSV {
        if byte == Byte.quote, hasQuotes { place += 1 }
        bytes.append(byte)
        continue
      }
      guard byte == Byte.backslash, place < end else {
        bytes.append(byte)
        continue
      }
      switch text[place] {
      case UInt8(ascii: "t"): bytes.append(Byte.tab)
      case UInt8(ascii: "n"): bytes.append(Byte.lineFeed)
      case UInt8(ascii: "r"): bytes.append(Byte.carriageReturn)
      case Byte.backslash: bytes.append(Byte.backslash)
      // Other programs escape nothing, and a backslash is one.
      default: bytes += [byte, text[place]]
      }
      place += 1
    }
    return bytes
  }

  // MARK: Problems

  private func strayQuote(at place: Int) -> FormatProblem {
    problem(
      "a quote is in a field without quotes; a field with a quote is in quotes, and its quote"
        + " is written twice", at: place)
  }

  /// A problem at a byte of the line.
  func problem(_ message: String, at place: Int) -> FormatProblem {
    FormatProblem(
      message, at: place - lineStart, of: text[part: lineStart..<text.count], firstLine: line)
  }

  /// A problem with the field that was read last.
  func problem(_ message: String) -> FormatProblem {
    problem(message, at: start - (hasQuotes ? 1 : 0))
  }
}

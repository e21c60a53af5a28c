internal import PipelineJSONText

/// JSON text with its tape, and the places in the YAML text of what is on it: a whole document, or a
/// value that is repeated.
struct Fragment {
  var json: [UInt8] = []
  var tape: [UInt64] = []
  var places: [UInt64] = []

  /// How much there was at some time.
  struct Mark {
    let json: Int
    let tape: Int
  }

  var mark: Mark { Mark(json: json.count, tape: tape.count) }

  mutating func truncate(to mark: Mark) {
    json.removeSubrange(mark.json...)
    tape.removeSubrange(mark.tape...)
    places.removeSubrange(mark.tape...)
  }

  /// Writes the comma between two elements or members, if one is due.
  mutating func separate() {
    switch json.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): return
    default: json.append(UInt8(ascii: ","))
    }
  }

  mutating func element(
    _ kind: TapeElement.Kind, _ text: some Sequence<UInt8>, at range: Range<Int>
  ) {
    let offset = json.count
    json.append(contentsOf: text)
    append(TapeElement(kind, offset: offset, span: json.count - offset), at: range)
  }

  mutating func append(_ element: TapeElement, at range: Range<Int>) {
    tape.append(element.word)
    places.append(UInt64(range.lowerBound) << 32 | UInt64(range.upperBound))
  }

  /// Writes a string or name. Escapes what JSON does not permit in one.
  mutating func string(_ bytes: UnsafeBufferPointer<UInt8>, at range: Range<Int>) {
    json.append(UInt8(ascii: "\""))
    let offset = json.count
    var isEscaped = false
    var plain = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
      json.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<index]))
      json.append(contentsOf: Self.escape(byte))
      plain = index + 1
      isEscaped = true
    }
    json.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
    let span = json.count - offset
    json.append(UInt8(ascii: "\""))
    append(TapeElement(isEscaped ? .escapedString : .string, offset: offset, span: span), at: range)
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x0A: Array(#"\n"#.utf8)
    case 0x09: Array(#"\t"#.utf8)
    case 0x0D: Array(#"\r"#.utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
    default:
      Array((byte < 16 ? #"\u000"# : #"\u00"#).utf8) + Array(String(byte, radix: 16).utf8)
    }
  }

  mutating func open(_ isObject: Bool, _ range: Range<Int>) -> Int {
    let index = tape.count
    append(TapeElement(isObject ? .object : .array, offset: json.count, span: 0), at: range)
    json.append(UInt8(ascii: isObject ? "{" : "["))
    return index
  }

  mutating func close(_ index: Int, _ isObject: Bool, _ range: Range<Int>) {
    let start = TapeElement(word: tape[index]).offset
    tape[index] =
      TapeElement(isObject ? .object : .array, offset: start, span: tape.count).word
    places[index] = places[index] & ~0xFFFF_FFFF | UInt64(range.upperBound)
    append(TapeElement(.end, offset: json.count, span: index), at: range)
    json.append(UInt8(ascii: isObject ? "}" : "]"))
  }

  func range(at index: Int) -> Range<Int> {
    Int(places[index] >> 32)..<Int(places[index] & 0xFFFF_FFFF)
  }

  /// The bytes between the quotes of a name. Equal names have equal bytes, because each is written in
  /// one way.
  func content(at index: Int) -> ArraySlice<UInt8> {
    let element = TapeElement(word: tape[index])
    return json[element.offset..<element.offset + element.span]
  }
}

/// Recognises JSON that has nothing unusual in it, without making anything of it.
///
/// What it does not recognise may be JSON all the same: `JSONDocument` decides.
struct PlainJSON {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// Whether each open container is an object, the innermost in the lowest bit.
  private var objects: UInt64 = 0
  private var depth = 0

  private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Whether a text in UTF-8 is certainly one value.
  ///
  /// - Complexity: O(bytes).
  static func recognises(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.firstFaultOfUTF8 == nil else { return false }
    var reader = PlainJSON(text)
    return reader.isValue()
  }

  private mutating func isValue() -> Bool {
    skipSpace()
    while true {
      guard position < text.count else { return false }
      switch text[position] {
      case UInt8(ascii: "{"):
        guard open(isObject: true) else { return false }
        if text[position] == UInt8(ascii: "}") { break }
        guard passName() else { return false }
        continue
      case UInt8(ascii: "["):
        guard open(isObject: false) else { return false }
        if text[position] == UInt8(ascii: "]") { break }
        continue
      case Byte.quote: guard passString() else { return false }
      case UInt8(ascii: "-"), 0x30...0x39: guard passNumber() else { return false }
      case UInt8(ascii: "t"): guard pass("true") else { return false }
      case UInt8(ascii: "f"): guard pass("false") else { return false }
      case UInt8(ascii: "n"): guard pass("null") else { return false }
      default: return false
      }
      // A value has ended, or a container begins with its end.
      ends: while true {
        skipSpace()
        guard depth > 0 else { return position == text.count }
        guard position < text.count else { return false }
        switch (text[position], objects & 1 != 0) {
        case (Byte.comma, true):
          position += 1
          skipSpace()
          guard passName() else { return false }
          break ends
        case (Byte.comma, false):
          position += 1
          skipSpace()
          break ends
        case (UInt8(ascii: "}"), true), (UInt8(ascii: "]"), false):
          position += 1
          depth -= 1
          objects >>= 1
        default: return false
        }
      }
    }
  }

  /// Passes a bracket and the white space behind it; `false`: too deep, or the text ends.
  private mutating func open(isObject: Bool) -> Bool {
    guard depth < 64 else { return false }
    depth += 1
    objects = objects << 1 | (isObject ? 1 : 0)
    position += 1
    skipSpace()
    return position < text.count
  }

  /// Passes the name of a member and its colon.
  private mutating func passName() -> Bool {
    guard position < text.count, text[position] == Byte.quote, passString() else { return false }
    skipSpace()
    guard position < text.count, text[position] == Byte.colon else { return false }
    position += 1
    skipSpace()
    return true
  }

  private mutating func passString() -> Bool {
    position += 1
    while true {
      position = text.placeInString(from: position)
      guard position < text.count else { return false }
      switch text[position] {
      case Byte.quote:
        position += 1
        return true
      case Byte.backslash:
        guard position + 1 < text.count else { return false }
        switch text[position + 1] {
        case Byte.quote, Byte.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
          UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          position += 2
        default: return false
        }
      default: return false
      }
    }
  }

  private mutating func passNumber() -> Bool {
    if text[position] == UInt8(ascii: "-") { position += 1 }
    guard position < text.count else { return false }
    if text[position] == 0x30 {
      position += 1
    } else {
      guard passDigits() else { return false }
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      guard passDigits() else { return false }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count,
        text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      guard passDigits() else { return false }
    }
    return true
  }

  private mutating func passDigits() -> Bool {
    let start = position
    while position < text.count, text[position] &- 0x30 < 10 { position += 1 }
    return position > start
  }

  private mutating func pass(_ literal: StaticString) -> Bool {
    let end = position + literal.utf8CodeUnitCount
    guard end <= text.count, text[part: position..<end].equals(literal) else { return false }
    position = end
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while position < text.count, Byte.isBlank(text[position]) || Byte.isLineEnd(text[position]) {
      position += 1
    }
  }
}

/// `-? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][+-]?[0-9]+)?`: RFC 8259 §6.
enum NumberGrammar {
  /// The number of bytes at the front that are a number; 0 if none begins there.
  static func length(of bytes: ArraySlice<UInt8>) -> Int {
    var at = bytes.startIndex
    func digits() -> Int {
      let start = at
      while at < bytes.endIndex, JSONByte.isDigit(bytes[at]) { at += 1 }
      return at - start
    }
    func isNext(_ accepted: UInt8...) -> Bool {
      at < bytes.endIndex && accepted.contains(bytes[at])
    }
    if isNext(JSONByte.minus) { at += 1 }
    if isNext(0x30) {
      at += 1
    } else if digits() == 0 {
      return 0
    }
    var length = at - bytes.startIndex
    if isNext(JSONByte.point) {
      at += 1
      guard digits() > 0 else { return length }
      length = at - bytes.startIndex
    }
    if isNext(UInt8(ascii: "e"), UInt8(ascii: "E")) {
      at += 1
      if isNext(JSONByte.plus, JSONByte.minus) { at += 1 }
      guard digits() > 0 else { return length }
      length = at - bytes.startIndex
    }
    return length
  }
}

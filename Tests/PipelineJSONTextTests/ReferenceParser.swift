import PipelineJSONText

/// RFC 8259 as simply as it can be written, to hold the real parsers against: recursive, over the
/// Unicode scalars of a text that the standard library has judged, with no tape and no places.
struct ReferenceParser {
  private var rest: Substring.UnicodeScalarView

  /// The value; `nil` where the text is wrong.
  static func value(of bytes: [UInt8]) -> JSONValue? {
    guard var text = String(validating: bytes, as: UTF8.self) else { return nil }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    var parser = ReferenceParser(rest: text.unicodeScalars[...])
    parser.skipSpace()
    guard let value = parser.value() else { return nil }
    parser.skipSpace()
    guard parser.rest.isEmpty else { return .none }
    return value
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
  }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func accept(word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest.removeFirst(word.unicodeScalars.count)
    return true
  }

  private mutating func value() -> JSONValue? {
    switch rest.first {
    case "{": return object()
    case "[": return array()
    case "\"": return string().map(JSONValue.string)
    case "t": return accept(word: "true") ? .boolean(true) : nil
    case "f": return accept(word: "false") ? .boolean(false) : nil
    case "n": return accept(word: "null") ? .null : nil
    default: return number()
    }
  }

  private mutating func array() -> JSONValue? {
    guard accept("[") else { return nil }
    var elements: [JSONValue] = []
    skipSpace()
    if accept("]") { return .array([]) }
    repeat {
      skipSpace()
      guard let element = value() else { return nil }
      elements.append(element)
      skipSpace()
    } while accept(",")
    return accept("]") ? .array(elements) : nil
  }

  private mutating func object() -> JSONValue? {
    guard accept("{") else { return nil }
    var members: [JSONValue.Member] = []
    skipSpace()
    if accept("}") { return .object([]) }
    repeat {
      skipSpace()
      guard let name = string() else { return nil }
      skipSpace()
      guard accept(":") else { return nil }
      skipSpace()
      guard let value = value() else { return nil }
      members.append(.init(name, value))
      skipSpace()
    } while accept(",")
    return accept("}") ? .object(members) : nil
  }

  private mutating func string() -> String? {
    guard accept("\"") else { return nil }
    var units: [UInt16] = []
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return String(decoding: units, as: UTF16.self) }
      guard scalar.value >= 0x20 else { return nil }
      if scalar != "\\" {
        units.append(contentsOf: UTF16.encode(scalar).map(Array.init) ?? [])
        continue
      }
      guard let escape = rest.popFirst() else { return nil }
      let simple: [Unicode.Scalar: UInt16] = [
        "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
      ]
      if let unit = simple[escape] {
        units.append(unit)
        continue
      }
      guard escape == "u", let unit = unit() else { return nil }
      if UTF16.isTrailSurrogate(unit) { return nil }
      units.append(unit)
      if UTF16.isLeadSurrogate(unit) {
        guard accept("\\"), accept("u"), let low = self.unit(), UTF16.isTrailSurrogate(low)
        else { return nil }
        units.append(low)
      }
    }
    return nil
  }

  private mutating func unit() -> UInt16? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit })
    else { return nil }
    rest.removeFirst(4)
    return UInt16(String(digits), radix: 16)
  }

  private mutating func digits() -> String? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.isEmpty ? nil : String(digits)
  }

  private mutating func number() -> JSONValue? {
    var text = accept("-") ? "-" : ""
    guard let whole = digits(), whole == "0" || whole.first != "0" else { return nil }
    text += whole
    if accept(".") {
      guard let fraction = digits() else { return nil }
      text += "." + fraction
    }
    if let sign = rest.first, sign == "e" || sign == "E" {
      rest.removeFirst()
      text.unicodeScalars.append(sign)
      if let sign = rest.first, sign == "+" || sign == "-" {
        rest.removeFirst()
        text.unicodeScalars.append(sign)
      }
      guard let exponent = digits() else { return nil }
      text += exponent
    }
    return JSONValue(number: text)
  }
}

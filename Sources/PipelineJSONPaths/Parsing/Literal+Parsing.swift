import PipelineByteText

extension QueryParser {
  /// A literal, or `nil` if none begins.
  mutating func literal() throws(QuerySyntaxError) -> Literal? {
    let start = position
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let string = try quotedString()
      if mode == .template { try refuseQuotedTemplate(start..<position) }
      return Literal(.string(string), range: start..<position)
    case UInt8(ascii: "-"): return try number()
    case let byte? where Self.isDigit(byte): return try number()
    case let byte? where Self.isNameFirst(byte):
      var end = position
      while end < bytes.count, bytes[end].isNameByte { end += 1 }
      let value: Literal.Value
      switch text(start..<end) {
      case "true": value = .boolean(true)
      case "false": value = .boolean(false)
      case "null": value = .null
      default: return nil
      }
      position = end
      return Literal(value, range: start..<end)
    default: return nil
    }
  }

  /// `number = (int / "-0") [ frac ] [ exp ]`
  private mutating func number() throws(QuerySyntaxError) -> Literal {
    let start = position
    _ = take("-")
    let digits = position
    skipDigits()
    guard position > digits else {
      throw error("digits follow '-'", start..<scalarRange(at: position).upperBound)
    }
    if bytes[digits] == 0x30, position - digits > 1 {
      let plain = text(digits..<position).drop { $0 == "0" }
      let fix = text(start..<digits) + (plain.isEmpty ? "0" : plain)
      throw error(
        "a number must not begin with zeros; write '\(fix)'", start..<position, fix: fix)
    }
    if take(".") {
      let fraction = position
      skipDigits()
      guard position > fraction else {
        throw error("digits follow '.' in a number", start..<position)
      }
    }
    if let byte, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if self.byte == UInt8(ascii: "+") || self.byte == UInt8(ascii: "-") { position += 1 }
      let exponent = position
      skipDigits()
      guard position > exponent else {
        throw error("digits follow 'e' in a number", start..<position)
      }
    }
    return Literal(.number(text(start..<position)), range: start..<position)
  }

  private mutating func skipDigits() {
    while let byte, Self.isDigit(byte) { position += 1 }
  }

  /// `string-literal`, at its opening quote. Gives the decoded text. In texts that may hold
  /// templates, `{{{{` means `{{`.
  mutating func quotedString() throws(QuerySyntaxError) -> String {
    let start = position
    let quote = bytes[position]
    var unescaped: [UInt8] = []
    position += 1
    while let byte {
      switch byte {
      case quote:
        position += 1
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(in: quote, into: &unescaped)
      case 0..<0x20:
        throw error(
          "a control character in a string is written as an escape, such as '\\n' or '\\u001F'",
          position..<position + 1, fix: Self.escape(ofControl: byte))
      case UInt8(ascii: "{") where mode == .template && starts(with: "{{{{"):
        unescaped.append(contentsOf: "{{".utf8)
        position += 4
      default:
        unescaped.append(byte)
        position += 1
      }
    }
    throw error("the string is not closed", start..<bytes.count)
  }

  static func escape(ofControl byte: UInt8) -> String {
    switch byte {
    case 0x08: return "\\b"
    case 0x09: return "\\t"
    case 0x0A: return "\\n"
    case 0x0C: return "\\f"
    case 0x0D: return "\\r"
    default:
      let digits = String(byte, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private mutating func escape(
    in quote: UInt8, into unescaped: inout [UInt8]
  ) throws(QuerySyntaxError) {
    let start = position
    position += 1
    guard let byte else { throw error("the string is not closed", start..<bytes.count) }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "/"), UInt8(ascii: "\\"), quote: unescaped.append(byte)
    case UInt8(ascii: "u"): unescaped.append(contentsOf: try unicodeEscape(from: start))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let plain = text(start + 1..<start + 2)
      throw error(
        "write no '\\' before \(plain) between"
          + " \(quote == UInt8(ascii: "'") ? "single" : "double") quotes",
        start..<position, fix: plain)
    default:
      let range = start..<scalarRange(at: start + 1).upperBound
      let classes = [
        UInt8(ascii: "d"): "[0-9]", UInt8(ascii: "w"): "[0-9A-Za-z_]", UInt8(ascii: "s"): "[ \\t]",
      ]
      if let own = classes[byte] {
        throw error(
          "a pattern has no \(quoted(range)); write '\(own)'", range, fix: own, isGuess: true)
      }
      throw error(
        "\(quoted(range)) is not an escape; write '\\\\' for a backslash", range)
    }
  }

  /// `\uXXXX`, or two of them that make one character.
  private mutating func unicodeEscape(
    from start: Int
  ) throws(QuerySyntaxError) -> Unicode.Scalar.UTF8View {
    let first = try hexadecimal(from: start)
    var value = first
    if (0xD800...0xDBFF).contains(first), starts(with: "\\u") {
      position += 2
      let second = try hexadecimal(from: position - 2)
      guard (0xDC00...0xDFFF).contains(second) else { throw loneSurrogate(start) }
      value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(start) }
    return scalar.utf8
  }

  private func loneSurrogate(_ start: Int) -> QuerySyntaxError {
    error(
      "\(quoted(start..<start + 6)) is half of a surrogate pair; write both halves, high before low",
      start..<start + 6)
  }

  private mutating func hexadecimal(from start: Int) throws(QuerySyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("four hexadecimal digits follow '\\u'", start..<max(position, start + 2))
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

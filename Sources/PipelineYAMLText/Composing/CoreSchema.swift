internal import PipelineJSONText

/// Which values scalars stand for (YAML 1.2.2 §10.3.2).
enum CoreSchema {
  private typealias Content = Slice<UnsafeBufferPointer<UInt8>>

  /// Writes the value of a scalar.
  static func write(
    _ event: YAMLEvent, _ content: UnsafeBufferPointer<UInt8>, tag: String?, at range: Range<Int>,
    to output: inout Fragment
  ) throws(YAMLProblem) {
    guard let wanted = tag.flatMap(ScalarType.init(tag:)) else {
      guard tag == nil, event.style == .plain, let value = plain(content) else {
        return output.string(content, at: range)
      }
      return write(value, content, at: range, to: &output)
    }
    guard let value = plain(content), wanted.permits(value) else {
      throw YAMLProblem(
        "this text is not of the type '!!\(wanted.rawValue)'; write it without the tag",
        range: range)
    }
    write(value, content, at: range, to: &output)
  }

  /// What a plain scalar stands for, if it is not a string.
  private enum Value {
    case null, `true`, `false`
    /// A number as JSON writes it; `nil` if the content is that already.
    case integer([UInt8]?), float([UInt8]?)
  }

  private static func write(
    _ value: Value, _ content: UnsafeBufferPointer<UInt8>, at range: Range<Int>,
    to output: inout Fragment
  ) {
    switch value {
    case .null: output.element(.null, "null".utf8, at: range)
    case .true: output.element(.true, "true".utf8, at: range)
    case .false: output.element(.false, "false".utf8, at: range)
    case .integer(let number?), .float(let number?): output.element(.number, number, at: range)
    case .integer(nil), .float(nil): output.element(.number, content, at: range)
    }
  }

  private enum ScalarType: String {
    case null, bool, int, float

    init?(tag: String) {
      switch tag {
      case "tag:yaml.org,2002:null": self = .null
      case "tag:yaml.org,2002:bool": self = .bool
      case "tag:yaml.org,2002:int": self = .int
      case "tag:yaml.org,2002:float": self = .float
      default: return nil
      }
    }

    func permits(_ value: Value) -> Bool {
      switch value {
      case .null: self == .null
      case .true, .false: self == .bool
      case .integer: self == .int || self == .float
      case .float: self == .float
      }
    }
  }

  private static func plain(_ content: UnsafeBufferPointer<UInt8>) -> Value? {
    guard let first = content.first else { return .null }
    switch first {
    case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "~"):
      return isWord(content, ["null", "Null", "NULL", "~"]) ? .null : nil
    case UInt8(ascii: "t"), UInt8(ascii: "T"):
      return isWord(content, ["true", "True", "TRUE"]) ? .true : nil
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      return isWord(content, ["false", "False", "FALSE"]) ? .false : nil
    case 0x31...0x39 where content.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }:
      return .integer(nil)
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      return number(content)
    default: return nil
    }
  }

  private static func isWord(_ content: UnsafeBufferPointer<UInt8>, _ words: [StaticString]) -> Bool
  {
    guard content.count <= 5 else { return false }
    return words.contains { word in
      word.withUTF8Buffer { content.elementsEqual($0) }
    }
  }

  /// A number as JSON writes it; `nil` if the text is none, or one that JSON lacks (`.inf`, `.nan`).
  private static func number(_ content: UnsafeBufferPointer<UInt8>) -> Value? {
    var rest = content[...]
    if rest.starts(with: "0x".utf8) { return based(rest.dropFirst(2), 16).map { .integer($0) } }
    if rest.starts(with: "0o".utf8) { return based(rest.dropFirst(2), 8).map { .integer($0) } }
    var number: [UInt8] = []
    if rest.first == UInt8(ascii: "-") { number.append(UInt8(ascii: "-")) }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let whole = digits(&rest)
    let significant = whole.drop { $0 == 0x30 }
    number += significant
    if significant.isEmpty { number.append(0x30) }
    let isInteger = rest.isEmpty && !whole.isEmpty
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = digits(&rest)
      guard !whole.isEmpty || !fraction.isEmpty else { return nil }
      number.append(UInt8(ascii: "."))
      number += fraction
      // `1.` is a float.
      if fraction.isEmpty { number.append(0x30) }
    } else if whole.isEmpty {
      return nil
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      number.append(mark)
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        number.append(sign)
        rest.removeFirst()
      }
      let exponent = digits(&rest)
      guard !exponent.isEmpty else { return nil }
      number += exponent
    }
    guard rest.isEmpty else { return nil }
    return isInteger ? .integer(number) : .float(number)
  }

  private static func digits(_ rest: inout Content) -> Content {
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  /// A number to another base, as decimal digits. More than 64 bits stay a text.
  private static func based(_ content: Content, _ radix: Int) -> [UInt8]? {
    guard let first = content.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let value = UInt64(String(decoding: content, as: UTF8.self), radix: radix)
    else { return nil }
    return Array(String(value).utf8)
  }
}

package import PipelineJSONText

/// A column of a table, and the kinds of its values so far.
package struct Column: Sendable {
  /// The kinds of values that stores distinguish.
  package struct Kinds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let null = Kinds(rawValue: 1)
    package static let boolean = Kinds(rawValue: 2)
    /// An integer that a double holds exactly.
    package static let integer = Kinds(rawValue: 4)
    /// Another integer of 64 bits.
    package static let longInteger = Kinds(rawValue: 8)
    /// Another number whose digits come back from a double.
    package static let real = Kinds(rawValue: 16)
    /// A number with more digits than 64 bits hold.
    package static let longNumber = Kinds(rawValue: 32)
    package static let text = Kinds(rawValue: 64)
    package static let list = Kinds(rawValue: 128)
    package static let object = Kinds(rawValue: 256)

    package static let integers: Kinds = [.integer, .longInteger]
    package static let numbers: Kinds = [.integer, .longInteger, .real, .longNumber]
  }

  package let name: String
  package internal(set) var kinds: Kinds = []
  /// How many rows have a value in it, `null` included.
  package internal(set) var count = 0

  /// The kinds apart from `null`.
  package var valueKinds: Kinds { kinds.subtracting(.null) }
}

extension Column.Kinds {
  /// The kind of a value.
  package init(of node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .boolean: self = .boolean
    case .string: self = .text
    case .array: self = .list
    case .object: self = .object
    case .number: self = Self.kind(ofNumber: node)
    }
  }

  /// The largest integer up to which a double holds each.
  private static let exactIntegers = 1 << 53

  private static func kind(ofNumber node: JSONNode) -> Self {
    let digits = node.utf8
    let isWhole = digits.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
    if isWhole {
      // The sign of -0 would be lost.
      if digits.elementsEqual("-0".utf8) { return .real }
      guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return .longNumber }
      return value.magnitude <= exactIntegers ? .integer : .longInteger
    }
    guard let number = node.number else { return .longNumber }
    let double = number.double
    guard double.isFinite, JSONNumber("\(double)") == number else { return .longNumber }
    return .real
  }
}

extension JSONNode {
  /// Decodes a `Decodable` type from this value. Integers of 64 bits are exact. A number that its
  /// type cannot hold is refused, never rounded to another integer.
  ///
  /// Foundation's types are read as follows: `URL` from a text, `Date` from a text by RFC 3339
  /// (`2026-01-31T12:00:00Z`). `Data` is read from a text in base64 (RFC 4648 §4), and `Decimal`
  /// from a number, with every digit.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - keys: How the members of objects are named.
  /// - Throws: `DecodingError`, its context naming the path to the value.
  public func decode<T: Decodable>(_ type: T.Type, keys: DecodingKeys = .asWritten) throws -> T {
    try decode(type, DecodingSettings(keys: keys))
  }

  /// Decodes a value. Some of its parts represent secrets.
  package func decode<T: Decodable>(_ type: T.Type, _ settings: DecodingSettings) throws -> T {
    try NodeDecoder(node: self, codingPath: [], settings: settings).decode(type)
  }
}

/// How the members of objects are named that are decoded.
public enum DecodingKeys: Sendable, Hashable {
  /// As the type names them.
  case asWritten
  /// In the style `avatar_url`: if no member has exactly this name, underscores and case are
  /// ignored. So both `avatarURL` and `avatarUrl` find it.
  case snakeCase
}

/// The state that all decoders of one value share.
package struct DecodingSettings: Sendable {
  package var keys = DecodingKeys.asWritten
  /// The stand-ins for secrets in texts, which cannot be decoded; `nil` if there are none.
  package var mask: String?

  package init(keys: DecodingKeys = .asWritten, mask: String? = nil) {
    self.keys = keys
    self.mask = mask
  }
}

/// A decoder over one place of the tape.
struct NodeDecoder: Decoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  let settings: DecodingSettings
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard node.kind == .object else { throw mismatch([String: Any].self, "an object") }
    return KeyedDecodingContainer(MemberContainer(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard node.kind == .array else { throw mismatch([Any].self, "an array") }
    return ElementContainer(self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    if let mask = settings.mask, node.string == mask { return secret() }
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "\(expected) is expected, but \(excerpt) was found" + place)
    return node.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { node.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let value = node.boolean else { throw mismatch(type, "a boolean") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    try text(type)
  }

  func decode(_ type: Double.Type) throws -> Double { try floatingPoint() }
  func decode(_ type: Float.Type) throws -> Float { try floatingPoint() }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard codingPath.count <= Self.depthLimit else {
      // The place would be as long as it is deep.
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath,
          debugDescription: "the value nests more than \(Self.depthLimit) levels deep"))
    }
    return try foundationValue(type) ?? T(from: self)
  }

  /// How deep decoded values may nest. Each level takes a part of the stack, which has 512 KB in
  /// the secondary threads of Apple's platforms.
  static let depthLimit = 128

  /// The text, unless it hides a secret.
  func text(_ type: Any.Type) throws -> String {
    guard let value = node.string else { throw mismatch(type, "a string") }
    if let mask = settings.mask, value.utf8.count >= mask.utf8.count,
      value.split(separator: mask, maxSplits: 1, omittingEmptySubsequences: false).count > 1
    {
      throw secret()
    }
    return value
  }

  func corrupted(_ message: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: message + place))
  }

  func secret() -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: codingPath,
        debugDescription:
          "it holds a secret, which is hidden; '\"reveal\": true' at the output returns it"))
  }

  /// The description of a value in a message: its kind, and the beginning of its text.
  var excerpt: String {
    let kind = node.kind.rawValue
    switch node.kind {
    case .null: return kind
    default: return kind + " " + text(of: node, limit: 100)
    }
  }

  /// The first of a value's text, whole scalars of it.
  func text(of node: JSONNode, limit: Int) -> String {
    guard node.utf8.count > limit else { return node.text }
    var bytes = node.utf8.prefix(limit)
    while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
    if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self) + "…"
  }

  /// Where the value is, as a query names it; empty at the top.
  var place: String {
    guard !codingPath.isEmpty else { return "" }
    return " at $"
      + codingPath.map { key in
        key.intValue.map { "[\($0)]" } ?? "." + key.stringValue
      }.joined()
  }

  private func integer<Integer: FixedWidthInteger>() throws -> Integer {
    guard let number = node.number else { throw mismatch(Integer.self, "a number") }
    if let value = number.decimal.integer(Integer.self) { return value }
    throw unrepresentable(Integer.self, number)
  }

  private func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>()
    throws -> Value
  {
    guard let number = node.number else { throw mismatch(Value.self, "a number") }
    if let value = Value(number.text), value.isFinite { return value }
    throw unrepresentable(Value.self, number)
  }

  func unrepresentable(_ type: Any.Type, _ number: JSONNumber) -> DecodingError {
    corrupted("\(type) cannot hold \(number.text)")
  }
}

extension JSONNode {
  /// Decodes a `Decodable` type from this value. Integers of 64 bits are exact; a number that its
  /// type cannot hold is refused, never rounded to another integer.
  ///
  /// - Throws: `DecodingError`, its context naming the path to the value.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try NodeDecoder(node: self, codingPath: []).decode(type)
  }
}

/// A decoder over one place of the tape.
struct NodeDecoder: Decoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard node.kind == .object else { throw mismatch([String: Any].self, "an object") }
    return KeyedDecodingContainer(MemberContainer(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard node.kind == .array else { throw mismatch([Any].self, "an array") }
    return ElementContainer(node: node, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "\(expected) is expected, but \(node.kind.rawValue) was found")
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
    guard let value = node.string else { throw mismatch(type, "a string") }
    return value
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

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

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

  private func unrepresentable(_ type: Any.Type, _ number: JSONNumber) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "\(type) cannot hold \(number.text)"))
  }
}

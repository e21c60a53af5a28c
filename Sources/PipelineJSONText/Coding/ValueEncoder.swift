/// Encodes into a `JSONValue`, one place of it at a time.
final class ValueEncoder: Encoder {
  /// A place of the value that is being made.
  final class Target {
    enum Content {
      case nothing
      case value(JSONValue)
      case array([Target])
      case object([(name: String, target: Target)])
    }

    var content = Content.nothing

    var value: JSONValue {
      switch content {
      case .nothing: .null
      case .value(let value): value
      case .array(let elements): .array(elements.map(\.value))
      case .object(let members):
        .object(members.map { JSONValue.Member($0.name, $0.target.value) })
      }
    }

    /// The place of a new element.
    func appendElement() -> Target {
      let target = Target()
      if case .array(var elements) = content {
        content = .nothing
        elements.append(target)
        content = .array(elements)
      }
      return target
    }

    /// The place of a member, in place of one that has the name already.
    func member(_ name: String) -> Target {
      let target = Target()
      if case .object(var members) = content {
        content = .nothing
        if let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
          members[index].target = target
        } else {
          members.append((name, target))
        }
        content = .object(members)
      }
      return target
    }
  }

  let target: Target
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ target: Target = Target(), codingPath: [any CodingKey]) {
    self.target = target
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = target.content {} else { target.content = .object([]) }
    return KeyedEncodingContainer(MemberEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = target.content {} else { target.content = .array([]) }
    return ElementEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The encoder of a place inside this one.
  func inner(_ target: Target, _ key: any CodingKey) -> ValueEncoder {
    ValueEncoder(target, codingPath: codingPath + [key])
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    guard codingPath.count <= NodeDecoder.depthLimit else {
      throw invalid(value, "the value nests more than \(NodeDecoder.depthLimit) levels deep")
    }
    if let known = try foundationValue(value) {
      target.content = .value(known)
    } else if let members = value as? [String: any Encodable] {
      // A dictionary has no order: equal ones become equal texts.
      target.content = .object([])
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        try inner(target.member(name), Place(name)).encode(member)
      }
    } else {
      try value.encode(to: self)
    }
  }

  func invalid(_ value: Any, _ message: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: message))
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { target.content = .value(.null) }
  func encode(_ value: Bool) { target.content = .value(.boolean(value)) }
  func encode(_ value: String) { target.content = .value(.string(value)) }
  func encode(_ value: Double) throws { try encode(number: "\(value)", value) }
  func encode(_ value: Float) throws { try encode(number: "\(value)", value) }
  func encode(_ value: Int) { encode(integer: value) }
  func encode(_ value: Int8) { encode(integer: value) }
  func encode(_ value: Int16) { encode(integer: value) }
  func encode(_ value: Int32) { encode(integer: value) }
  func encode(_ value: Int64) { encode(integer: value) }
  func encode(_ value: Int128) { encode(integer: value) }
  func encode(_ value: UInt) { encode(integer: value) }
  func encode(_ value: UInt8) { encode(integer: value) }
  func encode(_ value: UInt16) { encode(integer: value) }
  func encode(_ value: UInt32) { encode(integer: value) }
  func encode(_ value: UInt64) { encode(integer: value) }
  func encode(_ value: UInt128) { encode(integer: value) }

  private func encode(integer: some BinaryInteger) { target.content = .value(JSONValue(integer)) }

  private func encode(number text: String, _ value: Any) throws {
    guard let number = JSONValue(number: text) else {
      throw invalid(value, "JSON cannot write the number \(text)")
    }
    target.content = .value(number)
  }
}

/// Encodes the members of an object.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func inner(_ key: some CodingKey) -> ValueEncoder {
    encoder.inner(encoder.target.member(key.stringValue), key)
  }

  func encodeNil(forKey key: Key) { inner(key).encodeNil() }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try inner(key).encode(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    inner(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    inner(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { inner(Place("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
}

/// Encodes the elements of an array.
private struct ElementEncoder: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { encoder.codingPath }

  init(encoder: ValueEncoder) {
    self.encoder = encoder
    if case .array(let elements) = encoder.target.content { count = elements.count }
  }

  private mutating func inner() -> ValueEncoder {
    defer { count += 1 }
    return encoder.inner(encoder.target.appendElement(), Place(count))
  }

  mutating func encodeNil() { inner().encodeNil() }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try inner().encode(value) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    inner().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    inner().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { inner() }
}

/// A place that the encoded type does not name.
private struct Place: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(_ position: Int) {
    stringValue = "Index \(position)"
    intValue = position
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}

/// The members of an object, decoded by their names. Of a duplicate name, the first.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]
  let settings: DecodingSettings
  /// Where there are many members, their values by name: else each look-up would pass them all.
  private let index: [[UInt8]: Int]?
  /// The members' values by names without underscores, in lower case; `nil` if names are as
  /// written.
  private let looseIndex: [[UInt8]: JSONNode]?

  /// - Parameter decoder: The members of an object.
  init(_ decoder: NodeDecoder) {
    node = decoder.node
    codingPath = decoder.codingPath
    settings = decoder.settings
    index = node.count > 16 ? node.document.firstMembers(in: node.index) : nil
    looseIndex =
      settings.keys == .snakeCase
      ? Dictionary(
        decoder.node.members.map { (Self.loose($0.name), $0.value) },
        uniquingKeysWith: { first, _ in first })
      : nil
  }

  /// A name in the form in which names in snake case are compared.
  private static func loose(_ name: String) -> [UInt8] {
    name.utf8.compactMap { byte in
      byte == UInt8(ascii: "_") ? nil : byte &- 65 < 26 ? byte | 0x20 : byte
    }
  }

  var allKeys: [Key] {
    var seen: Set<String> = []
    return node.members.compactMap { member in
      let name = member.name
      return seen.insert(name).inserted ? Key(stringValue: name) : nil
    }
  }

  func contains(_ key: Key) -> Bool { value(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).node.isNull }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try decoder(for: key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try decoder(for: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(for: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(for: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let key = Key(stringValue: "super") else {
      return NodeDecoder(node: node, codingPath: codingPath, settings: settings)
    }
    return try superDecoder(forKey: key)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

  private func value(of name: String) -> JSONNode? {
    if let value = exactValue(of: name) { return value }
    return looseIndex?[Self.loose(name)]
  }

  private func exactValue(of name: String) -> JSONNode? {
    guard let index else { return node[name] }
    return index[Array(name.utf8)].map { JSONNode(document: node.document, index: $0) }
  }

  private func decoder(for key: Key) throws -> NodeDecoder {
    guard let value = value(of: key.stringValue) else {
      let object = NodeDecoder(node: node, codingPath: codingPath, settings: settings)
      let text = object.text(of: node, limit: 200)
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: codingPath,
          debugDescription: "member '\(key.stringValue)' does not exist in \(text)" + object.place))
    }
    return NodeDecoder(node: value, codingPath: codingPath + [key], settings: settings)
  }
}

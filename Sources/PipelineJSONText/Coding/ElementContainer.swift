/// The elements of an array, decoded one after the other.
struct ElementContainer: UnkeyedDecodingContainer {
  let codingPath: [any CodingKey]
  let count: Int?
  private(set) var currentIndex = 0
  private var remaining: JSONNode.Elements
  private var current: JSONNode?
  private let settings: DecodingSettings

  /// - Parameter decoder: The elements of an array.
  init(_ decoder: NodeDecoder) {
    let node = decoder.node
    codingPath = decoder.codingPath
    settings = decoder.settings
    count = node.count
    remaining = node.elements
    current = remaining.next()
  }

  var isAtEnd: Bool { current == nil }

  mutating func decodeNil() throws -> Bool {
    let isNull = try decoder([Any].self).node.isNull
    if isNull { advance() }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoder(type).decode(type)
    advance()
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try decoder([String: Any].self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder([Any].self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try decoder((any Decoder).self)
    advance()
    return decoder
  }

  private func decoder(_ type: Any.Type) throws -> NodeDecoder {
    let path = codingPath + [Position(currentIndex)]
    guard let current else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "the array has no more elements"))
    }
    return NodeDecoder(node: current, codingPath: path, settings: settings)
  }

  private mutating func advance() {
    current = remaining.next()
    currentIndex += 1
  }

  private struct Position: CodingKey {
    let intValue: Int?
    var stringValue: String { "Index \(intValue ?? 0)" }

    init(_ position: Int) { intValue = position }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }
}

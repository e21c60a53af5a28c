extension JSONValue {
  /// The JSON that an `Encodable` value is: what a run's inputs are made of.
  ///
  /// It mirrors `JSONNode.decode(_:keys:)`. Integers keep every digit, and members the order in
  /// which they are encoded. `URL` becomes a text, `Date` one by RFC 3339, `Data` one in base64,
  /// and `Decimal` a number.
  ///
  /// - Parameter value: The value to encode.
  /// - Throws: `EncodingError` for a number that JSON cannot write, such as infinity, for a `Date`
  ///   outside of the years 0 to 9999, and for values that nest more than 128 levels deep. Also what
  ///   the value's own `encode(to:)` throws.
  public init(encoding value: some Encodable) throws {
    let encoder = ValueEncoder(codingPath: [])
    try encoder.encode(value)
    self = encoder.target.value
  }
}

extension JSONValue: Codable {
  /// Decodes any JSON. Out of a run's values it keeps the digits of numbers and the order of
  /// members. Other decoders may keep neither.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? NodeDecoder {
      self = try decoder.value()
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else if let value = try? container.decode(UInt64.self) {
      self.init(value)
    } else if let value = try? container.decode(Double.self), let number = JSONValue(value) {
      self = number
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }
  }

  /// Encodes the value as itself.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      encoder.target.content = .value(self)
      return
    }
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for member in members {
        try container.encode(member.value, forKey: Name(stringValue: member.name))
      }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .number(let number): try number.encode(to: &container)
      default: try container.encodeNil()
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONNumber {
  /// As the narrowest type that holds it: an integer, else a floating-point number.
  fileprivate func encode(to container: inout any SingleValueEncodingContainer) throws {
    if let value = decimal.integer(Int64.self) {
      try container.encode(value)
    } else if let value = decimal.integer(UInt64.self) {
      try container.encode(value)
    } else {
      try container.encode(Double(text) ?? .infinity)
    }
  }
}

/// A JSON value built in Swift: a convenience for literals in programs and tests. A run's values are
/// `JSONNode`s; `document` leads there.
public enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  /// A number, with its digits as written. `init?(number:)` reads one from text.
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  /// Members in their order.
  case object([Member])

  public struct Member: Sendable, Hashable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }
  public init(_ value: String) { self = .string(value) }
  public init(_ value: Bool) { self = .boolean(value) }

  /// A number that has the shortest digits which read as this value.
  ///
  /// - Returns: `nil` for infinity and for what is not a number: JSON has no text for them.
  public init?(_ value: Double) {
    guard value.isFinite, let number = JSONNumber("\(value)") else { return nil }
    self = .number(number)
  }

  /// A number with these digits, of any length.
  ///
  /// - Returns: `nil` if the text is not a number of JSON (RFC 8259 §6).
  public init?(number text: String) {
    guard let number = JSONNumber(text) else { return nil }
    self = .number(number)
  }

  /// The value as a document of its own.
  public var document: JSONDocument {
    var writer = JSONWriter(style: .compact)
    write(to: &writer)
    return writer.document()
  }

  /// The value as the root of a document of its own.
  public var node: JSONNode { document.root }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A literal past the greatest double is null: `init?(number:)` takes its digits.
  public init(floatLiteral value: Double) { self = JSONValue(value) ?? .null }

  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

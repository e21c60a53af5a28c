/// A JSON value built in Swift: a convenience for literals in programs and tests. A run's values are
/// `JSONNode`s; `document` leads there.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number, with its digits as written. `init?(number:)` reads one from text.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// Elements in their order.
  case array([JSONValue])
  /// Members in their order.
  case object([Member])

  /// A name of an object with its value.
  public struct Member: Sendable, Hashable {
    /// The decoded name.
    public let name: String
    /// The value that the name stands for.
    public let value: JSONValue

    /// A member of these.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A number with the digits of an integer.
  public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }
  /// A string.
  public init(_ value: String) { self = .string(value) }
  /// `true` or `false`.
  public init(_ value: Bool) { self = .boolean(value) }

  /// A number that has the shortest digits which read as this value.
  ///
  /// - Parameter value: A finite number.
  /// - Returns: `nil` for infinity and NaN, because JSON has no text for them.
  public init?(_ value: Double) {
    guard value.isFinite, let number = JSONNumber("\(value)") else { return nil }
    self = .number(number)
  }

  /// A number with these digits, of any length.
  ///
  /// - Parameter text: A number as JSON has it, such as `1.50` or `1e400`.
  /// - Returns: `nil` if the text is not a number of JSON (RFC 8259 §6).
  public init?(number text: String) {
    guard let number = JSONNumber(text) else { return nil }
    self = .number(number)
  }

  /// The value in a separate document.
  public var document: JSONDocument {
    var writer = JSONWriter(style: .compact)
    write(to: &writer)
    return writer.document()
  }

  /// The value as the root of a separate document.
  public var node: JSONNode { document.root }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// The literal `nil` is `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A literal of a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A literal of an integer. `init?(number:)` takes integers of any length.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A literal of a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A literal of an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A literal beyond the largest double is null. `init?(number:)` keeps its digits.
  public init(floatLiteral value: Double) { self = JSONValue(value) ?? .null }

  /// A literal of an object. Its members keep their order, and repeated names are kept.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text, without white space.
  public var description: String { node.text }
}

/// One value of a document: a place in it. Cheap to copy. It keeps the whole document alive;
/// `detached()` gives it a small document of its own.
public struct JSONNode: Sendable {
  /// The document that holds the value.
  public let document: JSONDocument
  /// Where the value's element is on the document's tape.
  public let index: Int

  @inlinable package init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// The kind of the value.
  @inlinable public var kind: JSONKind { document.kind(at: index) }

  /// The value's bytes in `document.bytes`, a string's with its quotes.
  @inlinable public var range: Range<Int> { document.range(at: index) }

  /// The decoded string; `nil` for every other kind.
  public var string: String? {
    document.element(at: index).isString ? document.string(at: index) : nil
  }

  /// The number with its digits as written; `nil` for every other kind.
  public var number: JSONNumber? {
    document.element(at: index).isNumber ? JSONNumber(checked: document.bytes[range]) : nil
  }

  /// The boolean; `nil` for every other kind.
  public var boolean: Bool? {
    switch document.element(at: index).kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { document.element(at: index).kind == .null }

  /// The number of members or elements; 0 for a scalar.
  /// - Complexity: O(that number).
  public var count: Int { document.childCount(of: index) }

  /// The elements of an array; none for any other kind.
  public var elements: Elements {
    Elements(document: document, container: document.element(at: index).isArray ? index : nil)
  }

  /// The members of an object in the order of the text; none for any other kind.
  public var members: Members {
    Members(document: document, container: document.element(at: index).isObject ? index : nil)
  }

  /// The value of the first member of that name; `nil` if there is none or no object.
  ///
  /// - Parameter name: The decoded name of a member.
  /// - Complexity: O(members).
  public subscript(_ name: String) -> JSONNode? {
    document.value(named: name, in: index)
      .map { JSONNode(document: document, index: $0) }
  }

  /// The element at a position from 0; `nil` out of bounds or if this is not an array.
  ///
  /// - Parameter position: The position of an element, from 0.
  /// - Complexity: O(position).
  public subscript(_ position: Int) -> JSONNode? {
    guard position >= 0 else { return nil }
    return document.element(atPosition: position, in: index)
      .map { JSONNode(document: document, index: $0) }
  }

  /// The element of an array, counted from the end if the position is negative (−1 is the last).
  /// `nil` out of bounds or if this is not an array.
  /// - Complexity: O(distance from that end).
  package func element(_ position: Int) -> JSONNode? {
    document.element(atPosition: position, in: index)
      .map { JSONNode(document: document, index: $0) }
  }

  /// The value's JSON text as written.
  public var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The bytes of the value's JSON text as written.
  public var utf8: ArraySlice<UInt8> { document.bytes[range] }
}

extension JSONNode: CustomStringConvertible {
  /// The value's JSON text as written.
  public var description: String { text }
}

/// One member of an object.
public struct JSONMember: Sendable {
  /// The decoded name.
  public var name: String { value.document.string(at: value.index - 1) }
  /// Calls `body` with the decoded name in UTF-8, which is copied only if it holds escapes.
  package func withNameUTF8<Result>(_ body: (ArraySlice<UInt8>) -> Result) -> Result {
    value.document.withUTF8(at: value.index - 1, body)
  }

  /// The name's bytes in the document, with its quotes.
  public var nameRange: Range<Int> { value.document.range(at: value.index - 1) }
  /// The value that the name stands for.
  public let value: JSONNode

  init(value: JSONNode) { self.value = value }
}

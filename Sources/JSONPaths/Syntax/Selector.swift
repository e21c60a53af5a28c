/// What a segment picks from a node's children (RFC 9535 §2.3).
public struct Selector: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A member: `name` or `'name'`.
    case name(MemberName)
    /// `*`: every child.
    case wildcard
    /// An element; counted from the end if negative.
    case index(Int)
    /// `start:end:step`; indirect, for a slice is larger than all others and seldom.
    indirect case slice(Slice)
    /// `?…`: the children for which the expression holds.
    case filter(LogicalExpression)
  }

  public let kind: Kind
  /// UTF-8 offsets in the parsed text.
  public let range: Range<Int>
}

/// A member's name, ready to be compared with a document's bytes.
public struct MemberName: Sendable, Hashable {
  public let text: String
  /// The name in UTF-8, unescaped: at hand, since one is looked for in thousands of objects.
  let utf8: [UInt8]

  package init(_ text: String) {
    self.text = text
    self.utf8 = Array(text.utf8)
  }

  public static func == (left: MemberName, right: MemberName) -> Bool { left.utf8 == right.utf8 }

  public func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}

/// The selectors of a segment: one or more, of which the first, most often all, needs no list.
public struct Selectors: Sendable, Hashable, RandomAccessCollection {
  public let first: Selector
  let others: [Selector]

  init(_ first: Selector, _ others: [Selector] = []) {
    self.first = first
    self.others = others
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { others.count + 1 }

  public subscript(position: Int) -> Selector { position == 0 ? first : others[position - 1] }
}

/// `start:end:step` of an array slice; what is left out depends on the step's sign
/// (RFC 9535 §2.3.4).
public struct Slice: Sendable, Hashable {
  public let start: Int?
  public let end: Int?
  /// 1 where left out; 0 selects nothing.
  public let step: Int
}

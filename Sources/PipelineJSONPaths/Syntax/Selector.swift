internal import PipelineJSONText

/// The choice that a segment makes among a node's children (RFC 9535 §2.3).
package struct Selector: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A member: `name` or `'name'`.
    case name(MemberName)
    /// `*`: every child.
    case wildcard
    /// An element, counted from the end if negative.
    case index(Int)
    /// `start:end:step`. Indirect, because a slice is rare and larger than all others.
    indirect case slice(Slice)
    /// `{{key}}`: the member of that name if the value is a text, the element at that position if it
    /// is a whole number.
    case key(Binding)
    /// `?…`: the children for which the expression holds.
    case filter(LogicalExpression)
  }

  package let kind: Kind
  /// UTF-8 offsets in the parsed text.
  package let range: Range<Int>
}

/// A member's name, ready to be compared with a document's bytes.
package struct MemberName: Sendable, Hashable {
  package let text: String
  /// The bytes of a name that is short enough, as most names are. Kept inline, because one name is
  /// looked up in thousands of objects.
  fileprivate let start: (UInt64, UInt64)

  package init(_ text: String) {
    var text = text
    var start: (UInt64, UInt64) = (0, 0)
    text.withUTF8 { utf8 in
      withUnsafeMutableBytes(of: &start) { bytes in
        bytes.copyBytes(from: utf8.prefix(bytes.count))
      }
    }
    self.text = text
    self.start = start
  }

  // Swift compares strings by canonical equivalence, JSON and RFC 9535 by Unicode scalars.
  package static func == (left: MemberName, right: MemberName) -> Bool {
    left.start == right.start && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONDocument {
  /// The value of the first member of that name in the object at `index`; `nil` if there is none or
  /// no object.
  /// - Complexity: O(members).
  func value(named name: MemberName, in index: Int) -> Int? {
    let count = name.text.utf8.count
    guard count <= MemoryLayout.size(ofValue: name.start) else {
      return value(named: name.text, in: index)
    }
    return withUnsafeBytes(of: name.start) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) {
        value(named: UnsafeBufferPointer(rebasing: $0[..<count]), in: index)
      }
    }
  }
}

/// The selectors of a segment: one or more. The first, usually the only one, needs no list.
package struct Selectors: Sendable, Hashable, RandomAccessCollection {
  package let first: Selector
  let others: [Selector]

  init(_ first: Selector, _ others: [Selector] = []) {
    self.first = first
    self.others = others
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { others.count + 1 }

  package subscript(position: Int) -> Selector { position == 0 ? first : others[position - 1] }
}

/// `start:end:step` of an array slice. Defaults depend on the step's sign (RFC 9535 §2.3.4).
package struct Slice: Sendable, Hashable {
  /// A number, or a template that gives one.
  package enum Bound: Sendable, Hashable {
    case number(Int)
    case binding(Binding)

    var binding: Binding? { if case .binding(let binding) = self { binding } else { nil } }
  }

  package let start: Bound?
  package let end: Bound?
  /// `nil` for 1. 0 selects nothing.
  package let step: Bound?

  /// The templates in it, in the order of the text.
  package var bindings: [Binding] { [start, end, step].compactMap { $0?.binding } }
}

/// One word of a document's tape: an element of the text and its place.
///
///     63            32 31                 4 3   0
///     ┌───────────────┬────────────────────┬──────┐
///     │ offset (32)   │ span (28)          │ kind │
///     └───────────────┴────────────────────┴──────┘
///
/// `offset` is the byte where the element's text begins, or of a string the byte after its quote.
/// `span` is the length of a scalar in bytes. Of an opening bracket it is the tape index of the
/// closing one, and the reverse. So a container is skipped in one step, forwards and backwards, and
/// knows its bytes from both ends.
@usableFromInline package struct TapeElement: Sendable, Hashable {
  @usableFromInline package var word: UInt64

  @inlinable package init(word: UInt64) { self.word = word }

  @inlinable package init(_ kind: Kind, offset: Int, span: Int) {
    word =
      UInt64(truncatingIfNeeded: offset) &<< 32 | UInt64(truncatingIfNeeded: span) &<< 4
      | UInt64(truncatingIfNeeded: kind.rawValue)
  }

  /// Added to the places of a string's quotes, makes its word: `open << 32 + (close - open) << 4 +
  /// tag`, plus 1 with an escape.
  static var stringTag: UInt64 { (1 << 32) - (1 << 4) + UInt64(Kind.string.rawValue) }

  /// The kind of an element. Strings come in three kinds. `escapedString` is the "escaped bit"
  /// among them.
  @usableFromInline package enum Kind: UInt8, Sendable {
    case null = 0
    case `false` = 1
    case `true` = 2
    case number = 3
    /// In double quotes, its bytes being its text.
    case string = 4
    /// In double quotes, with at least one escape.
    case escapedString = 5
    /// Only in recovered documents: a string in wrong quotes or none, or with wrong escapes or
    /// characters. Its range has no quotes and it is decoded leniently.
    case lenientString = 6
    case object = 8
    case array = 9
    /// The closing of an object or array.
    case end = 10
    /// Only in recovered documents: a closing that the text lacks.
    case impliedEnd = 11
    /// Never written. All other bits read as this.
    case unused = 15
  }

  @inlinable package var kind: Kind { Kind(rawValue: UInt8(word & 15)) ?? .unused }
  @inlinable package var offset: Int { Int(truncatingIfNeeded: word &>> 32) }
  @inlinable package var span: Int { Int(truncatingIfNeeded: (word &>> 4) & 0xFFF_FFFF) }

  @inlinable package var isContainer: Bool { word & 14 == 8 }
  @inlinable package var isObject: Bool { word & 15 == 8 }
  @inlinable package var isArray: Bool { word & 15 == 9 }
  @inlinable package var isEnd: Bool { word & 14 == 10 }
  @inlinable package var isString: Bool { word & 12 == 4 }
  /// Whether it is a string in double quotes.
  @inlinable package var isQuoted: Bool { word & 14 == 4 }
  /// Whether its bytes are its text: no escapes, quotes around it.
  @inlinable package var isPlainString: Bool { word & 15 == 4 }
  @inlinable package var isNumber: Bool { word & 15 == 3 }
  @inlinable package var isBoolean: Bool { word & 15 == 1 || word & 15 == 2 }

  /// The maximum length of a string or number, and the maximum tape index: 2²⁸ − 1.
  @inlinable package static var spanLimit: Int { 0xFFF_FFFF }
  /// The maximum length of a text in bytes: 2³² − 1.
  @inlinable package static var offsetLimit: Int { 0xFFFF_FFFF }
}

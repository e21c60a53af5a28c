#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A problem at one place of a JSON text, and the way out.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// One phrase without a period: `',' is missing between members; add it`.
  public let message: String
  /// The bytes in question, counted in the whole text (a byte order mark included). May be empty.
  public let range: Range<Int>
  /// Further places that explain this one.
  public let related: [Related]
  /// The kind of the problem.
  public let code: Code
  /// An edit that makes this place right without changing what the text says.
  public let fix: Fix?

  /// A problem at `range`, of the kind `code`.
  ///
  /// - Parameters:
  ///   - message: What is wrong, and what to write instead, as one phrase.
  ///   - range: The bytes of the text that are wrong.
  ///   - code: The kind of problem.
  ///   - related: Other places that explain it.
  ///   - fix: The edits that solve it, if they are known.
  public init(
    _ message: String, range: Range<Int>, code: Code = .syntax, related: [Related] = [],
    fix: Fix? = nil
  ) {
    self.message = message
    self.range = range
    self.code = code
    self.related = related
    self.fix = fix
  }

  /// Stable names of the problems.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text breaks the grammar of RFC 8259.
    case syntax = "json-syntax"
    /// There is no value at all.
    case empty = "json-empty"
    /// The bytes are not UTF-8 (RFC 3629).
    case encoding = "json-utf8"
    /// A byte order mark opens the text (RFC 8259 §8.1).
    case byteOrderMark = "json-bom"
    /// A name appears twice in one object (RFC 8259 §4).
    case duplicateName = "json-duplicate-key"
    /// Arrays and objects nest deeper than the limit.
    case depth = "json-depth"
    /// Longer than 4 GB, a string longer than 256 MB, or more than 2²⁸ elements.
    case tooLarge = "json-too-large"
  }

  /// A further place in the text, and its relation to the problem.
  public struct Related: Sendable, Hashable {
    /// One phrase about the place.
    public let message: String
    /// The bytes of the place, counted like those of the error.
    public let range: Range<Int>

    /// A place with its phrase.
    public init(_ message: String, range: Range<Int>) {
      self.message = message
      self.range = range
    }
  }

  /// Edits that make one place right.
  public struct Fix: Sendable, Hashable {
    /// The effect of the edits: `remove the comma`.
    public let message: String
    /// In the order of their ranges, which do not overlap.
    public let edits: [Edit]
    /// Whether the author may have meant something else.
    public let isGuess: Bool

    /// A fix of these edits, which must not overlap.
    ///
    /// - Parameters:
    ///   - message: What the edits do, such as `add ','`.
    ///   - edits: Replacements that do not overlap.
    ///   - isGuess: Whether another fix may be meant.
    public init(_ message: String, edits: [Edit], isGuess: Bool = false) {
      self.message = message
      self.edits = edits
      self.isGuess = isGuess
    }
  }

  /// One replacement of bytes.
  public struct Edit: Sendable, Hashable {
    /// The bytes that are replaced. An empty range inserts.
    public let range: Range<Int>
    /// The text written in their place.
    public let replacement: String

    /// A replacement of the bytes of `range`.
    public init(_ range: Range<Int>, _ replacement: String) {
      self.range = range
      self.replacement = replacement
    }
  }
}

extension JSONSyntaxError: CustomStringConvertible, LocalizedError {
  /// The message, and the byte of the text that it is about.
  public var description: String { "\(message) (at byte \(range.lowerBound))" }
  /// The same.
  public var errorDescription: String? { description }
}

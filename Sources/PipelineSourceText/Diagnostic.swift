/// A finding at a place in a file that an author wrote.
public struct Diagnostic: Sendable, Hashable {
  /// How grave a finding is.
  public enum Severity: String, Sendable, Comparable, CaseIterable {
    /// The file cannot be run.
    case error
    /// The file can be run, but hardly does what was meant.
    case warning
    /// Worth knowing.
    case note

    /// The graver is the smaller.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
  }

  /// A further place that the reader needs in order to understand.
  public struct Related: Sendable, Hashable {
    /// Bytes of the file.
    public var range: Range<Int>
    /// One phrase about the place.
    public var message: String
    /// The file, if it is not the one that the finding is about.
    public var file: SourceFile?

    /// A further place with its phrase.
    public init(range: Range<Int>, message: String, file: SourceFile? = nil) {
      self.range = range
      self.message = message
      self.file = file
    }

    /// Files are the same if their names are.
    public static func == (a: Related, b: Related) -> Bool {
      a.range == b.range && a.message == b.message && a.file?.name == b.file?.name
    }

    /// Hashes the range and the message.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(range)
      hasher.combine(message)
    }
  }

  /// Stable and in kebab-case, `unknown-reference`: what `pipeline explain` explains.
  public var code: String
  /// How grave the finding is.
  public var severity: Severity
  /// One phrase without a period that ends with the way out: "…; did you mean 'token'?".
  public var message: String
  /// Bytes of the file. May be empty, and may span several lines.
  public var range: Range<Int>
  /// Further places that the reader needs.
  public var related: [Related]
  /// A change that would settle it. `DiagnosticFix.isSafe` says whether it may be made without asking.
  public var fix: DiagnosticFix?
  /// Whether several steps inherit what is wrong, and the message names one of them.
  public var isInherited = false
  /// The end of the message if the finding is one of the first of its kind.
  package var advice: Advice?
  /// Whether what is wrong is in a file that this one builds on, whose place the message begins with.
  package var isOfBase = false

  /// A finding about the bytes of `range`.
  ///
  /// - Parameters:
  ///   - code: The stable code of the finding, such as `unknown-key`.
  ///   - severity: How bad it is.
  ///   - message: What is wrong, and what to write instead, as one phrase.
  ///   - range: The bytes that are wrong.
  ///   - related: Other places that explain it.
  ///   - fix: The edits that solve it, if they are known.
  public init(
    code: String, severity: Severity, message: String, range: Range<Int>,
    related: [Related] = [], fix: DiagnosticFix? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.related = related
    self.fix = fix
  }
}

/// A change to a file that is likely what its author meant.
public struct DiagnosticFix: Sendable, Hashable {
  /// The bytes of `range` give way to `replacement`.
  public struct Edit: Sendable, Hashable {
    /// The bytes that are replaced. An empty range inserts.
    public var range: Range<Int>
    /// The text that takes their place.
    public var replacement: String

    /// A replacement of the bytes of `range`.
    public init(range: Range<Int>, replacement: String) {
      self.range = range
      self.replacement = replacement
    }
  }

  /// The change, as an imperative: "write 'token'".
  public var message: String
  /// The edits, which do not overlap.
  public var edits: [Edit]
  /// Whether it may be made without asking. The file's behaviour stays the same, or the author can
  /// have meant nothing else. Any other fix is a suggestion.
  public var isSafe: Bool

  /// A change of these edits.
  ///
  /// - Parameters:
  ///   - message: What the edits do, such as `write 'endpoint'`.
  ///   - edits: Replacements that do not overlap.
  ///   - isSafe: Whether the edits may be made without asking.
  public init(message: String, edits: [Edit], isSafe: Bool = true) {
    self.message = message
    self.edits = edits
    self.isSafe = isSafe
  }
}

/// The old name of `DiagnosticFix`.
@available(*, unavailable, renamed: "DiagnosticFix")
public typealias Fix = DiagnosticFix

extension Sequence<Diagnostic> {
  /// In the order in which a reader meets them: by position, then gravity, then code.
  public func sortedByPosition() -> [Diagnostic] {
    sorted { a, b in
      if a.range.lowerBound != b.range.lowerBound {
        return a.range.lowerBound < b.range.lowerBound
      }
      if a.severity != b.severity { return a.severity < b.severity }
      if a.code != b.code { return a.code < b.code }
      return a.message < b.message
    }
  }
}

extension SourceFile {
  /// The bytes after `fixes`, and how many of them were made.
  ///
  /// A fix that touches a change of an earlier one in the list is left out as a whole. It may still
  /// be safe after the next lint.
  ///
  /// - Parameter fixes: The changes, in order of preference.
  public func applying(_ fixes: [DiagnosticFix]) -> (bytes: [UInt8], applied: Int) {
    var taken: [DiagnosticFix.Edit] = []
    var applied = 0
    for fix in fixes {
      let edits = fix.edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
      guard areSeparate(edits),
        !edits.contains(where: { edit in taken.contains { meet($0, edit) } })
      else { continue }
      taken += edits
      applied += 1
    }
    taken.sort { $0.range.lowerBound < $1.range.lowerBound }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = 0
    for edit in taken {
      result += bytes[end..<edit.range.lowerBound]
      result += edit.replacement.utf8
      end = edit.range.upperBound
    }
    result += bytes[end...]
    return (result, applied)
  }

  /// Whether `edits`, in order, lie in the file and do not meet one another.
  private func areSeparate(_ edits: [DiagnosticFix.Edit]) -> Bool {
    guard edits.allSatisfy({ $0.range.lowerBound >= 0 && $0.range.upperBound <= bytes.count })
    else { return false }
    return zip(edits, edits.dropFirst()).allSatisfy { !meet($0, $1) }
  }

  private func meet(_ a: DiagnosticFix.Edit, _ b: DiagnosticFix.Edit) -> Bool {
    a.range.overlaps(b.range) || a.range.lowerBound == b.range.lowerBound
      || (a.range.isEmpty && b.range.contains(a.range.lowerBound))
      || (b.range.isEmpty && a.range.contains(b.range.lowerBound))
  }
}

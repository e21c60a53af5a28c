/// The way out at the end of a message, and the edit that does what it says.
///
/// Both come from one place, so that editors and agents can apply what people read.
package struct Proposal: Sendable, Hashable {
  /// `; did you mean 'token'?`, or nothing.
  package let text: String
  /// The edit; `nil` if the text is only advice.
  package let fix: DiagnosticFix?

  package init(_ text: String, fix: DiagnosticFix? = nil) {
    self.text = text
    self.fix = fix
  }

  package static let none = Proposal("")

  /// `; write TEXT`: `text` takes the place of `range`.
  ///
  /// - Parameter isSafe: Whether the author cannot have meant anything else.
  package static func write(
    _ text: String, for range: Range<Int>, isSafe: Bool = false
  ) -> Proposal {
    Proposal("; write \(text)", fix: .replacing(range, with: text, isSafe: isSafe))
  }

  /// `; write it without quotes`: the value takes the place of its text.
  package static func withoutQuotes(_ value: String, for range: Range<Int>) -> Proposal {
    Proposal(
      "; write it without quotes",
      fix: DiagnosticFix(
        message: "write it without quotes",
        edits: [DiagnosticFix.Edit(range: range, replacement: value)]))
  }

  /// `; did you mean 'NAME'?`, or nothing.
  ///
  /// - Parameters:
  ///   - range: The bytes that the name takes the place of; `nil` if they are not certain.
  ///   - replacement: What is written there, if it is not the bare name.
  package static func didYouMean(
    _ name: String?, at range: Range<Int>?, as replacement: String? = nil
  ) -> Proposal {
    guard let name else { return .none }
    return Proposal(
      "; did you mean '\(name)'?",
      fix: range.map { .replacing($0, with: replacement ?? name, isSafe: false) })
  }

  /// `; did you mean 'network'?` if one of the names is near to a string of the file.
  package static func nearest(
    to text: String, among names: some Sequence<String>, inQuotesAt range: Range<Int>
  ) -> Proposal {
    let near = Spelling.nearest(to: text, among: names)
    return .didYouMean(near, at: range, as: near.map { "\"\($0)\"" })
  }

  /// If no name is near: `; did you mean 'token'?` if there is only one, `; it has 'a', 'b'` if
  /// there are a few.
  package static func oneOf(
    _ names: [String], at range: Range<Int>?, _ introduction: String, quoted: Bool = false
  ) -> Proposal {
    if names.count == 1, let name = names.first {
      return .didYouMean(name, at: range, as: quoted ? "\"\(name)\"" : nil)
    }
    guard (2...5).contains(names.count) else { return .none }
    return Proposal("; \(introduction) " + names.map { "'\($0)'" }.joined(separator: ", "))
  }
}

extension Proposal: ExpressibleByStringInterpolation {
  /// Advice without an edit.
  package init(stringLiteral text: String) { self.init(text) }
}

/// The end of a message, computed only if it is read.
package struct Advice: Sendable, Hashable {
  package let proposal: @Sendable () -> Proposal

  package init(_ proposal: @escaping @Sendable () -> Proposal) {
    self.proposal = proposal
  }

  // The finding decides the advice.
  package static func == (one: Advice, other: Advice) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

extension DiagnosticFix {
  /// One edit, named after what it writes.
  package static func replacing(
    _ range: Range<Int>, with text: String, isSafe: Bool
  ) -> DiagnosticFix {
    DiagnosticFix(
      message: text.isEmpty ? "remove it" : "write \(text)",
      edits: [Edit(range: range, replacement: text)], isSafe: isSafe)
  }

  /// A suggestion; `nil` if one of its edits is.
  package static func suggesting(_ message: String, _ edits: [Edit?]) -> DiagnosticFix? {
    let all = edits.compactMap { $0 }
    guard all.count == edits.count else { return nil }
    return DiagnosticFix(message: message, edits: all, isSafe: false)
  }

  /// One edit that adds a text at a place, which is a suggestion.
  package static func inserting(_ text: String, at place: Int, _ message: String) -> DiagnosticFix {
    DiagnosticFix(
      message: message, edits: [Edit(range: place..<place, replacement: text)], isSafe: false)
  }
}

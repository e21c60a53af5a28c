package import PipelineJSONPaths

/// A text with places for values: `Hello {{user.name}}`.
///
/// Parsed once, expanded any number of times. Two templates are equal when their texts are.
package struct Template: Sendable {
  package enum Part: Sendable, Hashable {
    /// Text that stands for itself, escaped braces already read.
    case text(String)
    case reference(Reference)
  }

  /// A `{{…}}`: the place of one value.
  package struct Reference: Sendable, Hashable {
    /// The singular query inside the braces, rooted at the scope.
    package let query: Query
    /// The text inside the braces, without spaces and `+`.
    package let text: String
    /// Whether it is `{{+x}}`, RFC 6570's reserved expansion, which keeps `/` in a URL path.
    package let isReserved: Bool
    /// UTF-8 offsets in the decoded text, with the braces.
    package let range: Range<Int>
    /// UTF-8 offsets of `text` in the decoded text.
    package let queryRange: Range<Int>
  }

  /// The text as its author wrote it, with JSON's escapes decoded.
  package let text: String
  /// Texts and references in their order. No two texts are adjacent, and none is empty.
  package let parts: [Part]

  init(text: String, parts: [Part]) {
    self.text = text
    self.parts = parts
  }

  /// The template that stands for exactly `text`, whatever braces are in it.
  package init(literal text: String) {
    self.text = text
    self.parts = text.isEmpty ? [] : [.text(text)]
  }

  /// The constant result of the template, if it has no references.
  package var literal: String? {
    guard let first = parts.first else { return "" }
    guard parts.count == 1, case .text(let text) = first else { return nil }
    return text
  }

  /// The reference, if the template is nothing else: it keeps its value's JSON type in data.
  package var whole: Reference? {
    guard parts.count == 1, case .reference(let reference) = parts[0] else { return nil }
    return reference
  }

  /// The references in the order of the text.
  package var references: [Reference] {
    parts.compactMap { part in
      guard case .reference(let reference) = part else { return nil }
      return reference
    }
  }
}

extension Template: Hashable {
  // Swift compares strings by canonical equivalence, JSON by Unicode scalars.
  package static func == (left: Template, right: Template) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8) && left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

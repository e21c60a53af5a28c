internal import PipelineByteText

/// A text of another tool, with its placeholders taken apart.
package struct ForeignText: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case text(String)
    /// A variable by its name there.
    case variable(String)
    /// A value of the answer to a named request.
    case answer(request: String, source: ImportedSource)
    /// The value of an environment variable of the system.
    case environment(String)
    /// The item of a request, or what is at a path in it, such as `.id`.
    case item(of: String, path: String)
    /// The moment of the run (RFC 3339).
    case moment
    /// The token of a login that the tool makes.
    case login(String)
  }

  package private(set) var parts: [Part] = []
  /// Whether the tool authenticates the sender with it, whatever it is sent as.
  var isCredential = false

  package init(parts: [Part] = []) {
    for part in parts { append(part) }
  }

  package init(plain text: String) { self.init(parts: [.text(text)]) }

  /// Adds a part. Texts beside each other become one.
  package mutating func append(_ part: Part) {
    if case .text(let text) = part {
      if text.isEmpty { return }
      if case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + text)
        return
      }
    }
    parts.append(part)
  }

  package mutating func append(_ other: ForeignText) {
    for part in other.parts { append(part) }
  }

  package var isEmpty: Bool { parts.isEmpty }

  /// The text, if it has no placeholders.
  package var plain: String? {
    switch parts.count {
    case 0: return ""
    case 1:
      if case .text(let text) = parts[0] { return text }
      return nil
    default: return nil
    }
  }

  /// The text that it begins with, up to its first placeholder.
  package var start: String {
    if case .text(let text)? = parts.first { text } else { "" }
  }

  package func contains(ascii scalar: Unicode.Scalar) -> Bool {
    parts.contains { part in
      if case .text(let text) = part { text.firstIndex(ascii: scalar) != nil } else { false }
    }
  }

  /// The texts before and after the first `separator`; `nil` if there is none.
  package func cut(at separator: Unicode.Scalar) -> (before: ForeignText, after: ForeignText)? {
    for (number, part) in parts.enumerated() {
      guard case .text(let text) = part, let index = text.firstIndex(ascii: separator) else {
        continue
      }
      let after = text[text.utf8.index(after: index)...]
      return (
        ForeignText(parts: Array(parts[..<number]) + [.text(String(text[..<index]))]),
        ForeignText(parts: [.text(String(after))] + Array(parts[(number + 1)...]))
      )
    }
    return nil
  }

  /// The texts between separators.
  package func split(at separator: Unicode.Scalar) -> [ForeignText] {
    var texts: [ForeignText] = []
    var rest = self
    while let (before, after) = rest.cut(at: separator) {
      texts.append(before)
      rest = after
    }
    return texts + [rest]
  }

  /// The text with each literal text changed; `nil` if `change` refuses one.
  package func mapTexts(_ change: (String) -> String?) -> ForeignText? {
    var result = ForeignText()
    for part in parts {
      guard case .text(let text) = part else {
        result.append(part)
        continue
      }
      guard let changed = change(text) else { return nil }
      result.append(.text(changed))
    }
    return result
  }

  /// The names of the variables in it.
  var variables: [String] {
    parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The text with other variables in place of its own.
  func renamingVariables(_ name: (String) -> String) -> ForeignText {
    var result = self
    for case (let index, .variable(let variable)) in parts.enumerated() {
      result.parts[index] = .variable(name(variable))
    }
    return result
  }

  /// The text without blanks at its ends.
  package var trimmed: ForeignText {
    var parts = parts
    if case .text(let text)? = parts.first {
      parts[0] = .text(String(text.drop { $0.isWhitespace }))
    }
    if case .text(let text)? = parts.last {
      var text = text[...]
      while text.last?.isWhitespace == true { text.removeLast() }
      parts[parts.count - 1] = .text(String(text))
    }
    return ForeignText(parts: parts)
  }

  /// The text without a beginning that it has.
  package func dropping(_ prefix: String) -> ForeignText {
    guard case .text(let text)? = parts.first, text.hasPrefix(bytes: prefix) else { return self }
    return ForeignText(
      parts: [.text(String(text.dropFirst(bytes: prefix.utf8.count)))] + parts.dropFirst())
  }
}

// Texts of other dialects, changed as the errors about them propose.

extension Query {
  /// The query that a text of another dialect stands for; `nil` if that is not known.
  package static func meant(by text: String) -> String? {
    mended(text, { parse($0) }, { error in error.fix.map { (error.range, $0) } })
  }
}

extension Condition {
  /// The condition that a text of another dialect stands for; `nil` if that is not certain.
  package static func meant(by text: String, in mode: Query.Mode) -> String? {
    mended(text, { parse($0, in: mode) }) { error in
      error.isGuess ? nil : error.fix.map { (error.range, $0) }
    }
  }
}

extension IRegexp {
  /// The pattern that matches the same texts as one of another dialect; `nil` if it needs more than
  /// RFC 9485 has.
  package static func meant(by text: String) -> String? {
    mended(text, { parse($0) }) { error in
      error.isGuess ? nil : error.fix.map { (error.range, $0) }
    }
  }

  /// The pattern that also takes the same part of a text.
  package static func meantCapture(by text: String) -> String? {
    guard let text = CapturePattern.translated(text) else { return nil }
    return mended(text, { parse($0) }) { error in
      error.isGuessOfCapture ? nil : error.fix.map { (error.range, $0) }
    }
  }
}

/// - Complexity: As many readings of the text as it has foreign parts, at most 32.
private func mended<Value, Problem>(
  _ text: String, _ parse: (String) -> Result<Value, Problem>,
  _ proposal: (Problem) -> (range: Range<Int>, fix: String)?
) -> String? {
  var text = text
  for _ in 0..<32 {
    guard case .failure(let problem) = parse(text) else { return text }
    guard let (range, fix) = proposal(problem) else { return nil }
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(range, with: fix.utf8)
    text = String(decoding: bytes, as: UTF8.self)
  }
  return nil
}

internal import PipelineByteText
internal import PipelineJSONPaths

/// Reads the inside `{{…}}`.
enum ReferenceParser {
  /// The reference at `outer`, whose inside is `inner`, or what is wrong with it.
  static func parse(
    _ bytes: [UInt8], outer: Range<Int>, inner: Range<Int>
  ) -> Result<Template.Reference, TemplateProblem> {
    var content = trimmed(bytes, inner)
    var isReserved = false
    if content.first.map({ bytes[$0] }) == UInt8(ascii: "+") {
      isReserved = true
      content = trimmed(bytes, content.dropFirst())
    }
    guard !content.isEmpty else {
      return .failure(
        TemplateProblem(
          .syntax,
          "'{{}}' names no value; write '{{step.value}}', or '{{{{' for a literal '{{'", at: outer))
    }
    let text = String(decoding: bytes[content], as: UTF8.self)
    if let problem = ForeignDialect.insideBraces(text, at: outer) { return .failure(problem) }
    switch Query.parseReference(text) {
    case .success(let query):
      guard query.firstName != nil else {
        return .failure(
          TemplateProblem(
            .reference, "a template begins with a name: '{{step.value}}'", at: content))
      }
      return .success(
        Template.Reference(
          query: query, text: text, isReserved: isReserved, range: outer, queryRange: content))
    case .failure(let error):
      var message = error.message
      if !message.contains(bytes: "write "), let meant = corrected(text) {
        message += "; write '{{\(isReserved ? "+" : "")\(meant)}}'"
      }
      let problem = TemplateProblem(
        .reference, message, at: error.range, fix: error.fix, isGuess: error.isGuess)
      return .failure(problem.shifted(by: content.lowerBound))
    }
  }

  /// The reference that a text becomes when everything wrong with it is fixed; `nil` if it does not
  /// become one.
  private static func corrected(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    for _ in 0..<mostFixes {
      switch Query.parseReference(String(decoding: bytes, as: UTF8.self)) {
      case .success(let query):
        return query.firstName == nil ? nil : String(decoding: bytes, as: UTF8.self)
      case .failure(let error):
        guard let fix = error.fix, !error.isGuess, error.range.upperBound <= bytes.count else {
          return nil
        }
        bytes.replaceSubrange(error.range, with: fix.utf8)
      }
    }
    return nil
  }

  /// A reference with more mistakes is not proposed as a whole.
  private static let mostFixes = 8

  /// The reference that a text is, if it is one of plain names and positions, without a mistake.
  static func whole(_ text: String) -> Template.Reference? {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.count > 4 && bytes[0] == 0x7B && bytes[1] == 0x7B
        && bytes[2..<bytes.count - 2].allSatisfy(BraceScanner.isReferenceByte)
        && bytes[bytes.count - 1] == 0x7D && bytes[bytes.count - 2] == 0x7D
    }
    guard isPlain == true else { return nil }
    let inner = String(Substring(text.utf8.dropFirst(2).dropLast(2)))
    guard case .success(let query) = Query.parseReference(inner) else { return nil }
    let end = text.utf8.count
    return Template.Reference(
      query: query, text: inner, isReserved: false, range: 0..<end, queryRange: 2..<end - 2)
  }

  /// The problem with a `{{` that nothing closes.
  static func unclosed(_ bytes: [UInt8], at range: Range<Int>) -> TemplateProblem {
    var name = range.lowerBound + 2..<range.upperBound
    if bytes[name].last == UInt8(ascii: "}") { name = name.dropLast() }
    let text = String(decoding: bytes[name], as: UTF8.self)
    guard isReference(text) else {
      return TemplateProblem(
        .syntax, "'{{' is not closed; write '{{{{' for a literal '{{'",
        at: range.lowerBound..<range.lowerBound + 2, fix: "{{{{")
    }
    return TemplateProblem(
      .syntax, "'{{' is not closed; write '{{\(text)}}'", at: range, fix: "{{\(text)}}")
  }

  /// Whether `{{text}}` would be a template.
  static func isReference(_ text: String) -> Bool {
    guard case .success(let query) = Query.parseReference(text) else { return false }
    return query.firstName != nil
  }

  private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, isSpace(bytes[first]) { range = range.dropFirst() }
    while let last = range.last, isSpace(bytes[last]) { range = range.dropLast() }
    return range
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

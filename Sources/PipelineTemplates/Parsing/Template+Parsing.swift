internal import PipelineHTTPTerms

extension Template {
  /// The template of `text` and everything wrong with it.
  ///
  /// A `{{…}}` that cannot be read stays as text, so that what is right can still be judged.
  /// Linear in the length of the text.
  package static func parse(_ text: String) -> (template: Template, problems: [TemplateProblem]) {
    let (template, problems) = parsePath(text)
    let reserved = template.references.filter(\.isReserved)
    guard !reserved.isEmpty else { return (template, problems) }
    return (template, (problems + reserved.map { .reservedOutsidePath($0) }).inOrder)
  }

  /// The same of the path of a file, in which `{{+x}}` may be several segments.
  package static func parsePath(
    _ text: String
  ) -> (template: Template, problems: [TemplateProblem]) {
    guard text.holds("{") else { return (Template(literal: text), []) }
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    var problems: [TemplateProblem] = []
    var literal: [UInt8] = []
    for piece in BraceScanner(bytes, in: 0..<bytes.count) {
      switch piece {
      case .text(let range):
        literal += bytes[range]
      case .escapedBraces(let range):
        literal += bytes[range].prefix(range.count / 2)
      case .unclosed(let range):
        problems.append(ReferenceParser.unclosed(bytes, at: range))
        literal += bytes[range]
      case .reference(let outer, let inner):
        switch ReferenceParser.parse(bytes, outer: outer, inner: inner) {
        case .success(let reference):
          if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
          literal.removeAll(keepingCapacity: true)
          parts.append(.reference(reference))
        case .failure(let problem):
          problems.append(problem)
          literal += bytes[outer]
        }
      }
    }
    if !literal.isEmpty { parts.append(.text(String(decoding: literal, as: UTF8.self))) }
    return (Template(text: text, parts: parts), problems)
  }

  /// The templates of other tools in the text, `${name}` and `${{name}}`. Lint warns about them,
  /// because they may be meant literally.
  package var foreignTemplates: [TemplateProblem] {
    guard text.holds("$") else { return [] }
    return ForeignDialect.inText(Array(text.utf8))
  }

  /// The characters of the author's own text that `position` refuses.
  package func problems(at position: Position) -> [TemplateProblem] {
    guard position == .header || position == .cookie else { return [] }
    var problems: [TemplateProblem] = []
    let last = text.utf8.count - 1
    for (offset, byte) in text.utf8.enumerated() {
      let range = offset..<offset + 1
      if FieldValue.isBlank(byte), offset == 0 || offset == last {
        problems.append(
          TemplateProblem(
            .headerCharacter,
            "a \(position.noun) must not begin or end with a blank: every recipient removes it",
            at: range,
            fix: ""))
      } else if FieldValue.isControl(byte) || position == .cookie && byte == 0x09 {
        problems.append(
          TemplateProblem(
            .headerCharacter, "a \(position.noun) cannot contain control characters", at: range))
      } else if position == .cookie, byte == UInt8(ascii: ";") {
        problems.append(
          TemplateProblem(
            .headerCharacter, "';' ends a cookie; give each cookie its own name", at: range))
      }
    }
    return problems
  }
}

extension String {
  /// Whether an ASCII character is in the text.
  func holds(_ character: Unicode.Scalar) -> Bool {
    let byte = UInt8(ascii: character)
    return utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }
}

extension TemplateProblem {
  static func reservedOutsidePath(_ reference: Template.Reference) -> TemplateProblem {
    TemplateProblem(
      .reserved, "'+' keeps '/' in a path and has no meaning here; drop it",
      at: reference.range, fix: "{{\(reference.text)}}")
  }
}

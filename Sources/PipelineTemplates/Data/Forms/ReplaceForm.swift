internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// A text with each occurrence of another replaced.
struct ReplaceForm: DeclaredForm {
  static let title = FormTitle(
    "$replace", "the text with every occurrence of `find`, or match of `regex`, replaced",
    example: #"{"$replace": {"of": "{{row.phone}}", "find": " ", "with": ""}}"#, takes: .text)

  private enum Target {
    case text(FormPart)
    case pattern(IRegexp)
  }

  private let text: FormPart
  private let target: Target
  private let substitute: FormPart

  init?(_ keys: inout FormKeys) {
    text = keys.checkedValue()
    let find = keys.text("find", "The text that is replaced.", example: #"" ""#)
    let pattern = keys.pattern(
      "regex", "The pattern whose matches are replaced.", example: #""[ -]+""#)
    let substitute = keys.text(
      "with", "The text in its place, without references to groups.", example: #""""#,
      isRequired: true)
    if keys.option("find") != nil, keys.option("regex") != nil {
      keys.problem("'$replace' takes 'find' or 'regex', not both", at: keys.node)
      return nil
    }
    if keys.isRead, keys.option("find") == nil, keys.option("regex") == nil {
      keys.problem("'$replace' needs 'find' or 'regex'; write \(Self.title.example)", at: keys.node)
      return nil
    }
    guard let substitute else { return nil }
    if let find {
      if find.node.string?.isEmpty == true {
        keys.problem(
          "'find' of '$replace' is empty; write the text that is replaced", at: find.node)
      }
      target = .text(find)
    } else if let pattern {
      target = .pattern(pattern)
    } else {
      return nil
    }
    self.substitute = substitute
  }

  var parts: [FormPart] {
    if case .text(let find) = target { [text, find, substitute] } else { [text, substitute] }
  }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let text = try writing.text(of: text) else { return .absent }
    let substitute = try writing.option(substitute, "with")
    switch target {
    case .text(let part):
      let find = try writing.option(part, "find")
      guard !find.isEmpty else { throw part.failure(.dataForm, "'find' of '$replace' is empty") }
      return .text(text.replacing(bytes: find, with: substitute))
    case .pattern(let pattern):
      let bytes = pattern.replacingMatches(in: Array(text.utf8), with: Array(substitute.utf8))
      return .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { text.value.textShape(read) }
}

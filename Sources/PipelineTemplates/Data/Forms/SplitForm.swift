internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The list of the parts of a text.
struct SplitForm: DeclaredForm {
  static let title = FormTitle(
    "$split", "the parts of a text between separators; an empty text gives `[\"\"]`",
    example: #"{"$split": {"of": "{{row.tags}}", "separator": ","}}"#, takes: .text)

  private let text: FormPart
  private let separator: FormPart

  init?(_ keys: inout FormKeys) {
    text = keys.checkedValue()
    let separator = keys.text(
      "separator", "The text between two parts.", example: #"",""#, isRequired: true)
    guard let separator else { return nil }
    if separator.node.string?.isEmpty == true {
      keys.problem(
        "'separator' of '$split' is empty; write the text between two parts", at: separator.node)
    }
    self.separator = separator
  }

  var parts: [FormPart] { [text, separator] }
  var makesTexts: Bool { true }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let text = try writing.text(of: text) else { return .absent }
    let separator = try writing.option(self.separator, "separator")
    guard !separator.isEmpty else {
      throw self.separator.failure(.dataForm, "'separator' of '$split' is empty")
    }
    return .list(text.split(bytes: separator).map { JSONValue.string($0).node })
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    .list(.string).absent(text.value.shape(read).maybeAbsent)
  }
}

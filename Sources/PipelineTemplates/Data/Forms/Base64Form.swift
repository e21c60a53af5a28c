internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The text's UTF-8 in base64.
struct Base64Form: DeclaredForm {
  static let title = FormTitle(
    "$base64", "the text in base64", example: #"{"$base64": "{{inputs.user}}:x"}"#,
    takes: FormType("a text", [.string, .number, .boolean], written: [.string]), isAlwaysAlone: true
  )

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.checkedValue(.data) }

  var parts: [FormPart] { [value] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else { return .absent }
    return .text(Base64.encode(try writing.scalar(found, value)))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(value.value.shape(read).maybeAbsent)
  }
}

internal import PipelineJSONPaths
internal import PipelineJSONText

/// A number or boolean as text.
struct TextForm: DeclaredForm {
  static let title = FormTitle(
    "$text", "a number or boolean as text: `7` is `\"7\"`. A text stays",
    example: #"{"$text": "{{deal.id}}"}"#,
    takes: FormType("a number, a boolean or a text", [.string, .number, .boolean]))

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.checkedValue() }

  var parts: [FormPart] { [value] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else { return .absent }
    return .text(String(decoding: try writing.scalar(found, value), as: UTF8.self))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.textShape(read) }
}

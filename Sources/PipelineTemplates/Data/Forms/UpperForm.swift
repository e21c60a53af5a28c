internal import PipelineJSONPaths

/// A text in upper case.
struct UpperForm: DeclaredForm {
  static let title = FormTitle(
    "$upper", "the text in upper case, by Unicode without a locale",
    example: #"{"$upper": "{{user.country}}"}"#, takes: .text)

  private let text: FormPart

  init?(_ keys: inout FormKeys) { text = keys.checkedValue() }

  var parts: [FormPart] { [text] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let text = try writing.text(of: text) else { return .absent }
    return .text(text.uppercased())
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { text.value.textShape(read) }
}

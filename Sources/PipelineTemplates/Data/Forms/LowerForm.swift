internal import PipelineJSONPaths

/// A text in lower case.
struct LowerForm: DeclaredForm {
  static let title = FormTitle(
    "$lower", "the text in lower case, by Unicode without a locale",
    example: #"{"$lower": "{{user.email}}"}"#, takes: .text)

  private let text: FormPart

  init?(_ keys: inout FormKeys) { text = keys.checkedValue() }

  var parts: [FormPart] { [text] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let text = try writing.text(of: text) else { return .absent }
    return .text(text.lowercased())
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { text.value.textShape(read) }
}

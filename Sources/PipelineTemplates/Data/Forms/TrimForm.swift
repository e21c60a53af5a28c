internal import PipelineJSONPaths

/// A text without white space at its ends.
struct TrimForm: DeclaredForm {
  static let title = FormTitle(
    "$trim", "the text without white space at its ends", example: #"{"$trim": "{{row.name}}"}"#,
    takes: .text)

  private let text: FormPart

  init?(_ keys: inout FormKeys) { text = keys.checkedValue() }

  var parts: [FormPart] { [text] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let text = try writing.text(of: text) else { return .absent }
    return .text(text.trimmingWhiteSpace)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { text.value.textShape(read) }
}

extension String {
  /// The text from the first to the last scalar that is not white space (Unicode's White_Space).
  fileprivate var trimmingWhiteSpace: String {
    let isText = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
    guard let first = unicodeScalars.firstIndex(where: isText),
      let last = unicodeScalars.lastIndex(where: isText)
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}

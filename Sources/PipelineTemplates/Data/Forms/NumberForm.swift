internal import PipelineJSONPaths
internal import PipelineJSONText

/// A text as a number.
struct NumberForm: DeclaredForm {
  static let title = FormTitle(
    "$number", "a text as a number, whose digits stay: `\"20.00\"` is `20.00`. A number stays",
    example: #"{"$number": "{{row.price}}"}"#,
    takes: FormType("a number, or a text that is one", [.string, .number]))

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.checkedValue() }

  var parts: [FormPart] { [value] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else { return .absent }
    if found.kind == .number { return .node(found) }
    guard let text = found.string else { throw value.refusal(of: found) }
    guard JSONNumber(text) != nil else {
      throw value.failure(
        .dataForm,
        "'$number' takes \(value.takes.words ?? ""), but this text is not one; '$extract' takes the"
          + " digits out of it")
    }
    return .number(text)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.number.absent(value.value.shape(read).maybeAbsent)
  }
}

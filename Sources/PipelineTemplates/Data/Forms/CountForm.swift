internal import PipelineJSONPaths
internal import PipelineJSONText

/// How many elements or members there are.
struct CountForm: DeclaredForm {
  static let title = FormTitle(
    "$count", "the number of elements, or of an object's members",
    example: #"{"$count": "$.list.ids[*]"}"#,
    takes: FormType("a list or an object", [.array, .object]),
    isAlwaysAlone: true)

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.checkedValue() }

  var parts: [FormPart] { [value] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else { return .absent }
    guard found.kind == .array || found.kind == .object else { throw value.refusal(of: found) }
    return .number(String(found.count))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.integer.absent(value.value.shape(read).maybeAbsent)
  }
}

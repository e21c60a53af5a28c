internal import PipelineJSONPaths

/// The value untouched: no templates, no queries, no forms in it.
struct LiteralForm: DeclaredForm {
  static let title = FormTitle(
    "$literal", "the value unchanged, including its templates",
    example: #"{"$literal": {"$ref": "{{x}}"}}"#, takes: .any, synonyms: "const raw verbatim",
    isAlwaysAlone: true, isTyped: false)

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.value(.verbatim) }

  var parts: [FormPart] { [] }

  // Part of the template like any other literal.
  var node: DataTemplate.Node { value.value.unverbatim }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    try writing.find(value.value)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { value.value.shape(read) }
}

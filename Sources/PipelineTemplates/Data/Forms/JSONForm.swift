internal import PipelineJSONPaths
internal import PipelineJSONText

/// The value as JSON text.
struct JSONForm: DeclaredForm {
  static let title = FormTitle(
    "$json", "the value as JSON text", example: #"{"$json": {"id": "{{user.id}}"}}"#, takes: .any,
    isAlwaysAlone: true, isTyped: false)

  private let value: FormPart

  init?(_ keys: inout FormKeys) { value = keys.value(.data) }

  var parts: [FormPart] { [value] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    var writer = JSONWriter(style: .compact)
    guard try writing.write(value.value, named: nil, to: &writer) else { return .absent }
    return .text(String(decoding: writer.bytes, as: UTF8.self))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(value.value.shape(read).maybeAbsent)
  }
}

internal import PipelineJSONPaths
internal import PipelineJSONText

/// Each element once.
struct UniqueForm: DeclaredForm {
  static let title = FormTitle(
    "$unique", "each element once; of equal ones the first", example: #"{"$unique": "$.list.ids"}"#,
    takes: .list, isAlwaysAlone: true)

  private let list: FormPart

  init?(_ keys: inout FormKeys) { list = keys.checkedValue() }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    try writing.elements(of: list).map { .list($0.distinct) } ?? .absent
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = list.value.shape(read)
    return .list(given.element).absent(given.maybeAbsent)
  }
}

internal import PipelineJSONPaths
internal import PipelineJSONText

/// The sum of numbers, exact to the last digit.
struct SumForm: DeclaredForm {
  static let title = FormTitle(
    "$sum", "the sum of the numbers, exact to the last digit",
    example: #"{"$sum": "$.list.rows[*].price"}"#, takes: .numbers,
    isAlwaysAlone: true)

  private let list: FormPart

  init?(_ keys: inout FormKeys) { list = keys.checkedValue() }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let numbers = try writing.numbers(of: list) else { return .absent }
    guard let text = DecimalSum.text(of: numbers) else {
      throw list.failure(.dataForm, "the sum would have more than \(DecimalSum.digitLimit) digits")
    }
    return .number(text)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { list.value.numberShape(read) }
}

internal import PipelineJSONPaths
internal import PipelineJSONText

/// One number less another.
struct DifferenceForm: DeclaredForm {
  static let title = FormTitle(
    "$difference", "the first number less the second, exact",
    example: #"{"$difference": ["{{order.total}}", "{{order.paid}}"]}"#, takes: .twoNumbers)

  private let list: FormPart

  init?(_ keys: inout FormKeys) {
    list = keys.checkedValue()
    keys.requireTwo(list)
  }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let (first, second) = try writing.twoNumbers(of: list) else { return .absent }
    guard let text = DecimalSum.difference(first, second) else {
      throw list.failure(
        .dataForm, "the difference would have more than \(DecimalSum.digitLimit) digits")
    }
    return .number(text)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { list.value.numberShape(read).absent() }
}

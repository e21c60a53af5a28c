internal import PipelineJSONPaths
internal import PipelineJSONText

/// The product of numbers, exact to the last digit.
struct ProductForm: DeclaredForm {
  static let title = FormTitle(
    "$product", "the product of the numbers, exact; of none it is 1",
    example: #"{"$product": ["{{line.price}}", "{{line.count}}"]}"#, takes: .numbers)

  private let list: FormPart

  init?(_ keys: inout FormKeys) { list = keys.checkedValue() }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let numbers = try writing.numbers(of: list) else { return .absent }
    guard let text = DecimalProduct.text(of: numbers) else {
      throw list.failure(
        .dataForm, "the product would have more than \(DecimalSum.digitLimit) digits")
    }
    return .number(text)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape { list.value.numberShape(read) }
}

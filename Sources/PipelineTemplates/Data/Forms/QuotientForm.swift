internal import PipelineJSONPaths
internal import PipelineJSONText

/// One number divided by another, rounded.
struct QuotientForm: DeclaredForm {
  static let title = FormTitle(
    "$quotient", "the first number divided by the second, rounded half away from zero",
    example: #"{"$quotient": {"of": ["{{deal.cents}}", 100], "places": 2}}"#, takes: .twoNumbers)

  private let list: FormPart
  private let places: Int

  init?(_ keys: inout FormKeys) {
    list = keys.checkedValue()
    let places = keys.whole(
      "places", in: 0...40, "The number of decimal places.", example: "2", isRequired: true)
    keys.requireTwo(list)
    guard let places else { return nil }
    self.places = places
  }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let (first, second) = try writing.twoNumbers(of: list) else { return .absent }
    switch DecimalQuotient.text(of: first, by: second, places: places) {
    case .success(let text): return .number(text)
    case .failure(.zero): throw zeroDivisor
    case .failure(.digits):
      throw list.failure(
        .dataForm, "the quotient would have more than \(DecimalSum.digitLimit) digits")
    }
  }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    guard case .array(let items) = list.value, items.count == 2, isKnown(items[1]),
      let divisor = try writing.value(of: items[1]), divisor.kind == .number
    else { return }
    if case .failure(.zero) = DecimalQuotient.text(of: divisor, by: divisor, places: 0) {
      throw zeroDivisor
    }
  }

  private var zeroDivisor: DataError {
    list.failure(.dataForm, "'$quotient' cannot divide by 0")
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    (places == 0 ? ValueShape.integer : .number).absent()
  }
}

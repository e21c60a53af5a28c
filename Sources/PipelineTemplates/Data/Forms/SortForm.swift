internal import PipelineJSONPaths
internal import PipelineJSONText

/// A list in order.
struct SortForm: DeclaredForm {
  static let title = FormTitle(
    "$sort",
    "the list in order: of numbers, of texts by their scalars, or of moments. Equal elements keep "
      + "their order",
    example: #"{"$sort": {"of": "$.list.rows", "by": "@.created"}}"#, takes: .list)

  private let list: FormPart
  private let key: Query?
  private let isDescending: Bool

  init?(_ keys: inout FormKeys) {
    list = keys.checkedValue()
    key = keys.elementQuery(
      "by", "The value of an element that decides; elements without it come last.",
      example: #""@.created""#)
    isDescending = keys.flag("descending", "Whether the greatest comes first.")
  }

  var parts: [FormPart] { [list] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let elements = try writing.elements(of: list) else { return .absent }
    let keys = elements.map { element in
      key.map { $0.first(in: QueryContext(element)) } ?? element
    }
    let sorted = elements.indices.filter { keys[$0] != nil }
    let order = try ElementOrder(
      keys.compactMap { $0 }, of: list.taking(.ordered))
    // `sort` of the standard library is stable in practice, but does not promise it.
    let places = sorted.indices.sorted { one, other in
      let (first, second) = isDescending ? (other, one) : (one, other)
      if order.isLess(first, second) { return true }
      return !order.isLess(second, first) && one < other
    }
    return .list(
      places.map { elements[sorted[$0]] }
        + elements.indices.filter { keys[$0] == nil }.map { elements[$0] })
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = list.value.shape(read)
    return .list(given.element).absent(given.maybeAbsent)
  }
}

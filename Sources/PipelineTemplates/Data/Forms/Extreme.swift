internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

/// The least or the greatest element of a list: `$min` and `$max`.
struct Extreme: Sendable {
  private let list: FormPart
  private let fallback: FormPart?
  private let isMax: Bool

  init(_ keys: inout FormKeys, isMax: Bool) {
    list = keys.checkedValue()
    fallback = keys.data("default", "The value if there is no element.", example: "0")
    self.isMax = isMax
  }

  var parts: [FormPart] { [list] + (fallback.map { [$0] } ?? []) }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    if let elements = try writing.elements(of: list), !elements.isEmpty {
      let order = try ElementOrder(elements, of: list)
      let best = elements.indices.dropFirst().reduce(0) { best, place in
        (isMax ? order.isLess(best, place) : order.isLess(place, best)) ? place : best
      }
      return .node(elements[best])
    }
    return try fallback.map { part throws(DataError) in try writing.find(part.value) } ?? .absent
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    var shape = list.value.shape(read).element.absent()
    shape.maybeNull = false
    guard let fallback else { return shape }
    return shape.absentNever.union(fallback.value.shape(read))
  }
}

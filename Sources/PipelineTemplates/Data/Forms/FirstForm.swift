package import PipelineJSONPaths
internal import PipelineJSONText

/// The first element that is present.
package struct FirstForm: DeclaredForm {
  package static let title = FormTitle(
    "$first", "the first element that is there",
    example: #"{"$first": ["{{user.address}}", "{{company.address}}"]}"#, takes: .list,
    isAlwaysAlone: true)

  package let list: FormPart
  private let fallback: FormPart?

  package init?(_ keys: inout FormKeys) {
    list = keys.checkedValue(mayBeMissing: true)
    fallback = keys.data("default", "The value if no element is there.", example: #""none""#)
  }

  package var parts: [FormPart] { [list] + (fallback.map { [$0] } ?? []) }

  package func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    if let value = try first(writing) { return .node(value) }
    return try fallback.map { part throws(DataError) in try writing.find(part.value) } ?? .absent
  }

  /// A value that cannot be made because a part is absent is absent, too.
  private func first(_ writing: DataWriting) throws(DataError) -> JSONNode? {
    guard case .array(let items) = list.value else { return try writing.elements(of: list)?.first }
    for item in items {
      do throws(DataError) {
        if let value = try writing.value(of: item) { return value }
      } catch  where error.reason == .absent {
        continue
      }
    }
    return nil
  }

  package func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let shape = shapeOfElement(read)
    guard let fallback, shape.maybeAbsent else { return shape }
    let other = fallback.value.shape(read)
    return shape.absentNever.union(other)
  }

  private func shapeOfElement(_ read: (Query) -> ValueShape) -> ValueShape {
    guard case .array(let items) = list.value else {
      return list.value.shape(read).element.absent()
    }
    let shapes = items.map { $0.shape(read) }
    // Alternatives after one that always exists are never taken.
    let end = shapes.indices.first { !shapes[$0].maybeAbsent && !items[$0].mayLackPart(read) }
    return ValueShape.union(of: shapes[...(end ?? shapes.count - 1)].map(\.absentNever))
      .absent(end == nil)
  }
}

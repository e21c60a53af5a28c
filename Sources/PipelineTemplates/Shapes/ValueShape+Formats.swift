package import PipelineFormats

extension ValueShape {
  /// A body or a file that is read in a format; `nil` if nothing is known of it.
  package init?(_ format: BodyFormat) {
    switch format {
    case .json: return nil
    case .text: self = .string
    case .lines: self = .list(.present)
    case .xml: self = .object([:], isOpen: true)
    case .events:
      let data = Content.choice([.string, .list(.present), .object([:], isOpen: true)])
      self = .list(
        .object(["event": .string, "data": ValueShape(data), "id": ValueShape.string.absent()]))
    case .separated(let format): self = .list(Self.row(of: format))
    }
  }

  /// A row of a table. An empty field is absent.
  private static func row(of format: SeparatedFormat) -> ValueShape {
    if !format.hasHeader {
      guard !format.columns.isEmpty else { return .list(field(of: nil, format).nullable()) }
      return .object(columns(of: format))
    }
    guard !format.isTyped else { return .object(columns(of: format), isOpen: true) }
    var row = ValueShape(TableSource(format, columns(of: format)))
    (row.maybeAbsent, row.maybeNull) = (false, false)
    return row
  }

  private static func columns(of format: SeparatedFormat) -> ShapeMembers {
    ShapeMembers(format.columns.lazy.map { ($0.name, field(of: $0.type, format).absent()) })
  }

  private static func field(of type: ColumnType?, _ format: SeparatedFormat) -> ValueShape {
    switch type {
    case nil: format.isTyped ? .present : .string
    case .string: .string
    case .integer: .integer
    case .number: .number
    case .boolean: .boolean
    case .date: .date
    case .datetime: .moment
    case .array: .list(.present)
    case .object: .object([:], isOpen: true)
    }
  }
}

/// A row of a table whose columns its header names: those that have no type are texts.
private final class TableSource: ShapeSource {
  private let format: SeparatedFormat
  private let columns: ShapeMembers

  init(_ format: SeparatedFormat, _ columns: ShapeMembers) {
    self.format = format
    self.columns = columns
  }

  var content: ValueShape.Content { .object(columns, isOpen: true) }
  var detail: String? { nil }

  func other(_ name: String) -> ValueShape? { ValueShape.string.absent() }

  func isSame(as other: any ShapeSource) -> Bool {
    (other as? TableSource)?.format == format
  }
}

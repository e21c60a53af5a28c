internal import PipelineJSONText

/// The columns of a table, with what is written before the values of each.
struct TableColumns: Sendable {
  /// What the reader of a row needs of a column.
  struct Slot: Sendable {
    /// Where the member's beginning is in `members`: `,"name":`.
    let offset: Int
    let length: Int
    /// `nil` for a text.
    let type: ColumnType?
  }

  let names: [String]
  private(set) var slots: [Slot] = []
  /// The beginnings of all members, and what may be read behind the last one.
  private(set) var members: [UInt8] = []

  init(_ columns: [(name: String, type: ColumnType?)]) {
    names = columns.map(\.name)
    for column in columns {
      var writer = JSONWriter()
      writer.string(column.name)
      let member = [Byte.comma] + writer.bytes + [Byte.colon]
      slots.append(Slot(offset: members.count, length: member.count, type: column.type))
      members += member
    }
    members += [UInt8](repeating: 0, count: ByteRoom.slack)
  }
}

internal import PipelineByteText
package import PipelineJSONText

/// The columns of a table, found in its rows: a column for each name of a member, in the order in
/// which they first appear.
///
/// A row that is not an object has one value, in the column `value`. A row that is `null` has none.
package struct Columns: Sendable {
  package private(set) var list: [Column] = []
  /// The names' bytes, by which members are compared.
  private var names: [[UInt8]] = []
  private var positions: [ExactText: Int] = [:]
  package private(set) var rowCount = 0

  /// The column of rows that are not objects.
  package static let valueName = "value"

  /// With more columns it is not a table, and each of them takes memory.
  package static let limit = 10_000

  package init() {}

  /// Looks at a row.
  package mutating func learn(_ row: JSONNode) throws(TableProblem) {
    rowCount += 1
    guard row.kind == .object else {
      if row.isNull { return }
      return note(row, at: try position(adding: Self.valueName))
    }
    var expected = 0
    for member in row.members {
      let position: Int
      if isName(member, of: expected) {
        position = expected
      } else {
        position = try self.position(adding: member.name)
      }
      note(member.value, at: position)
      expected = position + 1
    }
  }

  private mutating func note(_ value: JSONNode, at position: Int) {
    list[position].kinds.formUnion(Column.Kinds(of: value))
    list[position].count += 1
  }

  private mutating func position(adding name: String) throws(TableProblem) -> Int {
    if let known = positions[ExactText(name)] { return known }
    guard list.count < Self.limit else {
      throw TableProblem(
        "row \(rowCount) has a column '\(name)' more than the \(Self.limit) that a table may have")
    }
    positions[ExactText(name)] = list.count
    names.append(Array(name.utf8))
    list.append(Column(name: name))
    return list.count - 1
  }

  private func isName(_ member: JSONMember, of position: Int) -> Bool {
    position < names.count && member.withNameUTF8 { $0.elementsEqual(names[position]) }
  }

  /// The position of a column.
  package func position(of name: String) -> Int? { positions[ExactText(name)] }

  /// The values of a row in the columns' order; `nil` if the row has none there. Of members with
  /// one name the first counts.
  ///
  /// - Parameter cells: As many as columns. Their old content is replaced.
  package func read(_ row: JSONNode, into cells: inout [JSONNode?]) {
    for position in cells.indices { cells[position] = nil }
    guard row.kind == .object else {
      if !row.isNull, let position = position(of: Self.valueName) { cells[position] = row }
      return
    }
    var expected = 0
    for member in row.members {
      guard
        let position = isName(member, of: expected) ? expected : self.position(of: member.name)
      else { continue }
      if cells[position] == nil { cells[position] = member.value }
      expected = position + 1
    }
  }
}

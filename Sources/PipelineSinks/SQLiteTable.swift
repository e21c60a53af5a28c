internal import PipelineByteText
package import PipelineFormats
package import PipelineJSONText
internal import PipelineJournals
internal import SQLiteJournals

/// A table of an SQLite file that takes rows, all of them or none.
///
/// Without a key the table is replaced. With a key, a row replaces the one with the same key, and
/// the other rows stay.
package final class SQLiteTable {
  private let path: String
  private let name: String
  private let key: [String]
  private let database: SQLiteDatabase

  /// Gives rows to a closure, one after the other.
  package typealias Rows = (_ body: (JSONNode) throws(TableProblem) -> Void) throws(TableProblem) ->
    Void

  /// How long another process may keep the file, in milliseconds.
  private static let patience = 5_000

  /// Opens the file, which is made if it is missing.
  package init(path: String, name: String, key: [String]) throws(TableProblem) {
    self.path = path
    self.name = name
    self.key = key
    database = try Self.problem { () throws(JournalError) in
      let database = try SQLiteDatabase(path: path, noun: "database")
      try database.execute("PRAGMA busy_timeout=\(Self.patience)")
      return database
    }
  }

  /// Why the file cannot be written, if that is known before there are rows; `nil` if it can.
  ///
  /// - Parameter exists: Whether there is a file. None is made.
  package static func problem(with path: String, exists: Bool) -> TableProblem? {
    do throws(TableProblem) {
      try problem { () throws(JournalError) in
        let database = try SQLiteDatabase(path: exists ? path : ":memory:", noun: "database")
        try database.forEachRow("SELECT count(*) FROM sqlite_schema") { _ in false }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Writes rows in one transaction.
  package func load(_ columns: Columns, _ rows: Rows) throws(TableProblem) {
    try check(columns)
    try execute("BEGIN IMMEDIATE")
    do throws(TableProblem) {
      if key.isEmpty { try replace(columns, rows) } else { try merge(columns, rows) }
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  // MARK: All rows

  private func replace(_ columns: Columns, _ rows: Rows) throws(TableProblem) {
    if columns.rowCount == 0 {
      if try !existingColumns().isEmpty { try execute("DELETE FROM \(quoted(name))") }
      return
    }
    // Columns that others have added to the table are added to the new one.
    var additions: [String] = []
    try forEachRow(
      "SELECT sql FROM sqlite_master WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL"
        + " AND type IN ('index', 'trigger')", [.text(name)]
    ) { additions.append($0.text(0)) }
    try execute("DROP TABLE IF EXISTS \(quoted(name))")
    try create(columns)
    try insert(columns, columns.list.map(Self.storage), then: "", rows)
    for addition in additions { try execute(addition) }
  }

  private func create(_ columns: Columns) throws(TableProblem) {
    var lines = columns.list.map { column in
      let type = Self.declaration(of: column.valueKinds)
      return quoted(column.name) + (type.isEmpty ? "" : " " + type)
    }
    // Rows without any value.
    if lines.isEmpty { lines = [quoted(Columns.valueName)] }
    if !key.isEmpty { lines.append("PRIMARY KEY (\(list(key)))") }
    try execute("CREATE TABLE \(quoted(name)) (\(lines.joined(separator: ", ")))")
  }

  // MARK: By key

  private func merge(_ columns: Columns, _ rows: Rows) throws(TableProblem) {
    if columns.rowCount == 0 { return }
    for column in key where columns.position(of: column) == nil {
      let names = columns.list.prefix(20).map { "'\($0.name)'" }.joined(separator: ", ")
      throw TableProblem("no row has '\(column)', which is the key; the columns are \(names)")
    }
    let existing = try existingColumns()
    var storages = columns.list.map(Self.storage)
    if existing.isEmpty {
      try create(columns)
    } else {
      for (position, column) in columns.list.enumerated() {
        let known = existing.first { $0.name.equalsIgnoringASCIICase(column.name) }
        guard let known else {
          let type = Self.declaration(of: column.valueKinds)
          try execute("ALTER TABLE \(quoted(name)) ADD COLUMN \(quoted(column.name)) \(type)")
          continue
        }
        storages[position] = try storage(of: column, in: known)
      }
    }
    let others = columns.list.filter { !key.contains(bytes: $0.name) }
    let changes = others.map { "\(quoted($0.name)) = excluded.\(quoted($0.name))" }
    let action =
      changes.isEmpty ? "DO NOTHING" : "DO UPDATE SET " + changes.joined(separator: ", ")
    try insert(columns, storages, then: " ON CONFLICT (\(list(key))) \(action)", rows)
  }

  // MARK: Columns

  /// How the numbers of a column are stored.
  private enum Storage {
    /// As numbers, if no digit is lost.
    case numbers
    /// As their digits.
    case digits
  }

  private struct ExistingColumn {
    let name: String
    let type: String
  }

  /// The type that a column is declared with. Without one SQLite stores each value as it is.
  static func declaration(of kinds: Column.Kinds) -> String {
    if kinds.isEmpty { return "" }
    if kinds.isSubset(of: .integers) { return "INTEGER" }
    if kinds.isSubset(of: [.integer, .real]) { return "REAL" }
    if kinds == .boolean { return "BOOLEAN" }
    if kinds.isSubset(of: [.text, .list, .object]) { return "TEXT" }
    return kinds.isSubset(of: .numbers) && kinds.contains(.longNumber) ? "TEXT" : ""
  }

  private static func storage(of column: Column) -> Storage {
    declaration(of: column.valueKinds) == "TEXT" ? .digits : .numbers
  }

  /// How values are stored in an existing column, whose type may change them.
  private func storage(
    of column: Column, in existing: ExistingColumn
  ) throws(TableProblem) -> Storage {
    let type = existing.type.lowercasedASCII
    var wrong: Column.Kinds
    // https://www.sqlite.org/datatype3.html, section 3.1, in its order.
    if type.contains(bytes: "int") {
      wrong = [.longNumber, .text]
    } else if ["char", "clob", "text"].contains(where: { type.contains(bytes: $0) }) {
      return .digits
    } else if type.isEmpty || type.contains(bytes: "blob") {
      return .numbers
    } else if ["real", "floa", "doub"].contains(where: { type.contains(bytes: $0) }) {
      wrong = [.longNumber, .text, .longInteger]
    } else {
      wrong = [.longNumber, .text]
    }
    wrong.formIntersection(column.valueKinds)
    guard !wrong.isEmpty else { return .numbers }
    let what =
      wrong.contains(.text)
      ? "texts, which SQLite may turn into numbers"
      : "numbers of which SQLite would lose digits"
    throw TableProblem(
      "column '\(column.name)' of table '\(name)' is \(existing.type), and the rows have \(what);"
        + " make it TEXT, or name another table")
  }

  private func existingColumns() throws(TableProblem) -> [ExistingColumn] {
    var columns: [ExistingColumn] = []
    try forEachRow("SELECT name, type FROM pragma_table_info(?)", [.text(name)]) { row in
      columns.append(ExistingColumn(name: row.text(0), type: row.text(1)))
    }
    return columns
  }

  private func check(_ columns: Columns) throws(TableProblem) {
    var known: [ExactText: String] = [:]
    for column in columns.list {
      if column.name.utf8.contains(0) {
        throw TableProblem("a column's name has the character U+0000, which SQLite cannot take")
      }
      if let other = known.updateValue(column.name, forKey: ExactText(column.name.lowercasedASCII))
      {
        throw TableProblem(
          "the columns '\(other)' and '\(column.name)' differ only in case, so SQLite takes them"
            + " for one; rename one of them in an 'extract' or in 'values'")
      }
    }
  }

  // MARK: Rows

  private func insert(
    _ columns: Columns, _ storages: [Storage], then rest: String, _ rows: Rows
  ) throws(TableProblem) {
    let keyPositions = key.compactMap { columns.position(of: $0) }
    let names = columns.list.isEmpty ? [Columns.valueName] : columns.list.map(\.name)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let sql = "INSERT INTO \(quoted(name)) (\(list(names))) VALUES (\(marks))\(rest)"
    var cells = [JSONNode?](repeating: nil, count: columns.list.count)
    var values = SQLiteRow()
    var number = 0
    try rows { row throws(TableProblem) in
      number += 1
      columns.read(row, into: &cells)
      for position in keyPositions where cells[position]?.isNull ?? true {
        throw TableProblem("row \(number) has no '\(names[position])', which is the key")
      }
      values.removeAll()
      for (cell, storage) in zip(cells, storages) { Self.add(cell, storage, to: &values) }
      if cells.isEmpty { values.addNull() }
      do throws(TableProblem) {
        try Self.problem { () throws(JournalError) in try database.run(sql, values) }
      } catch {
        throw refusal(of: row, number, columns, error)
      }
    }
  }

  /// Why SQLite does not take a row. Of a key that is the number of a row it says only "datatype
  /// mismatch".
  private func refusal(
    of row: JSONNode, _ number: Int, _ columns: Columns, _ problem: TableProblem
  ) -> TableProblem {
    var cells = [JSONNode?](repeating: nil, count: columns.list.count)
    columns.read(row, into: &cells)
    if key.count == 1, let position = columns.position(of: key[0]), let cell = cells[position],
      let existing = (try? existingColumns())?.first(where: {
        $0.name.equalsIgnoringASCIICase(key[0])
      }), existing.type.equalsIgnoringASCIICase("INTEGER"), cell.number?.int == nil
    {
      return TableProblem(
        "row \(number) has '\(cell.string ?? cell.text)' in '\(key[0])', which is an INTEGER key of"
          + " table '\(name)'; make the column TEXT, or name another table")
    }
    return TableProblem("row \(number): \(problem.message)")
  }

  private static func add(_ value: JSONNode?, _ storage: Storage, to row: inout SQLiteRow) {
    guard let value else { return row.addNull() }
    switch value.kind {
    case .null: row.addNull()
    case .boolean: row.add(value.boolean == true ? 1 : 0)
    case .string: value.document.withUTF8(at: value.index) { row.add($0) }
    case .array, .object:
      var writer = JSONWriter()
      writer.value(value)
      row.add(writer.bytes[...])
    case .number:
      let kind = Column.Kinds(of: value)
      if storage == .digits || kind == .longNumber {
        row.add(value.utf8)
      } else if kind == .real {
        row.add(value.number?.double ?? 0)
      } else {
        row.add(Int(value.text) ?? 0)
      }
    }
  }

  // MARK: SQL

  private func quoted(_ name: String) -> String {
    "\"" + name.replacing(bytes: "\"", with: "\"\"") + "\""
  }

  private func list(_ names: [String]) -> String {
    names.map { quoted($0) }.joined(separator: ", ")
  }

  private func execute(_ sql: String) throws(TableProblem) {
    try Self.problem { () throws(JournalError) in try database.execute(sql) }
  }

  private func forEachRow(
    _ sql: String, _ values: [SQLiteValue], _ body: (SQLiteStatement) -> Void
  ) throws(TableProblem) {
    try Self.problem { () throws(JournalError) in
      try database.forEachRow(sql, values) { row in
        body(row)
        return true
      }
    }
  }

  private static func problem<Value>(
    _ body: () throws(JournalError) -> Value
  ) throws(TableProblem) -> Value {
    do throws(JournalError) {
      return try body()
    } catch {
      throw TableProblem(error.message)
    }
  }
}

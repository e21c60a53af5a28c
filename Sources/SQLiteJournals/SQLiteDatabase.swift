internal import CPipelineSQLite
internal import PipelineByteText
package import PipelineJournals
internal import PipelineTransports
internal import PipelineURIs
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One connection to an SQLite file. Used by one thread at a time.
///
/// Statements are prepared once and kept, by their text.
package final class SQLiteDatabase {
  private let path: String
  /// The name of the file in messages.
  private let noun: String
  private let database: OpaquePointer
  /// Whether SQLite has found that the file is damaged, or not a database.
  private(set) var isDamaged = false
  private var statements: [String: SQLiteStatement] = [:]
  /// Whether a transaction is open that ends with the connection.
  private var forgetsChanges = false

  /// Opens a file, which is made if it is missing.
  package convenience init(path: String, noun: String = "journal") throws(JournalError) {
    let flags = CSQLITE_OPEN_READWRITE.rawValue | CSQLITE_OPEN_CREATE.rawValue
    try self.init(path, noun, file: path, flags)
  }

  /// Opens a file that no process writes while it is open. It is not locked, and no file appears
  /// beside it.
  convenience init(unchanging path: String) throws(JournalError) {
    let uri = "file:" + URI.percentEncode(path, allowing: .path)
    let flags = CSQLITE_OPEN_READONLY.rawValue | CSQLITE_OPEN_URI.rawValue
    try self.init(path, "journal", file: uri + "?immutable=1", flags)
  }

  private init(
    _ path: String, _ noun: String, file: String, _ flags: UInt32
  ) throws(JournalError) {
    try Self.load()
    self.path = path
    self.noun = noun
    var database: OpaquePointer?
    let code = csqlite_open(file, &database, Int32(flags | CSQLITE_OPEN_NOMUTEX.rawValue))
    guard code == CSQLITE_OK.rawValue, let database else {
      if let database { _ = csqlite_close(database) }
      throw Self.error(path, noun, code, nil)
    }
    self.database = database
  }

  deinit {
    for statement in statements.values { _ = csqlite_finalize(statement.pointer) }
    _ = csqlite_close(database)
  }

  /// The result of loading SQLite, which happens once.
  private static let problem = Mutex<String??>(nil)

  static func loadAhead() { try? load() }

  private static func load() throws(JournalError) {
    let problem = problem.withLock { known -> String? in
      if let known { return known }
      let path = getenv("PIPELINE_SQLITE")
      let problem = csqlite_load(path).map { String(cString: $0) }
      known = .some(problem)
      return problem
    }
    guard let problem else { return }
    throw JournalError(
      "SQLite cannot be loaded (\(problem)); install it ('libsqlite3-0' on Debian and Ubuntu,"
        + " 'sqlite-libs' on Fedora and Alpine)"
    )
  }

  package func execute(_ sql: String) throws(JournalError) {
    let code = csqlite_execute(database, sql)
    guard code == CSQLITE_OK.rawValue else { throw error(code) }
  }

  /// The number in the file for the version of its tables; 0: it has none yet.
  func version() throws(JournalError) -> Int {
    var version = 0
    try forEachRow("PRAGMA user_version") { row in
      version = row.number(0)
      return false
    }
    return version
  }

  /// The error of a file that holds what it cannot hold.
  var damage: JournalError { error(Int32(CSQLITE_CORRUPT.rawValue)) }

  /// - Throws: An error if the file holds views, or tables that a module of SQLite makes up: reading
  ///   them could take for ever.
  func requireOwnTables() throws(JournalError) {
    var isOdd = false
    try forEachRow(
      """
      SELECT name FROM sqlite_master
      WHERE type = 'view' OR type = 'table' AND sql LIKE 'CREATE VIRTUAL%'
      """
    ) { _ in
      isOdd = true
      return false
    }
    if isOdd { throw error(Int32(CSQLITE_NOTADB.rawValue)) }
  }

  /// Later changes are seen over this connection, and never reach the file.
  func forgetChanges() throws(JournalError) {
    try execute("BEGIN IMMEDIATE")
    forgetsChanges = true
  }

  /// Makes all changes of `body`, or none.
  func transaction(_ body: () throws(JournalError) -> Void) throws(JournalError) {
    if forgetsChanges { return try body() }
    try execute("BEGIN IMMEDIATE")
    do throws(JournalError) {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  func statement(_ sql: String) throws(JournalError) -> SQLiteStatement {
    if let known = statements[sql] { return known }
    var pointer: OpaquePointer?
    let code = csqlite_prepare(database, sql, &pointer)
    guard code == CSQLITE_OK.rawValue, let pointer else { throw error(code) }
    let statement = SQLiteStatement(pointer: pointer)
    statements[sql] = statement
    return statement
  }

  /// Carries out a statement that gives no rows.
  func run(_ sql: String, _ values: [SQLiteValue] = []) throws(JournalError) {
    try run(sql, SQLiteRow(values))
  }

  /// Carries out a statement that gives no rows, with a value for each of its parameters.
  package func run(_ sql: String, _ row: SQLiteRow) throws(JournalError) {
    try run(try statement(sql), row)
  }

  /// The same for a statement that is carried out often.
  func run(_ query: SQLiteQuery, _ row: SQLiteRow) throws(JournalError) {
    if let statement = query.statement { return try run(statement, row) }
    let statement = try statement(query.sql)
    query.statement = statement
    try run(statement, row)
  }

  private func run(_ statement: SQLiteStatement, _ row: SQLiteRow) throws(JournalError) {
    try bind(row, to: statement) { statement throws(JournalError) in
      let code = csqlite_step(statement.pointer)
      if code != CSQLITE_DONE.rawValue, code != CSQLITE_ROW.rawValue { throw error(code) }
    }
  }

  /// Calls `body` with each row, until it returns `false`.
  package func forEachRow(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) -> Bool
  ) throws(JournalError) {
    try bind(SQLiteRow(values), to: try statement(sql)) { statement throws(JournalError) in
      while true {
        let code = csqlite_step(statement.pointer)
        if code == CSQLITE_DONE.rawValue { return }
        guard code == CSQLITE_ROW.rawValue else { throw error(code) }
        guard body(statement) else { return }
      }
    }
  }

  /// Calls `body` with a statement to which the values of a row are bound until it returns.
  private func bind(
    _ row: SQLiteRow, to statement: SQLiteStatement,
    _ body: (SQLiteStatement) throws(JournalError) -> Void
  ) throws(JournalError) {
    defer { _ = csqlite_reset(statement.pointer) }
    try row.withUnsafeBytes { bytes throws(JournalError) in
      for (index, value) in row.values.enumerated() {
        let code = statement.bind(value, bytes, Int32(index + 1))
        guard code == CSQLITE_OK.rawValue else { throw error(code) }
      }
      try body(statement)
    }
  }

  private func error(_ code: Int32) -> JournalError {
    let number = UInt32(code & 0xFF)
    if number == CSQLITE_CORRUPT.rawValue || number == CSQLITE_NOTADB.rawValue { isDamaged = true }
    return Self.error(path, noun, code, database)
  }

  private static func error(
    _ path: String, _ noun: String, _ code: Int32, _ database: OpaquePointer?
  ) -> JournalError {
    let reason =
      switch UInt32(code & 0xFF) {
      case CSQLITE_BUSY.rawValue: "another process has it open"
      case CSQLITE_FULL.rawValue: "the disk is full"
      case CSQLITE_READONLY.rawValue: "it cannot be written"
      case CSQLITE_CANTOPEN.rawValue: "it cannot be opened"
      case CSQLITE_CORRUPT.rawValue: "it is damaged"
      case CSQLITE_NOTADB.rawValue: "it is not a \(noun), or it is damaged"
      default: database.map { String(cString: csqlite_message($0)) } ?? "SQLite gave code \(code)"
      }
    return JournalError("the \(noun) '\(path)' cannot be used: \(reason)")
  }
}

/// A statement of one connection that is found without its text: to look a text up takes as long as
/// to carry the statement out.
final class SQLiteQuery {
  fileprivate let sql: String
  fileprivate var statement: SQLiteStatement?

  init(_ sql: String) { self.sql = sql }
}

/// Values for the parameters of a statement, their texts in one buffer.
package struct SQLiteRow {
  enum Value {
    case null
    case number(Int)
    case real(Double)
    /// UTF-8, by its place in the buffer.
    case text(Range<Int>)
    /// Bytes, by their place in the buffer.
    case blob(Range<Int>)
  }

  private(set) var values: [Value] = []
  private var bytes: [UInt8] = []

  package init() {}

  init(_ values: [SQLiteValue]) {
    for value in values {
      switch value {
      case .null: addNull()
      case .number(let number): add(number)
      case .real(let number): add(number)
      case .text(let text): add(text: text)
      case .blob(let bytes): add(blob: bytes)
      }
    }
  }

  package mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func addNull() { values.append(.null) }
  package mutating func add(_ number: Int) { values.append(.number(number)) }
  package mutating func add(_ number: Double) { values.append(.real(number)) }

  mutating func add(_ number: Int?) {
    if let number { add(number) } else { addNull() }
  }

  /// - Parameter text: UTF-8.
  package mutating func add(_ text: ArraySlice<UInt8>) { add(text: text) }

  /// - Parameter text: UTF-8.
  mutating func add(text: some Collection<UInt8>) {
    values.append(.text(append { $0.append(contentsOf: text) }))
  }

  mutating func add(text: String?) {
    if let text { add(text: text.utf8) } else { addNull() }
  }

  mutating func add(_ fingerprint: Fingerprint?) {
    guard let fingerprint else { return addNull() }
    values.append(
      .blob(
        append { bytes in
          Swift.withUnsafeBytes(of: (fingerprint.high.bigEndian, fingerprint.low.bigEndian)) {
            bytes.append(contentsOf: $0)
          }
        }))
  }

  mutating func add(blob: [UInt8]?) {
    guard let blob else { return addNull() }
    values.append(.blob(append { $0.append(contentsOf: blob) }))
  }

  /// A text that `write` appends to what it is given.
  mutating func addText(_ write: (inout [UInt8]) -> Void) { values.append(.text(append(write))) }

  private mutating func append(_ write: (inout [UInt8]) -> Void) -> Range<Int> {
    let start = bytes.count
    write(&bytes)
    return start..<bytes.count
  }

  func withUnsafeBytes(
    _ body: (UnsafeRawBufferPointer) throws(JournalError) -> Void
  ) throws(JournalError) {
    try bytes.withUnsafeBufferPointer { buffer throws(JournalError) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}

/// A value that is bound to a parameter.
package enum SQLiteValue {
  case null
  case number(Int)
  case real(Double)
  /// UTF-8
  case text([UInt8])
  case blob([UInt8])

  package static func text(_ text: String) -> SQLiteValue { .text(Array(text.utf8)) }
  static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}

/// A prepared statement. After a step, the columns of a row.
package struct SQLiteStatement {
  let pointer: OpaquePointer

  fileprivate func bind(
    _ value: SQLiteRow.Value, _ bytes: UnsafeRawBufferPointer, _ parameter: Int32
  ) -> Int32 {
    switch value {
    case .null: return csqlite_bind_null(pointer, parameter)
    case .number(let number): return csqlite_bind_number(pointer, parameter, Int64(number))
    case .real(let number): return csqlite_bind_real(pointer, parameter, number)
    case .text(let range):
      let start = bytes.baseAddress.map { $0 + range.lowerBound }
      return csqlite_bind_text(
        pointer, parameter, start?.assumingMemoryBound(to: CChar.self), Int64(range.count))
    case .blob(let range):
      let start = bytes.baseAddress.map { $0 + range.lowerBound }
      return csqlite_bind_blob(pointer, parameter, start, Int64(range.count))
    }
  }

  func isNull(_ column: Int32) -> Bool { csqlite_is_null(pointer, column) != 0 }
  /// A number, within the limits of `FileNumber`.
  package func number(_ column: Int32) -> Int {
    FileNumber.integer(Int(clamping: csqlite_number(pointer, column)))
  }

  /// A time in seconds, within the limits of `FileNumber`.
  func real(_ column: Int32) -> Double { FileNumber.seconds(csqlite_real(pointer, column)) }

  /// Calls `body` with the bytes of a column, which are there until it returns.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let start = csqlite_bytes(pointer, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: Int(csqlite_byte_count(pointer, column))))
  }

  func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

  package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func textIfPresent(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

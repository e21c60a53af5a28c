internal import CPipelineSQLite
package import PipelineKit
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

  /// Opens a file, which is made if it is missing.
  package init(path: String, noun: String = "journal") throws(JournalError) {
    try Self.load()
    self.path = path
    self.noun = noun
    var database: OpaquePointer?
    let flags = CSQLITE_OPEN_READWRITE.rawValue | CSQLITE_OPEN_CREATE.rawValue
    let code = csqlite_open(path, &database, Int32(flags | CSQLITE_OPEN_NOMUTEX.rawValue))
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

  /// Makes all changes of `body`, or none.
  func transaction(_ body: () throws(JournalError) -> Void) throws(JournalError) {
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
    try forEachRow(sql, values) { _ in false }
  }

  /// Carries out a statement that gives no rows, with a value for each of its parameters.
  package func run(_ sql: String, _ row: SQLiteRow) throws(JournalError) {
    let statement = try statement(sql)
    defer { _ = csqlite_reset(statement.pointer) }
    try row.withUnsafeBytes { bytes throws(JournalError) in
      for (index, value) in row.values.enumerated() {
        let code = Self.bind(value, bytes, statement.pointer, Int32(index + 1))
        guard code == CSQLITE_OK.rawValue else { throw error(code) }
      }
      let code = csqlite_step(statement.pointer)
      guard code == CSQLITE_DONE.rawValue || code == CSQLITE_ROW.rawValue else {
        throw error(code)
      }
    }
  }

  private static func bind(
    _ value: SQLiteRow.Value, _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer,
    _ parameter: Int32
  ) -> Int32 {
    switch value {
    case .null: return csqlite_bind_null(statement, parameter)
    case .number(let number): return csqlite_bind_number(statement, parameter, Int64(number))
    case .real(let number): return csqlite_bind_real(statement, parameter, number)
    case .text(let range):
      let start = bytes.baseAddress.map { $0 + range.lowerBound }
      return csqlite_bind_text(
        statement, parameter, start?.assumingMemoryBound(to: CChar.self), Int64(range.count))
    }
  }

  /// Calls `body` with each row, until it returns `false`.
  package func forEachRow(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteStatement) -> Bool
  ) throws(JournalError) {
    let statement = try statement(sql)
    defer { _ = csqlite_reset(statement.pointer) }
    try bind(statement, values, 0) { () throws(JournalError) in
      while true {
        let code = csqlite_step(statement.pointer)
        if code == CSQLITE_DONE.rawValue { return }
        guard code == CSQLITE_ROW.rawValue else { throw error(code) }
        guard body(statement) else { return }
      }
    }
  }

  /// Binds values, whose bytes stay in place during `body`.
  private func bind(
    _ statement: SQLiteStatement, _ values: [SQLiteValue], _ index: Int,
    _ body: () throws(JournalError) -> Void
  ) throws(JournalError) {
    guard index < values.count else { return try body() }
    let (pointer, parameter) = (statement.pointer, Int32(index + 1))
    func next() throws(JournalError) { try bind(statement, values, index + 1, body) }
    func check(_ code: Int32) throws(JournalError) {
      guard code == CSQLITE_OK.rawValue else { throw error(code) }
    }
    switch values[index] {
    case .null: try check(csqlite_bind_null(pointer, parameter))
    case .number(let number): try check(csqlite_bind_number(pointer, parameter, Int64(number)))
    case .real(let number): try check(csqlite_bind_real(pointer, parameter, number))
    case .text(let bytes):
      return try bytes.withUnsafeBufferPointer { buffer throws(JournalError) in
        let start = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
        try check(csqlite_bind_text(pointer, parameter, start, Int64(buffer.count)))
        try next()
      }
    case .blob(let bytes):
      return try bytes.withUnsafeBufferPointer { buffer throws(JournalError) in
        try check(csqlite_bind_blob(pointer, parameter, buffer.baseAddress, Int64(buffer.count)))
        try next()
      }
    }
    try next()
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

/// The values of a row to be written, their texts in one buffer.
package struct SQLiteRow {
  enum Value {
    case null
    case number(Int)
    case real(Double)
    /// UTF-8, by its place in the buffer.
    case text(Range<Int>)
  }

  private(set) var values: [Value] = []
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func addNull() { values.append(.null) }
  package mutating func add(_ number: Int) { values.append(.number(number)) }
  package mutating func add(_ number: Double) { values.append(.real(number)) }

  /// - Parameter text: UTF-8.
  package mutating func add(_ text: ArraySlice<UInt8>) {
    let start = bytes.count
    bytes += text
    values.append(.text(start..<bytes.count))
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

  func isNull(_ column: Int32) -> Bool { csqlite_is_null(pointer, column) != 0 }
  package func number(_ column: Int32) -> Int { Int(csqlite_number(pointer, column)) }
  func real(_ column: Int32) -> Double { csqlite_real(pointer, column) }

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

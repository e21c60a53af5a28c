internal import PipelineByteText
internal import PipelineJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The tables of a cache. Several processes may have the file open: it has a rollback journal, and each
/// change is one transaction. Nothing waits for the disk, because a cache may be lost.
final class CacheFile {
  /// Changes with the tables. A file of another version is replaced.
  static let version = 1

  private let database: SQLiteDatabase
  private let mostBytes: Int
  /// How old the note of a response's last use may be, in seconds.
  private let usePrecision: Double
  /// Random bytes that digests begin with.
  let digestKey: [UInt8]

  /// Whether SQLite has found that the file is damaged.
  var isDamaged: Bool { database.isDamaged }

  /// Opens a file. One that is missing, damaged or of another version is begun, with `digestKey` if it is given.
  static func open(
    path: String, mostBytes: Int, usePrecision: Double, digestKey: [UInt8]? = nil
  ) throws(JournalError) -> CacheFile {
    do throws(JournalError) {
      return try CacheFile(path, mostBytes, usePrecision, digestKey)
    } catch {
      // A new file would not cure any other trouble.
      guard isUnusable(path) else { throw error }
    }
    remove(path)
    return try CacheFile(path, mostBytes, usePrecision, digestKey)
  }

  static func remove(_ path: String) {
    unlink(path)
    unlink(path + "-journal")
  }

  /// Whether a file is not a cache of this version, or cannot be read.
  private static func isUnusable(_ path: String) -> Bool {
    guard let database = try? SQLiteDatabase(path: path, noun: "cache") else { return false }
    do throws(JournalError) {
      // Another process may just be making it: until it is done the version is 0.
      guard [0, version].contains(try database.version()) else { return true }
      try database.requireOwnTables()
      return false
    } catch {
      return database.isDamaged
    }
  }

  private init(
    _ path: String, _ mostBytes: Int, _ usePrecision: Double, _ digestKey: [UInt8]?
  ) throws(JournalError) {
    PrivateFile.make(path)
    self.mostBytes = mostBytes
    self.usePrecision = usePrecision
    database = try SQLiteDatabase(path: path, noun: "cache")
    try database.execute(
      "PRAGMA busy_timeout=5000; PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF")
    try database.execute("BEGIN IMMEDIATE")
    do throws(JournalError) {
      switch try database.version() {
      case 0:
        try database.execute(Self.schema)
        let key = digestKey ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        try database.run("INSERT INTO facts VALUES ('key', ?)", [.blob(key)])
      case Self.version: try database.requireOwnTables()
      case let other:
        throw JournalError("the cache '\(path)' has version \(other)")
      }
      var key: [UInt8] = []
      try database.forEachRow("SELECT value FROM facts WHERE name = 'key'") { row in
        key = row.bytes(0)
        return false
      }
      self.digestKey = key
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  /// `size` is what all responses take together: adding it up at each change would take too long.
  private static let schema = """
    CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    INSERT INTO facts VALUES ('size', 0);
    CREATE TABLE responses (
      id INTEGER PRIMARY KEY, url BLOB, caller BLOB, variant BLOB, vary TEXT, status INTEGER,
      headers TEXT, requested REAL, received REAL, used REAL, size INTEGER, checksum BLOB,
      body BLOB);
    CREATE UNIQUE INDEX keys ON responses (url, caller, variant);
    CREATE INDEX uses ON responses (used);
    CREATE TRIGGER added AFTER INSERT ON responses BEGIN
      UPDATE facts SET value = value + NEW.size WHERE name = 'size'; END;
    CREATE TRIGGER removed AFTER DELETE ON responses BEGIN
      UPDATE facts SET value = value - OLD.size WHERE name = 'size'; END;
    PRAGMA user_version = \(version);
    """

  // MARK: Reading

  func responses(for key: CacheKey) throws(JournalError) -> [CachedResponse] {
    var found: [(response: CachedResponse, id: Int, used: Double, checksum: [UInt8])] = []
    try database.forEachRow(
      """
      SELECT id, status, headers, body, requested, received, vary, variant, used, checksum
      FROM responses WHERE url = ? AND caller = ? ORDER BY received DESC LIMIT 16
      """, [.blob(key.url), .blob(key.caller)]
    ) { row in
      let response = CachedResponse(
        status: row.number(1), headers: FieldLines.fields(row.text(2)), body: row.bytes(3),
        requestTime: row.real(4), responseTime: row.real(5),
        varyingFields: row.text(6).split(ascii: ",").map { String($0) }, variant: row.bytes(7))
      found.append((response, row.number(0), row.real(8), row.bytes(9)))
      return true
    }
    let now = Clock.now
    var intact: [CachedResponse] = []
    for entry in found {
      // SQLite does not notice all damage, and nothing waits for the disk.
      guard Self.checksum(of: entry.response, key) == entry.checksum else {
        try database.run("DELETE FROM responses WHERE id = ?", [.number(entry.id)])
        continue
      }
      intact.append(entry.response)
      if abs(now - entry.used) >= usePrecision {
        try database.run(
          "UPDATE responses SET used = ? WHERE id = ?", [.real(now), .number(entry.id)])
      }
    }
    return intact
  }

  // MARK: Writing

  func store(_ response: CachedResponse, for key: CacheKey) throws(JournalError) {
    let headers = FieldLines.text(response.headers)
    let size = response.body.count + headers.count + Self.rowSize
    guard size <= mostBytes / 4 else { return }
    try database.transaction { () throws(JournalError) in
      try database.run(
        "DELETE FROM responses WHERE url = ? AND caller = ? AND variant = ?",
        [.blob(key.url), .blob(key.caller), .blob(response.variant)])
      try database.run(
        "INSERT INTO responses VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .blob(key.url), .blob(key.caller), .blob(response.variant),
          .text(response.varyingFields.joined(separator: ",")), .number(response.status),
          .text(headers), .real(response.requestTime), .real(response.responseTime),
          .real(Clock.now), .number(size), .blob(Self.checksum(of: response, key)),
          .blob(response.body),
        ])
      try makeRoom()
    }
  }

  func drop(url: [UInt8]) throws(JournalError) {
    try database.run("DELETE FROM responses WHERE url = ?", [.blob(url)])
  }

  /// Removes what was not used for the longest time until the rest fits.
  private func makeRoom() throws(JournalError) {
    while try size() > mostBytes {
      try database.run(
        "DELETE FROM responses WHERE id IN (SELECT id FROM responses ORDER BY used, id LIMIT 1)")
    }
  }

  /// The size of all responses together, in bytes.
  func size() throws(JournalError) -> Int {
    var size = 0
    try database.forEachRow("SELECT value FROM facts WHERE name = 'size'") { row in
      size = row.number(0)
      return false
    }
    return size
  }

  /// The approximate size of a row, without its body and its header fields.
  private static let rowSize = 256

  /// Covers everything that decides who gets which response. A damaged key must not give one
  /// caller's response to another.
  private static func checksum(of response: CachedResponse, _ key: CacheKey) -> [UInt8] {
    var hash = SHA256()
    let times = "\(response.requestTime.bitPattern) \(response.responseTime.bitPattern)"
    let vary = response.varyingFields.joined(separator: ",")
    let texts = ["\(response.status)", times, vary].map { Array($0.utf8) }
    for text in texts + [FieldLines.text(response.headers)] {
      hash.update(text)
      hash.update([0])
    }
    for bytes in [key.url, key.caller, response.variant, response.body] {
      withUnsafeBytes(of: bytes.count.littleEndian) { hash.update($0) }
      hash.update(bytes)
    }
    return hash.finish()
  }
}

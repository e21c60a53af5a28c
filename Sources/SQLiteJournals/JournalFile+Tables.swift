// The tables of a journal, and what makes them of those of earlier versions.
extension JournalFile {
  /// Changes with the tables. A file of another version is refused.
  static let version = 4

  /// What makes the tables of a file of some version those of this one; `nil` if it is not known.
  static func changes(from version: Int) -> ArraySlice<String>? {
    if version == 0 { return [schema] }
    let changes = [fromVersion1, fromVersion2, fromVersion3]
    return (1...self.version).contains(version) ? changes.dropFirst(version - 1) : nil
  }

  private static let schema = """
    BEGIN;
    CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE processes (
      id INTEGER PRIMARY KEY, began REAL, status TEXT, duration REAL, requests INTEGER, report TEXT);
    CREATE TABLE steps (id INTEGER PRIMARY KEY, path TEXT UNIQUE);
    CREATE TABLE units (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, state TEXT, began INTEGER,
      took INTEGER, result TEXT, items BLOB);
    CREATE TABLE pages (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, number INTEGER, result TEXT,
      next TEXT, target TEXT, count INTEGER);
    CREATE TABLE sendings (
      id INTEGER PRIMARY KEY, step INTEGER, item TEXT, digest BLOB, method TEXT, url TEXT, time REAL,
      key TEXT, content BLOB, state TEXT, status INTEGER, items BLOB, around BLOB, request BLOB,
      subject TEXT, beginning TEXT, process INTEGER, target TEXT, headers TEXT, body BLOB,
      cleanup INTEGER);
    CREATE TABLE files (path TEXT PRIMARY KEY, owner TEXT, items BLOB) WITHOUT ROWID;
    PRAGMA user_version = \(version);
    COMMIT;
    """

  private static let fromVersion1 = """
    BEGIN;
    ALTER TABLE units ADD COLUMN items BLOB;
    ALTER TABLE sendings ADD COLUMN items BLOB;
    PRAGMA user_version = 2;
    COMMIT;
    """

  /// In version 2 nothing was kept of a request once its unit had succeeded. So each unit that
  /// succeeded stands for one: its step says now whether it may be sent twice.
  private static let fromVersion2 = """
    BEGIN;
    ALTER TABLE sendings ADD COLUMN around BLOB;
    ALTER TABLE sendings ADD COLUMN request BLOB;
    ALTER TABLE sendings ADD COLUMN subject TEXT;
    ALTER TABLE sendings ADD COLUMN beginning TEXT;
    ALTER TABLE sendings ADD COLUMN process INTEGER;
    ALTER TABLE sendings ADD COLUMN target TEXT;
    ALTER TABLE sendings ADD COLUMN headers TEXT;
    ALTER TABLE sendings ADD COLUMN body BLOB;
    INSERT INTO sendings (step, item, digest, method, url, time, state)
      SELECT step, item, digest, '', '', 0, 'done' FROM units
      WHERE state = 'done' AND digest IS NOT NULL ORDER BY id;
    PRAGMA user_version = 3;
    COMMIT;
    """

  private static let fromVersion3 = """
    BEGIN;
    ALTER TABLE files ADD COLUMN owner TEXT;
    ALTER TABLE files ADD COLUMN items BLOB;
    ALTER TABLE sendings ADD COLUMN cleanup INTEGER;
    PRAGMA user_version = \(version);
    COMMIT;
    """
}

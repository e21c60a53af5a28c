import PipelineTestSupport

@testable import SQLiteJournals

/// A journal that version 0.2.0 wrote: two orders that succeeded, and a bill that the server
/// accepted and whose extractor found nothing.
enum OldJournal {
  static let id = "46af36a6c3566845"

  static func workflow(extract: String = "$.body") -> String {
    """
    {"name": "orders", "defaults": {"baseURL": "http://127.0.0.1:18733"}, "steps": [
      {"id": "order", "forEach": ["ann", "ben"], "as": "customer", "endpoint": "POST /echo",
       "body": {"json": {"customer": "{{customer}}"}}, "extract": {"body": "\(extract)"}},
      {"id": "bill", "dependsOn": ["order"], "endpoint": "POST /echo", "body": {"json": {"sum": 1}},
       "extract": {"number": "$.number"}}],
     "outputs": {"orders": "$.order[*].body"}}
    """
  }

  /// Writes the workflow, and the store with the run. Returns the options that name the store.
  static func write(to folder: TemporaryFolder) throws -> [String] {
    let path = folder.write(workflow(), to: "w.json")
    folder.write("", to: "store/runs/\(id)/lock")
    let journal = folder.write("", to: "store/runs/\(id)/journal.sqlite")
    let database = try SQLiteDatabase(path: journal)
    try database.execute(
      schema + content.replacing("FOLDER", with: folder.path).replacing("FILE", with: path))
    return ["--quiet", "--store", folder.path + "/store"]
  }

  private static let schema = """
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
      key TEXT, content BLOB, state TEXT, status INTEGER, items BLOB);
    CREATE TABLE files (path TEXT PRIMARY KEY) WITHOUT ROWID;
    PRAGMA user_version = 2;
    """

  private static let content = """
    INSERT INTO run VALUES ('allowDirs', '[]'), ('environment', NULL), ('file', 'FILE'),
      ('folder', 'FOLDER'), ('id', '\(id)'), ('inputs', '{}'), ('outputDir', 'FOLDER'),
      ('path', 'FILE'), ('sandboxPort', '0'), ('startedAt', '1795463756.1943955'), ('state', '{}'),
      ('workflow', 'orders');
    INSERT INTO processes VALUES (1, 1795463756.1973443031, 'failed', 0.057838513, 3, '{}');
    INSERT INTO steps VALUES (1, 'order'), (2, 'bill');
    INSERT INTO units VALUES
      (1, 1, '0', X'385cee433db4572dfbeaccb658c5e82f', 'done', 4, 26,
       '{"body":"{\\"customer\\":\\"ann\\"}"}', NULL),
      (2, 1, '1', X'b59f7d9722e03edd0f92cedbe55b4b26', 'done', 5, 26,
       '{"body":"{\\"customer\\":\\"ben\\"}"}', NULL),
      (3, 2, NULL, X'98722c47dcdaf244701985de53a4235d', 'failed', 35, 25,
       '{"kind":"extract","status":200,"message":"nothing"}', NULL);
    INSERT INTO sendings VALUES (3, 2, NULL, X'98722c47dcdaf244701985de53a4235d', 'POST',
      'http://127.0.0.1:18733/echo', 1795463756.2276420593, NULL,
      X'4761c65a6786a9191746b5df1da858c5', 'answered', 200, X'00000000000000000000000000000001');
    """
}

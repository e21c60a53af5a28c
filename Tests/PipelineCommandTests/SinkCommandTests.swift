import Foundation
import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineCommand
@testable import PipelineEngine
@testable import PipelineTesting

/// `--sink` and the formats for rows as a user meets them.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct SinkCommandTests {
  private static let users = """
    {"name": "export", "defaults": {"baseURL": "sandbox:/"}, "steps": [
      {"id": "user", "forEach": [1, 2, 3], "as": "id", "endpoint": "GET /reqres/users/{{id}}",
       "extract": {"id": "$.data.id", "email": "$.data.email"}}],
     "outputs": {"users": "{{user}}", "count": 3}}
    """

  private static let csv = """
    id,email\r
    1,george.bluth@reqres.in\r
    2,janet.weaver@reqres.in\r
    3,emma.wong@reqres.in\r

    """

  private func rows(_ text: String) -> String {
    """
    {"inputs": {"rows": {"default": \(text)}}, "steps": [], "outputs": {"rows": "{{inputs.rows}}"}}
    """
  }

  @Test func anOutputGoesToAFileAndIsNotPrinted() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    let target = folder.path + "/users.csv"
    let outcome = await pipeline(["run", path, "--sink", "users=\(target)"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(folder.read("users.csv") == Self.csv)
    #expect(outcome.output == "{\n  \"count\": 3\n}\n")
    #expect(outcome.error.hasSuffix("wrote 3 rows to \(target)\n"))
    #expect(folder.names == ["users.csv", "w.json"])
  }

  @Test func aStepGoesToAFileBesideTheOutputs() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    let outcome = await pipeline([
      "run", path, "-q", "--sink", "user=\(folder.path)/u.ndjson", "--sink",
      "user=\(folder.path)/u.tsv",
    ])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(outcome.output.contains("emma.wong@reqres.in"))
    #expect(outcome.error.isEmpty)
    #expect(
      folder.read("u.ndjson")?.hasPrefix(#"{"id":1,"email":"george.bluth@reqres.in"}"# + "\n")
        == true)
    #expect(folder.read("u.tsv")?.hasSuffix("3\temma.wong@reqres.in\n") == true)
  }

  @Test func rowsOfStdoutAreAllThatIsThere() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    let outcome = await pipeline(["run", path, "--sink", "users=singer:-#people?key=id"])
    #expect(outcome.status == .success, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].contains(#""key_properties":["id"]"#))
    #expect(
      lines[3]
        == #"{"type":"RECORD","stream":"people","record":{"id":3,"email":"emma.wong@reqres.in"}}"#)
  }

  @Test func aRunThatFailsLeavesItsTargetsAndResumeWritesThem() async throws {
    let folder = TemporaryFolder()
    func workflow(_ last: String) -> String {
      """
      {"name": "export", "defaults": {"baseURL": "sandbox:/"}, "steps": [
        {"id": "user", "forEach": [1, 2, 3], "as": "id", "endpoint": "GET /reqres/users/{{id}}",
         "extract": {"id": "$.data.id", "email": "$.data.email"}},
        {"id": "report", "dependsOn": ["user"], "endpoint": "GET \(last)"}],
       "outputs": {"users": "{{user}}"}}
      """
    }
    let path = folder.write(workflow("/status/500"), to: "w.json")
    folder.write("before", to: "users.csv")
    let store = ["--store", folder.path + "/store"]
    let database = folder.path + "/users.db"
    let failed = await pipeline(
      ["run", path, "--sink", "users=\(folder.path)/users.csv"]
        + ["--sink", "users=sqlite:\(database)"] + store)
    #expect(failed.status == .failure)
    #expect(failed.output.isEmpty)
    #expect(folder.read("users.csv") == "before")
    #expect(folder.names == ["store", "users.csv", "w.json"])
    folder.write(workflow("/status/200"), to: "w.json")
    let resumed = await pipeline(["resume"] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(folder.read("users.csv") == Self.csv)
    #expect(folder.names.contains("users.db"))
    #expect(resumed.output.isEmpty)
  }

  @Test func aStepThatRecoversAsAWholeHasNoRows() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"n": {"type": "integer", "default": 1}}, "steps": [
        {"id": "each", "forEach": [1, 2], "onError": "recover", "otherwise": {},
         "when": "$.inputs.n == 2", "values": {"v": "{{item}}"}}],
       "outputs": {"rows": "{{each}}"}}
      """, to: "w.json")
    folder.write("before", to: "r.csv")
    let outcome = await pipeline(["run", path, "--sink", "rows=\(folder.path)/r.csv"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(folder.read("r.csv") == "")
    #expect(outcome.error.contains("wrote 0 rows"))
  }

  @Test func aSkippedStepLeavesItsTarget() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"n": {"type": "integer", "default": 1}}, "steps": [
        {"id": "each", "forEach": [1, 2], "when": "$.inputs.n == 2", "values": {"v": "{{item}}"}}]}
      """, to: "w.json")
    folder.write("before", to: "r.csv")
    let outcome = await pipeline(["run", path, "--sink", "each=\(folder.path)/r.csv"])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(folder.read("r.csv") == "before")
    #expect(outcome.error.contains("r.csv' is left as it is: 'each' has no value in this run"))
    #expect(outcome.output == "{}\n")
  }

  /// Rows of pages go to their file page by page. The rows of `otherwise` are those of a step that
  /// recovered, and not what came before.
  @Test(arguments: [false, true]) func rowsOfPagesGoToAFile(recovers: Bool) async throws {
    let folder = TemporaryFolder()
    let url = recovers ? "/pages/numbered?fail=3" : "/pages/numbered"
    let path = folder.write(
      """
      {"defaults": {"baseURL": "https://api.test"}, "steps": [
        {"id": "p", "endpoint": "GET \(url)", "paginate": {"cursor": "$.next", "param": "page"},
         "extract": {"rows": "$.rows[*]"}, "retry": 1, "onError": "recover",
         "otherwise": {"rows": [{"id": 0}]}}],
       "outputs": {"rows": "{{p.rows}}", "ids": "$.p.rows[*].id"}}
      """, to: "w.json")
    let transport = ScriptedTransport { request in
      let page = request.url.hasSuffix("page=3") ? 3 : request.url.hasSuffix("page=2") ? 2 : 1
      if page == 3, request.url.contains("fail") { return .status(500) }
      let next: JSONValue = page < 3 ? JSONValue(page + 1) : .null
      return .json(["next": next, "rows": [["id": JSONValue(page)]]])
    }
    let (output, error) = (CapturedStream(), CapturedStream())
    let console = Console(output: output, error: error, files: .system, environment: [:])
    let program = Program(console: console, clock: SystemClock(), transport: { transport })
    let status = await program.main([
      "run", path, "--no-store", "--sink", "rows=\(folder.path)/r.csv", "--sink",
      "rows=\(folder.path)/r.ndjson",
    ])
    #expect(status == .success, "\(error.text)")
    #expect(folder.read("r.csv") == (recovers ? "id\r\n0\r\n" : "id\r\n1\r\n2\r\n3\r\n"))
    #expect(
      folder.read("r.ndjson")
        == (recovers ? #"{"id":0}"# + "\n" : (1...3).map { #"{"id":\#($0)}"# + "\n" }.joined()))
    #expect(output.text.contains("\"ids\""))
  }

  @Test(.enabled(if: (try? FileSystem.system.kind("/dev/full")) != nil, "there is no /dev/full"))
  func aDiskThatIsFullIsSaid() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    for form in ["csv", "tsv", "ndjson", "singer"] {
      let outcome = await pipeline(["run", path, "--sink", "users=\(form):/dev/full"])
      #expect(outcome.status == .failure)
      #expect(
        outcome.error.hasSuffix(
          "pipeline: cannot write '/dev/full': \(SystemError(28).message)\n"),
        "\(outcome.error)")
    }
  }

  @Test func secretsAreHiddenInRows() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"key": {"type": "string", "secret": true}}, "steps": [
        {"id": "each", "forEach": [1, 2], "values": {"k": "{{inputs.key}}", "n": "{{item}}"}}],
       "outputs": {"rows": "{{each}}"}}
      """, to: "w.json")
    let outcome = await pipeline([
      "run", path, "--set", "key=correct-horse", "--sink", "rows=\(folder.path)/a.csv", "--sink",
      "each=\(folder.path)/b.csv",
    ])
    #expect(outcome.status == .success, "\(outcome.error)")
    for name in ["a.csv", "b.csv"] {
      #expect(folder.read(name) == "k,n\r\n•••,1\r\n•••,2\r\n")
    }
  }

  /// Each problem is one line, and nothing is sent.
  @Test(arguments: [
    ("users.csv", "--sink takes NAME=TARGET, as in 'users=users.csv', not 'users.csv'"),
    ("user=out.xlsx", "does not end with .csv, .tsv, .ndjson or .jsonl"),
    ("usrs=out.csv", "of that name; did you mean 'users'?"),
    ("x=out.csv", "of that name; it has 'users', 'count', 'user'"),
    ("users=no/such/out.csv", "no such folder"),
    ("users=sqlite:other.json#t", "it is not a database, or it is damaged"),
  ])
  func whatIsWrongIsSaidBeforeAnythingIsSent(_ sink: String, _ words: String) async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    let other = folder.write("{}", to: "other.json")
    let outcome = await pipeline([
      "run", path, "--sink", sink.replacing("other.json", with: other),
    ])
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.error.split(separator: "\n").count == 1)
  }

  @Test func twoSinksDoNotShareAFile() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    for (first, second) in [
      ("users=a.csv", "count=a.csv"), ("users=sqlite:a.db#t", "count=sqlite:a.db#T"),
    ] {
      let outcome = await pipeline(["run", path, "--sink", first, "--sink", second])
      #expect(outcome.status == .usage)
      #expect(outcome.error.contains("another sink writes to 'a."), "\(outcome.error)")
    }
    let file = folder.path + "/o.csv"
    let outcome = await pipeline(["run", path, "-o", file, "--sink", "users=\(file)"])
    #expect(outcome.error.contains("is both --output and --sink"), "\(outcome.error)")
  }

  /// Whatever it is called on the command line, a file that the run reads stays as it is.
  @Test(arguments: [
    (["--output", "w.json"], "a file of the workflow and --output"),
    (["--events", "./w.json"], "a file of the workflow and --events"),
    (["--record", "link.json"], "a file of the workflow and --record"),
    (["--report", "html=w.json"], "a file of the workflow and --report html"),
    (["--sink", "users=ndjson:w.json"], "a file of the workflow and --sink"),
    (["--inputs", "in.json", "--output", "in.json"], "--inputs and --output"),
    (["--set", "list=@in.json", "--events", "in.json"], "--set and --events"),
    (["--output", "new.json", "--events", "./new.json"], "--output and --events"),
    (["--output", "new.json", "--report", "html=new.json"], "--output and --report html"),
  ])
  func noFileHasTwoUses(_ options: [String], message: String) async {
    let folder = TemporaryFolder()
    let path = folder.write(
      #"{"inputs": {"list": {"type": "array", "default": []}}, "steps": [{"id": "a", "values": {"users": [1]}}], "outputs": {"users": "{{a.users}}"}}"#,
      to: "w.json")
    _ = folder.write(#"{"list": [1]}"#, to: "in.json")
    symlink(path, folder.path + "/link.json")
    let before = [folder.read("w.json"), folder.read("in.json")]
    let words = options.map { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.last, name.hasSuffix(".json") else { return word }
      let place = (name.hasPrefix("@") ? "@" : name.hasPrefix("ndjson:") ? "ndjson:" : "")
      let file = place + folder.path + "/" + name.dropFirst(place.count)
      return parts.count == 2 ? parts[0] + "=" + file : file
    }
    let outcome = await pipeline(["run", path, "--no-store"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.contains("is both \(message); name another file"), "\(outcome.error)")
    #expect([folder.read("w.json"), folder.read("in.json")] == before)
  }

  @Test func aDeviceMayHaveManyUses() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(#"{"steps": [{"id": "a", "values": {"n": 1}}]}"#, to: "w.json")
    let outcome = await pipeline(
      ["run", path, "--no-store", "-o", "/dev/null", "--events", "/dev/null"])
    #expect(outcome.status == .success, "\(outcome.error)")
  }

  @Test func whatIsNotAListIsSaid() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    folder.write("before", to: "c.csv")
    let outcome = await pipeline(["run", path, "--sink", "count=\(folder.path)/c.csv"])
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("output 'count' is not a list"), "\(outcome.error)")
    #expect(folder.read("c.csv") == "before")
  }

  // MARK: SQLite

  @Test func rowsAreUpsertedByKey() async throws {
    let folder = TemporaryFolder()
    let database = folder.path + "/out.db"
    func load(_ rows: String, _ target: String) async -> Outcome {
      let path = folder.write(self.rows(rows), to: "w.json")
      return await pipeline(["run", path, "-q", "--sink", "rows=sqlite:\(database)\(target)"])
    }
    var outcome = await load(#"[{"id": 1, "a": "x"}, {"id": 2, "a": "y"}]"#, "#t?key=id")
    #expect(outcome.status == .success, "\(outcome.error)")
    outcome = await load(#"[{"id": 2, "a": "z", "b": 0.5}, {"id": 3, "b": 7}]"#, "#t?key=id")
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(
      try Self.select("id, a, b, typeof(b)", from: database)
        == "1|x||null\n2|z|0.5|real\n3||7.0|real\n")
    outcome = await load(#"[{"id": "x", "a": "z"}]"#, "#t?key=id")
    #expect(outcome.status == .failure)
    #expect(outcome.error.contains("column 'id' of table 't' is INTEGER, and the rows have texts"))
    outcome = await load(#"[{"id": 9, "a": "z"}, {"a": "w"}]"#, "#t?key=id")
    #expect(outcome.error.contains("row 2 has no 'id', which is the key"), "\(outcome.error)")
    outcome = await load(#"[{"id": 9, "a": "z"}, {"id": 1.5, "a": "w"}]"#, "#t?key=id")
    #expect(
      outcome.error.contains("row 2 has '1.5' in 'id', which is an INTEGER key of table 't'"),
      "\(outcome.error)")
    outcome = await load(#"[{"a": "w"}]"#, "#t?key=no")
    #expect(outcome.error.contains("no row has 'no', which is the key; the columns are 'a'"))
    #expect(try Self.select("count(*)", from: database) == "3\n")
    // Without a key the rows are replaced, and the table keeps its indexes.
    #expect(Self.sqlite(database, "CREATE INDEX byA ON t (a)").status == 0)
    outcome = await load(#"[{"id": "x", "a": "z"}]"#, "#t")
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(try Self.select("id, a", from: database) == "x|z\n")
    #expect(
      Self.sqlite(database, "SELECT name FROM sqlite_schema WHERE type = 'index'").output
        == "byA\n")
    outcome = await load("[]", "#t")
    #expect(try Self.select("count(*)", from: database) == "0\n")
    outcome = await load(#"[{"id": 1, "ID": 2}]"#, "#u")
    #expect(outcome.error.contains("the columns 'id' and 'ID' differ only in case"))
  }

  private static func select(_ columns: String, from database: String) throws -> String {
    let outcome = sqlite(database, "SELECT \(columns) FROM t ORDER BY 1")
    try #require(outcome.status == 0, "\(outcome.error)")
    return outcome.output
  }

  /// Carries out a statement with Python's module, since the `sqlite3` program is rarely there.
  private static func sqlite(_ database: String, _ sql: String) -> Tool.Outcome {
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as c:
          for row in c.execute(sys.argv[2]):
              print('|'.join('' if v is None else str(v) for v in row))
      """
    return Tool.run(["python3", "-c", script, database, sql], in: TemporaryFolder())
  }

  /// CSV and SQLite as Python's modules read them: what went in comes out.
  ///
  /// `$NAUGHTY_STRINGS` names a copy of `blns.json` of the Big List of Naughty Strings, whose 515
  /// strings then go in, too.
  @Test(.enabled(if: Tool.hasModule("sqlite3"), "Python is not installed"))
  func whatWentInComesOut() async throws {
    var strings = Self.hardStrings
    if let path = Tool.variable("NAUGHTY_STRINGS"), let bytes = readFile(path) {
      strings += try JSONDocument.parse(bytes).root.elements.compactMap(\.string)
    } else {
      print("whatWentInComesOut goes on without the Big List of Naughty Strings; see CONTRIBUTING")
    }
    let integers = ["0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"]
    let decimals = ["123456789012345678901234567890", "0.123456789012345678901234567891", "1e400"]
    let nested = [#"[1,"a,\"b\"",{"c":null}]"#, "{}", "[]", #"{"x":[[],{"y":"\n"}]}"#]
    let optional = [nil, "null", "7", #""""#, #""text""#]
    var writer = JSONWriter()
    writer.beginArray()
    for (number, string) in strings.enumerated() {
      writer.beginObject()
      writer.name("s")
      writer.string(string)
      for (name, list) in [("i", integers), ("d", decimals), ("n", nested)] {
        writer.name(name)
        writer.raw(list[number % list.count].utf8)
      }
      if let value = optional[number % optional.count] {
        writer.name("o")
        writer.raw(value.utf8)
      }
      writer.endObject()
    }
    writer.endArray()
    let folder = TemporaryFolder()
    let path = folder.write(rows("[]"), to: "w.json")
    let inputs = folder.write(Array("{\"rows\":".utf8) + writer.bytes + [0x7D], to: "inputs.json")
    let outcome = await pipeline([
      "run", path, "--inputs", inputs, "--sink", "rows=\(folder.path)/rows.csv", "--sink",
      "rows=\(folder.path)/rows.tsv", "--sink", "rows=\(folder.path)/rows.ndjson", "--sink",
      "rows=sqlite:\(folder.path)/rows.db", "-o", folder.path + "/o.json",
    ])
    #expect(outcome.status == .success, "\(outcome.error)")
    folder.write(Self.comparison, to: "compare.py")
    let compared = Tool.run(["python3", "compare.py"], in: folder)
    #expect(compared.status == 0, "\(compared.output)\(compared.error)")
    #expect(compared.output == "\(strings.count) rows\n")
  }

  private static let hardStrings = [
    "", " ", "null", "true", "7", "-1.5e3", "007", "1_000", "a,b", "a;b", "\"", "\"\"", "a\"b",
    "line\nline", "line\r\nline", "\r", "\t", "\\", "\\N", "\\t", "=1+1", "@x", "'quoted'", "[1]",
    "{\"a\":1}", "é", "e\u{301}", "\u{FEFF}bom", "👨‍👩‍👧", "𝕫", "\u{202E}rtl", "a\u{0}b", "NaN", "0x10",
    "1e5", " 7", "7 ", "-0", "Infinity", "\u{7F}", "\u{85}", "\u{2028}",
  ]

  private static let comparison = #"""
    import csv, decimal, json, sqlite3, sys

    class Number(str):
        pass

    def load(text):
        return json.loads(text, parse_int=Number, parse_float=Number)

    rows = [load(line) for line in open('rows.ndjson', encoding='utf-8', newline='\n')]
    ABSENT = object()

    def same(where, row, column, got):
        value = row.get(column, ABSENT)
        if got != value or isinstance(got, Number) != isinstance(value, Number):
            sys.exit(f'{where}, column {column}: {got!r} is not {value!r}')

    # CSV: the texts of each column as its type has them.
    with open('rows.csv', encoding='utf-8', newline='') as file:
        table = list(csv.DictReader(file, strict=True))
    assert len(table) == len(rows), (len(table), len(rows))
    for row, fields in zip(rows, table):
        same('csv', row, 's', fields['s'])
        same('csv', row, 'i', Number(fields['i']))
        same('csv', row, 'd', Number(fields['d']))
        same('csv', row, 'n', load(fields['n']))
        kinds = {'7': Number('7'), 'text': 'text'}
        if row.get('o') is None:
            # Null and absent are one, as in nearly all readers.
            assert fields['o'] == ''
        elif row['o'] != '':
            same('csv', row, 'o', kinds[fields['o']])
    # An empty text has quotes, and what is absent has none.
    lines = open('rows.csv', encoding='utf-8', newline='').read()
    ends = [line.split(',')[-1] for line in lines.split('\r\n') if line.count(',') or line]
    assert sum(end == '""' for end in ends) >= sum(row.get('o') == '' for row in rows)

    # TSV: a line for each row.
    escapes = {'\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\'}
    def unescape(text):
        out, at = [], 0
        while at < len(text):
            pair = text[at:at + 2]
            out.append(escapes.get(pair, text[at]))
            at += 2 if pair in escapes else 1
        return ''.join(out)
    lines = open('rows.tsv', encoding='utf-8', newline='\n').read().split('\n')
    assert lines[-1] == '' and len(lines) == len(rows) + 2
    header = lines[0].split('\t')
    for row, line in zip(rows, lines[1:-1]):
        fields = dict(zip(header, line.split('\t')))
        same('tsv', row, 's', unescape(fields['s']))
        same('tsv', row, 'n', load(unescape(fields['n'])))
        same('tsv', row, 'd', Number(fields['d']))
        if row.get('o') is None:
            assert fields['o'] == '\\N'

    # SQLite: values of each column's type. Absent and null are both NULL.
    database = sqlite3.connect('rows.db')
    types = {name: type for _, name, type, *_ in database.execute('PRAGMA table_info(rows)')}
    assert types == {'s': 'TEXT', 'i': 'INTEGER', 'd': 'TEXT', 'n': 'TEXT', 'o': ''}, types
    table = list(database.execute('SELECT s, i, d, n, o FROM rows ORDER BY rowid'))
    assert len(table) == len(rows)
    for row, (s, i, d, n, o) in zip(rows, table):
        assert isinstance(i, int) and isinstance(d, str)
        same('sqlite', row, 's', s)
        same('sqlite', row, 'i', Number(i))
        same('sqlite', row, 'd', Number(d))
        same('sqlite', row, 'n', load(n))
        if row.get('o') is None:
            assert o is None
        else:
            same('sqlite', row, 'o', Number(o) if isinstance(o, int) else o)
    print(len(rows), 'rows')
    """#

  // MARK: Formats

  @Test func aTableIsForPeople() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"rows": {"default": [{"id": 7, "name": "Ada", "note": "語\\u001b[1m"},
        {"id": 1234, "name": "Grace Hopper"}, {"id": 3, "tags": ["a"]}]}},
       "outputs": {"rows": "{{inputs.rows}}"}, "steps": []}
      """, to: "w.json")
    let outcome = await pipeline(["run", path, "--format", "table"])
    #expect(
      outcome.output == """
          id  name          note    tags
        ────  ────────────  ──────  ─────
           7  Ada           語␛[1m
        1234  Grace Hopper
           3                        ["a"]

        """, "\(outcome.output)")
    let csv = await pipeline(["run", path, "--format", "csv"])
    #expect(csv.output.hasPrefix("id,name,note,tags\r\n7,Ada,"))
  }

  @Test func aTableFitsTheTerminal() throws {
    let rows = try JSONDocument.parse(
      Array(
        #"""
        [{"id": 1, "text": "a long text that does not fit", "other": "日本語日本語日本語", "last": 5}]
        """#.utf8)
    ).root
    for (width, expected) in [
      (
        36,
        """
        id  text          other         last
        ──  ────────────  ────────────  ────
         1  a long text…  日本語日本…      5

        """
      ),
      (
        16,
        """
        id  text
        ──  ────────────
         1  a long text…
        and 2 columns m…

        """
      ),
    ] {
      var bytes: [UInt8] = []
      let output = Outputs.Output(name: "rows", value: rows)
      RowTable(rows: output.elements, width: width).write { bytes += $0 }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text == expected, "\(text)")
    }
  }

  @Test func severalOutputsAreALineOrATableEach() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(Self.users, to: "w.json")
    let table = await pipeline(["run", path, "--format", "table"])
    #expect(table.output.hasPrefix("users\nid  email\n──  ─"))
    #expect(table.output.hasSuffix("emma.wong@reqres.in\ncount  3\n"), "\(table.output)")
    let csv = await pipeline(["run", path, "--format", "csv"])
    #expect(csv.output.hasPrefix("users,count\r\n\"[{\"\"id\"\":1,"))
    #expect(csv.output.hasSuffix("]\",3\r\n"))
  }
}

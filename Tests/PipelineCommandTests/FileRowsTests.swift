import PipelineCommand
import PipelineTestSupport
import Testing

/// Rows of files: in `$file`, as what a `forEach` runs over, and as the value of an input.
struct FileRowsTests {
  /// What a workflow gives that runs over the rows of a file.
  private func run(
    _ source: String, inputs: String = "{}", files: [String: String], _ arguments: [String] = []
  ) async -> Outcome {
    let folder = TemporaryFolder()
    for (name, text) in files { folder.write(text, to: name) }
    folder.write(
      """
      {"format": 1, "inputs": \(inputs), "steps": [
        {"id": "a", "forEach": \(source), "as": "row", "values": {"row": "{{row}}"}}
      ], "outputs": {"rows": "$.a[*].row"}}
      """, to: "a.json")
    let given = arguments.map { $0.replacing("rows=@", with: "rows=@\(folder.path)/") }
    return await pipeline(
      ["run", folder.path + "/a.json", "--no-store", "-q", "--format", "ndjson"] + given)
  }

  @Test(arguments: [
    (
      "rows.csv", #""csv""#, "id,n\n007,x\n008,\n",
      "{\"id\":\"007\",\"n\":\"x\"}\n{\"id\":\"008\"}\n"
    ),
    (
      "rows.csv", #"{"csv": {"delimiter": ";", "columns": {"id": "integer"}}}"#, "id;n\n7;x\n",
      "{\"id\":7,\"n\":\"x\"}\n"
    ),
    ("rows.tsv", #""tsv""#, "id\tn\n1\ta\\tb\n", "{\"id\":\"1\",\"n\":\"a\\tb\"}\n"),
    ("rows.ndjson", #""ndjson""#, "{\"id\": 1}\n{\"id\": 2}\n", "{\"id\":1}\n{\"id\":2}\n"),
    ("none.csv", #""csv""#, "", ""),
  ])
  func aCollectionRunsOverTheRowsOfAFile(
    file: String, reading: String, text: String, rows: String
  ) async {
    let source = "{\"$file\": \"\(file)\", \"as\": \(reading)}"
    let result = await run(source, files: [file: text])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == rows)
  }

  @Test(arguments: [
    ("csv", "id,n\n1,\"x\n", "'rows' is not CSV: line 2"),
    ("ndjson", "{\"id\": 1}\n{\"id\": \n", "'rows' is not NDJSON: line 2"),
    ("json", "{\"a\": 1}", "the value of the form is an object, but 'forEach' needs a list"),
  ])
  func aFileThatIsNotWhatItIsReadAsIsNamed(
    reading: String, text: String, message: String
  ) async {
    let result = await run(
      "{\"$file\": \"rows\", \"as\": \"\(reading)\"}", files: ["rows": text])
    #expect(result.status == .failure)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func aFileOfXMLIsNoListOfRows() async {
    let result = await run(#"{"$file": "rows", "as": "xml"}"#, files: ["rows": "<a/>"])
    #expect(result.status == .invalid)
    #expect(result.error.contains("the form gives an object, but 'forEach' needs a list"))
  }

  @Test func aFileThatIsNotXMLIsNamed() async {
    let folder = TemporaryFolder()
    folder.write("<a>\n<b></a>", to: "rows")
    let file = folder.write(
      #"{"steps": [{"id": "v", "values": {"v": {"$file": "rows", "as": "xml"}}}], "outputs": {"v": "{{v}}"}}"#,
      to: "x.json")
    let result = await pipeline(["run", file, "--no-store"])
    #expect(result.status == .failure)
    #expect(result.error.contains("'rows' is not XML: line 2, column 4"), "\(result.error)")
  }

  @Test(arguments: [
    ("rows.csv", "id\n007\n", "{\"id\":\"007\"}\n"), ("rows.tsv", "id\n7\n", "{\"id\":\"7\"}\n"),
    ("rows.json", "[1, 2]", "1\n2\n"), ("rows.JSONL", "1\n{}\n", "1\n{}\n"),
  ])
  func anInputTakesItsRowsFromAFile(file: String, text: String, rows: String) async throws {
    let result = await run(
      #""$.inputs.rows""#, inputs: #"{"rows": {"type": "array"}}"#, files: [file: text],
      ["--set", "rows=@" + file])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == rows)
  }

  @Test(arguments: [
    ("rows.csv", "id\n\"7\n", "for the input 'rows', is not CSV: line 2"),
    ("rows.txt", "7", "does not say what the input 'rows' is; the name of a file ends with .json"),
    ("rows.json", "", "for the input 'rows', is empty"),
    ("", "", "the input 'rows' cannot be read from "),
  ])
  func aFileThatIsNoValueOfAnInputIsNamed(
    file: String, text: String, message: String
  ) async {
    let result = await run(
      #""$.inputs.rows""#, inputs: #"{"rows": {"type": "array"}}"#,
      files: file.isEmpty ? [:] : [file: text],
      ["--set", "rows=@" + (file.isEmpty ? "gone.csv" : file)])
    #expect(result.status == .invalid)
    #expect(result.error.contains(message), "\(result.error)")
  }

  /// The input says what the file is, whatever its name.
  @Test(arguments: [
    (
      "array", #"{"csv": {"delimiter": ";", "columns": {"id": "integer"}}}"#, "id;n\n7;x\n",
      "{\"id\":7,\"n\":\"x\"}\n"
    ),
    ("array", #""ndjson""#, "1\n{}\n", "1\n{}\n"),
    ("array", #""json""#, "[1]", "1\n"),
    ("array", #""sse""#, "data: 1\n\n", "{\"event\":\"message\",\"data\":\"1\"}\n"),
    (
      "array", #"{"csv": {"charset": "windows-1252"}}"#, "id\nab\n", "{\"id\":\"ab\"}\n"
    ),
  ])
  func anInputSaysHowItsFileIsRead(
    type: String, read: String, text: String, rows: String
  ) async {
    let result = await run(
      #""$.inputs.rows""#, inputs: "{\"rows\": {\"type\": \"\(type)\", \"read\": \(read)}}",
      files: ["rows.json": text], ["--set", "rows=@rows.json"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == rows)
  }

  @Test func anInputWithoutATypeIsWhatItsFileSays() async {
    let result = await run(
      #"["{{inputs.rows}}"]"#, inputs: #"{"rows": {"read": "text"}}"#, files: ["rows": "a\n"],
      ["--set", "rows=@rows"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == "\"a\\n\"\n")
  }

  @Test func anObjectIsReadFromXML() async {
    let result = await run(
      #""$.inputs.rows.a.b""#,
      inputs: #"{"rows": {"type": "object", "read": {"xml": {"lists": ["b"]}}}}"#,
      files: ["rows": "<a><b>1</b></a>"], ["--set", "rows=@rows"])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == "\"1\"\n")
  }

  @Test(arguments: [
    (
      #""type": "object", "read": "csv""#,
      #"'read': "csv" gives a list of rows; write "type": "array""#
    ),
    (
      #""type": "integer", "read": "ndjson""#,
      #"'read': "ndjson" gives a list of rows; write "type": "array""#
    ),
    (#""type": "array", "read": "xml""#, #"'read': "xml" gives an object; write "type": "object""#),
    (#""type": "string", "read": "text""#, "a text is not read from a file here"),
    (#""type": "string", "read": "json""#, #"'read': "json" needs "type": "array" or "object""#),
  ])
  func anInputOfAnotherTypeIsNotRead(keys: String, message: String) async {
    let result = await run("[1]", inputs: "{\"rows\": {\(keys)}}", files: [:])
    #expect(result.status == .invalid)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func aPlanShowsThatAnInputIsInAFile() async {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"format": 1, "inputs": {"rows": {"type": "array", "read": "csv"}}, "steps": [
        {"id": "a", "forEach": "$.inputs.rows", "values": {"row": "{{item}}"}}
      ], "outputs": {"rows": "{{a}}"}}
      """, to: "a.json")
    let result = await pipeline(["plan", folder.path + "/a.json"])
    #expect(result.output.contains("no value yet; --set rows=@FILE (CSV)"), "\(result.output)")
  }

  @Test(arguments: [("", "0\n"), ("é\u{0}\n", "4\n")])
  func aFileHasASize(text: String, size: String) async {
    let result = await run(
      #"[{"$file": "rows.bin", "as": "size"}]"#, files: ["rows.bin": text])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output == size)
  }

  /// A text keeps its '@', as before.
  @Test func aTextBeginsAsItLikes() async {
    let result = await run(
      #"["{{inputs.name}}"]"#, inputs: #"{"name": {"type": "string"}}"#, files: [:],
      ["--set", "name=@ada"])
    #expect(result.output == "\"@ada\"\n", "\(result.error)")
  }
}

import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The state of a workflow between whole runs of the program, against the sandbox.
@Suite struct StateCommandTests {
  private let folder = TemporaryFolder()

  private var store: [String: String] { ["PIPELINE_STORE": folder.path + "/store"] }

  /// A workflow that fetches what is new, as the sample does.
  private func export(name: String = "export", _ more: String = "") -> String {
    folder.write(
      """
      { "name": "\(name)", "inputs": { "records": { "type": "integer", "default": 25 } },
        "environments": { "live": { "records": 3 } }, \(more)
        "state": { "exported": { "type": "integer", "default": 0, "next": "{{list.total}}" } },
        "defaults": { "baseURL": "sandbox:/pages" },
        "steps": [
          { "id": "list", "endpoint": "GET /offset",
            "query": { "offset": "{{state.exported}}", "limit": 100, "total": "{{inputs.records}}" },
            "extract": { "new": "$.data[*].id", "total": "$.total" } }
        ],
        "outputs": { "new": "{{list.new}}" } }
      """, to: name + ".json")
  }

  private func new(_ outcome: Outcome) -> Int? {
    (try? JSONDocument.parse(Array(outcome.output.utf8)))?.root["new"]?.count
  }

  private var file: String { folder.path + "/state.json" }

  private func kept(_ name: String = "state.json") throws -> JSONNode {
    try JSONDocument.parse(Array(try #require(folder.read(name)).utf8)).root
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func aRunFetchesWhatIsNewSinceTheLast() async throws {
    let path = export()
    let first = await pipeline(["run", path, "--state", file])
    #expect(first.status == .success && new(first) == 25, "\(first.error)")
    let state = try kept()
    #expect(state["format"]?.number?.int == 1)
    #expect(state["workflow"]?.string == "export")
    #expect(state["environment"] == nil)
    #expect(state["updated"]?.string?.hasSuffix("Z") == true)
    #expect(state["state"]?["exported"]?.number?.int == 25)
    #expect(mode(file) == 0o600)
    let second = await pipeline(["run", path, "--state", file, "--set", "records=30"])
    #expect(second.status == .success && new(second) == 5, "\(second.error)")
    let third = await pipeline(["run", path, "--state", file, "--set", "records=30"])
    #expect(new(third) == 0)
    #expect(folder.names == ["export.json", "state.json"])
  }

  @Test func theStoreKeepsEachFileAndEnvironmentApart() async throws {
    let path = export()
    let other = export(name: "other")
    #expect(new(await pipeline(["run", path], environment: store)) == 25)
    #expect(new(await pipeline(["run", path], environment: store)) == 0)
    #expect(new(await pipeline(["run", other], environment: store)) == 25)
    #expect(new(await pipeline(["run", path, "-e", "live"], environment: store)) == 3)
    #expect(new(await pipeline(["run", path, "-e", "live"], environment: store)) == 0)
    let below = "store/state" + folder.path
    #expect(try kept(below + "/export.json/environment-live.json")["environment"]?.string == "live")
    #expect(mode(folder.path + "/" + below + "/export.json/default.json") == 0o600)
    #expect(mode(folder.path + "/store") == 0o700)
    // As another way to the same file.
    let shown = await pipeline(
      ["state", folder.path + "/./export.json", "--json"], environment: store)
    let value = try JSONDocument.parse(Array(shown.output.utf8)).root["state"]?["exported"]
    #expect(value?["value"]?.number?.int == 25 && value?["kept"]?.text == "true")
  }

  /// A command with the options of a store.
  private struct StoreCommand: ComputedCommand {
    let options: StoreOptions

    static let page = CommandPage(name: "store", summary: "Test")

    init(_ arguments: inout Arguments) { options = StoreOptions(&arguments) }

    func run(in program: Program) -> PipelineCommand.ExitStatus { .success }
  }

  @Test func theStoreIsWhereTheEnvironmentSays() async throws {
    func location(_ words: [String], _ variables: [String: String]) throws -> StoreLocation {
      var table = CommandTable.pipeline
      table.commands = [Command(StoreCommand.self)]
      guard case .run(let invocation) = try ArgumentParser(table: table).parse(["store"] + words),
        case .computed(let command as StoreCommand) = invocation.action
      else { return .unknown }
      return try StoreLocation(command.options, environment: variables)
    }
    let home = ["HOME": "/home/me", "XDG_STATE_HOME": "relative"]
    #if canImport(Darwin)
      let standard = "/home/me/Library/Application Support/pipeline"
    #else
      let standard = "/home/me/.local/state/pipeline"
    #endif
    #expect(try location([], home) == .folder(standard, isNamed: false))
    #expect(
      try location([], ["HOME": "/home/me", "XDG_STATE_HOME": "/state"])
        == .folder("/state/pipeline", isNamed: false))
    #expect(try location([], [:]) == .unknown)
    #expect(try location([], ["PIPELINE_STORE": "off"]) == .off)
    #expect(try location([], ["PIPELINE_STORE": "s"]) == .folder("s", isNamed: true))
    #expect(
      try location(["--store", "t"], ["PIPELINE_STORE": "off"]) == .folder("t", isNamed: true))
    #expect(try location(["--no-store"], ["PIPELINE_STORE": "s"]) == .off)
    #expect(throws: UsageError.self) { try location(["--no-store", "--store", "t"], [:]) }
  }

  @Test func withoutAStoreARunBeginsWithTheDefaultsAndSaysSo() async {
    let path = export()
    for _ in 1...2 {
      let result = await pipeline(["run", path, "--no-store"], environment: store)
      #expect(result.status == .success && new(result) == 25)
      #expect(result.error.contains("begins with the defaults of its state"), "\(result.error)")
    }
    #expect(folder.names == ["export.json"])
    let quiet = await pipeline(["run", path, "-q"], environment: ["PIPELINE_STORE": "off"])
    #expect(quiet.status == .success && quiet.error.isEmpty)
    let homeless = await pipeline(["run", path])
    #expect(homeless.status == .failure && homeless.output.isEmpty)
    #expect(homeless.error.contains("HOME is not set; give --state FILE"), "\(homeless.error)")
    let stdin = await pipeline(
      ["run", "-"], environment: store, files: inputFiles(folder.read("export.json") ?? ""))
    #expect(stdin.status == .usage && stdin.error.contains("give --state FILE"), "\(stdin.error)")
  }

  /// The system's files, with a text as stdin.
  private func inputFiles(_ text: String) -> FileSystem {
    var files = FileSystem.system
    files.readInput = { _ in Array(text.utf8) }
    return files
  }

  @Test func aRunThatFailsOrWhoseOutputIsLostKeepsTheState() async throws {
    let path = export()
    #expect(await pipeline(["run", path, "--state", file]).status == .success)
    let before = folder.read("state.json")
    let failing = export(#""finally": [{ "id": "no", "endpoint": "GET /none", "retry": 1 }],"#)
    let failed = await pipeline(["run", failing, "--state", file, "--set", "records=30"])
    #expect(failed.status == .failure && folder.read("state.json") == before)
    _ = export()
    let lost = CapturedStream(failing: "no space left on the device")
    let console = Console(output: lost, error: CapturedStream(), files: .system, environment: [:])
    _ = await Program(console: console).main(
      ["run", path, "--state", file, "--set", "records=30"])
    #expect(folder.read("state.json") == before)
  }

  @Test(arguments: [
    ("", "1:1: error: "),
    ("{\n  \"format\": 1,\n  \"state\": {\"exported\" 3}\n}", "3:13: error: "),
    ("[]", "1:1: error: a state file must be an object"),
    (#"{"format": 1}"#, "1:1: error: a state file needs the member 'state'"),
    (#"{"format": 2, "state": {}}"#, "1:12: error: format 2 needs a newer pipeline"),
    (#"{"format": 1, "state": [], "x": 1}"#, "1:24: error: 'state' must be an object"),
    (
      #"{"format": 1, "state": {"exported": "a"}}"#,
      "error: state 'exported' must be a whole number"
    ),
    (
      #"{"format": 1, "workflow": "another", "state": {}}"#,
      "holds the state of workflow 'another', but this is 'export'"
    ),
    (
      #"{"format": 1, "workflow": "export", "environment": "live", "state": {}}"#,
      "holds the state of environment 'live', but this run has no environment"
    ),
  ])
  func aStateThatCannotBeReadEndsTheRunBeforeAnythingIsSent(_ text: String, _ message: String)
    async throws
  {
    let path = export()
    folder.write(text, to: "state.json")
    let result = await pipeline(["run", path, "--state", file])
    #expect(result.status == .invalid && result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(!result.error.contains("✓"))
    #expect(folder.read("state.json") == text)
    #expect(folder.names == ["export.json", "state.json"])
    // Whatever it is, it can be taken away.
    let cleared = await pipeline(["state", path, "clear", "--state", file])
    #expect(cleared.status == .success, "\(cleared.error)")
    #expect(folder.names == ["export.json"])
  }

  @Test func aPlaceThatCannotBeWrittenEndsTheRunBeforeAnythingIsSent() async {
    let path = export()
    let inFile = await pipeline(["run", path, "--state", path + "/state.json"])
    #expect(inFile.status == .failure, "\(inFile.error)")
    #expect(inFile.error.contains("the state cannot be kept in '"), "\(inFile.error)")
    let isFolder = await pipeline(["run", path, "--state", folder.path])
    #expect(isFolder.status == .failure && isFolder.error.contains("it is a folder"))
    let isDevice = await pipeline(["run", path, "--state", "/dev/null"])
    #expect(isDevice.status == .failure && isDevice.error.contains("it is not a file"))
    let inStore = await pipeline(["run", path, "--store", path])
    #expect(inStore.status == .failure && !inStore.error.contains("✓"), "\(inStore.error)")
    #expect(folder.names == ["export.json"])
  }

  @Test func twoRunsCannotHaveOneState() async throws {
    let path = export()
    let lock = try FileLock(path: file + ".lock")
    let second = await pipeline(["run", path, "--state", file])
    #expect(second.status == .failure && second.output.isEmpty)
    #expect(second.error.contains("another run is using the state in '"), "\(second.error)")
    for words in [["set", "exported", "3"], ["clear"]] {
      let changed = await pipeline(["state", path, "--state", file] + words)
      #expect(changed.status == .failure && changed.error.contains("another run"))
    }
    withExtendedLifetime(lock) {}
  }

  @Test func aLockThatAKilledProcessLeftIsNone() async {
    folder.write("", to: "state.json.lock")
    let result = await pipeline(["run", export(), "--state", file])
    #expect(result.status == .success, "\(result.error)")
    #expect(folder.names == ["export.json", "state.json"])
  }

  @Test func aFileThatChangesMeanwhileStaysAsItIs() throws {
    let path = export()
    let text = #"{"format": 1, "state": {"exported": 1}}"#
    folder.write(text, to: "state.json")
    let plan = try #require(
      PlanSource(
        console: Console(output: CapturedStream(), error: CapturedStream()), color: .auto
      ).plan(at: path, to: "run")?.1)
    let kept = try KeptState(
      .named(file), path: file, of: plan.workflow, environment: nil, .system)
    let other = #"{"format": 1, "state": {"exported": 2}}"#
    folder.write(other, to: "state.json")
    #expect(throws: StateProblem.self) { try kept.keep(["exported": 3], at: 0, .system) }
    #expect(folder.read("state.json") == other)
  }

  @Test func whatIsWrittenIsReadAndNoPartOfItIs() throws {
    var record = StateRecord(workflow: "a \"b\"", environment: "live")
    record.updated = "2026-11-22T21:00:00Z"
    record.state = [
      "n": JSONValue(number: "12345678901234567890.10") ?? nil, "list": [1, nil, "é\u{0}"],
      "o": [:],
    ]
    #expect(try StateRecord(record.text, path: "a.json") == record)
    for count in 0..<record.text.count - 1 {
      #expect(throws: StateProblem.self, "\(count)") {
        _ = try StateRecord(Array(record.text.prefix(count)), path: "a.json")
      }
    }
  }

  @Test func aLinkStaysALink() async throws {
    folder.write(#"{"format": 1, "state": {}}"#, to: "real/state.json")
    #expect(symlink(folder.path + "/real/state.json", file) == 0)
    let result = await pipeline(["run", export(), "--state", file])
    #expect(result.status == .success, "\(result.error)")
    #expect(FileSystem.system.isLink(file))
    #expect(try kept("real/state.json")["state"]?["exported"]?.number?.int == 25)
  }

  @Test func namesThatTheWorkflowNoLongerHasAreCarriedOn() async throws {
    folder.write(#"{"format": 1, "state": {"exported": 3, "old": [1]}}"#, to: "state.json")
    #expect(new(await pipeline(["run", export(), "--state", file])) == 22)
    #expect(try kept()["state"]?["exported"]?.number?.int == 25)
    #expect(try kept()["state"]?["old"]?.count == 1)
  }

  @Test func theStateIsShownSetAndCleared() async throws {
    let path = export()
    let words = ["state", path, "--state", file]
    let none = await pipeline(words)
    #expect(none.status == .success)
    #expect(none.output == "\(file): no run has left state yet\n  exported  0  default\n")
    #expect(await pipeline(words + ["set", "exported", "20"]).status == .success)
    #expect(new(await pipeline(["run", path, "--state", file])) == 5)
    let shown = await pipeline(words + ["show"])
    #expect(shown.output.hasSuffix("Z\n  exported  25\n"), "\(shown.output)")
    let json = try JSONDocument.parse(
      Array(await pipeline(words + ["--json"]).output.utf8)
    ).root
    #expect(json["file"]?.string == file && json["updated"] != nil)
    #expect(json["state"]?["exported"]?["value"]?.number?.int == 25)
    #expect(await pipeline(words + ["clear", "exported"]).status == .success)
    #expect(try kept()["state"]?.count == 0)
    #expect(await pipeline(words + ["clear"]).status == .success)
    #expect(folder.names == ["export.json"])
    #expect(await pipeline(words + ["clear"]).status == .success)
  }

  @Test(arguments: [
    (["set", "exported"], 64, "set needs a name and a value"),
    (["set", "exported", "x"], 2, "state 'exported' must be a whole number"),
    (["set", "exportet", "1"], 2, "state value 'exportet' does not exist; did you mean 'exported"),
    (["clear", "exportet"], 2, "state value 'exportet' does not exist; did you mean 'exported"),
    (["show", "exported"], 64, "'exported' is one too many for 'show'"),
    (["clear", "--json"], 64, "--json is only for 'show'"),
    (["drop"], 64, "ACTION takes show, set or clear, not 'drop'"),
    (["-e", "lives"], 2, "environment 'lives' does not exist; did you mean 'live'?"),
    (["--no-store"], 64, "no state is kept"),
  ])
  func whatCannotBeDoneIsSaid(_ words: [String], _ status: Int32, _ message: String) async {
    let result = await pipeline(["state", export()] + words, environment: store)
    #expect(result.status.rawValue == status)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func aWorkflowWithoutStateTakesNoStateFile() async {
    let path = folder.write(
      #"{ "steps": [{ "id": "a", "values": { "b": 1 } }], "outputs": { "b": "{{a.b}}" } }"#,
      to: "plain.json")
    let run = await pipeline(["run", path, "--state", file])
    #expect(run.status == .usage && run.error.contains("has no 'state'"), "\(run.error)")
    #expect(await pipeline(["state", path]).status == .invalid)
    // Without HOME, and whatever the store is.
    #expect(await pipeline(["run", path]).status == .success)
    #expect(folder.names == ["plain.json"])
  }

  /// A workflow whose items have their own state.
  private func accounts() -> String {
    folder.write(
      """
      { "name": "accounts", "inputs": { "accounts": { "type": "array", "default": ["a", "b.c"] } },
        "defaults": { "baseURL": "sandbox:/pages" },
        "steps": [
          { "id": "each", "forEach": "$.inputs.accounts", "as": "account",
            "state": { "exported": { "by": "{{account}}", "type": "integer", "default": 0,
                                     "next": "{{list.total}}" } },
            "steps": [
              { "id": "list", "endpoint": "GET /offset",
                "query": { "offset": "{{state.exported}}", "limit": 100, "total": 5 },
                "extract": { "new": "$.data[*].id", "total": "$.total" } } ],
            "outputs": { "new": { "$count": "$.list.new" } } }
        ],
        "outputs": { "new": "$.each[*].new" } }
      """, to: "accounts.json")
  }

  @Test func theStateOfItemsIsShownSetAndClearedByKey() async throws {
    let path = accounts()
    let words = ["state", path, "--state", file]
    let none = await pipeline(words)
    #expect(
      none.output
        == "\(file): no run has left state yet\n  exported  no key yet; any other begins with 0\n")
    let plan = await pipeline(["plan", path, "--state", file])
    #expect(
      plan.output.contains("keeps  exported by {{account}}, no key yet; next \"{{list.total}}\""),
      "\(plan.output)")
    #expect(plan.output.contains("offset?offset={{state.exported}}&limit=100&total=5"))
    let first = await pipeline(["run", path, "--state", file, "--quiet"])
    #expect(first.status == .success && first.output.contains("5,\n    5"), "\(first.output)")
    #expect(await pipeline(words + ["set", "exported.b.c", "2"]).status == .success)
    #expect(await pipeline(words + ["set", "exported.d", "1"]).status == .success)
    let shown = await pipeline(words)
    #expect(
      shown.output.hasSuffix(
        "Z\n  exported  3 keys; any other begins with 0\n    a    5\n    b.c  2\n    d    1\n"),
      "\(shown.output)")
    let second = await pipeline(["run", path, "--state", file, "--quiet"])
    #expect(second.output.contains("0,\n    3"), "\(second.output)")
    #expect(try kept()["state"]?["exported"]?["d"]?.number?.int == 1)
    let json = try JSONDocument.parse(Array(await pipeline(words + ["--json"]).output.utf8)).root
    #expect(json["state"]?["exported"]?["value"]?["b.c"]?.number?.int == 5)
    #expect(await pipeline(words + ["clear", "exported.d"]).status == .success)
    #expect(try kept()["state"]?["exported"]?.count == 2)
    #expect(await pipeline(words + ["set", "exported", #"{"x": 1}"#]).status == .success)
    #expect(try kept()["state"]?["exported"]?["x"]?.number?.int == 1)
    #expect(await pipeline(words + ["clear", "exported"]).status == .success)
    #expect(try kept()["state"]?.count == 0)
  }

  @Test(arguments: [
    (["set", "exported", "4"], "each item has its own state 'exported'; write 'exported.KEY'"),
    (["set", "exported", #"{"a": "x"}"#], "state 'exported' of 'a' must be a whole number"),
    (["set", "exported.a", "x"], "state 'exported' must be a whole number"),
    (["set", "exported.", "4"], "'exported.' has no key after the dot"),
    (["clear", "exported.a"], "state 'exported' has no key 'a'"),
    (["clear", "exportet.a"], "state value 'exportet.a' does not exist"),
  ])
  func whatIsWrongWithAKeyIsSaid(_ words: [String], _ message: String) async {
    let result = await pipeline(["state", accounts(), "--state", file] + words)
    #expect(result.status == .invalid)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func planShowsWhereARunWouldBegin() async {
    let path = export()
    let first = await pipeline(["plan", path, "--state", file])
    #expect(first.output.contains("\nstate\n  exported  0  default\n"), "\(first.output)")
    #expect(first.output.contains("/offset?offset=0&limit=100&total=25"))
    #expect(first.output.hasSuffix("\nnext state\n  exported  \"{{list.total}}\"\n"))
    folder.write(#"{"format": 1, "state": {"exported": 7}}"#, to: "state.json")
    let later = await pipeline(["plan", path, "--state", file])
    #expect(later.output.contains("\nstate\n  exported  7\n"), "\(later.output)")
    #expect(later.output.contains("?offset=7&"))
    #expect(await pipeline(["plan", path]).status == .success)
    #expect(folder.names == ["export.json", "state.json"])
  }
}

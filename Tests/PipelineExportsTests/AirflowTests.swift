import PipelineExports
import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

/// The DAG file, on a stand-in for Airflow.
@Suite(.ownThreads, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct AirflowTests {
  private let folder = TemporaryFolder()

  private func drive(
    _ text: String, _ settings: String? = nil, _ variables: [String: String] = [:]
  ) throws -> JSONNode {
    let path = folder.write(text, to: "dag.py")
    let outcome = Tool.run(
      ["python3", "-W", "error", support + "/drive.py", path] + (settings.map { [$0] } ?? []),
      in: folder, variables.merging(["FAKE": folder.path]) { $1 })
    #expect(outcome.status == 0, "\(outcome.error)\n\(text)")
    return try JSONDocument.parse(Array(outcome.output.utf8)).root
  }

  private func export(_ workflow: String, _ change: (inout ExportOptions) -> Void = { _ in })
    throws -> String
  {
    var options = ExportOptions(file: "a.json")
    options.program = support + "/pipeline"
    options.folder = folder.path
    change(&options)
    return ExportEngine.airflow.text(of: try plan(workflow), options)
  }

  private var calls: [String] {
    (folder.read("calls") ?? "").split(separator: "\n").map(String.init)
  }

  @Test(arguments: sampleNames.share(0)) func everySampleIsImported(_ sample: String) throws {
    let text = ExportEngine.airflow.text(
      of: try samplePlan(sample), ExportOptions(file: "/w/" + sample))
    let root = try drive(text)
    let tasks = try #require(root["tasks"])
    let begin = try #require(tasks["run-begin"])
    let finish = try #require(tasks["run-finish"])
    #expect(begin["follows"]?.count == 0)
    #expect(finish["rule"]?.string == "all_done" && begin["rule"]?.string == "all_success")
    // Whatever a task follows, it starts; only the first need a run to be there.
    for task in tasks.members where task.name != "run-begin" {
      let follows = task.value["follows"]?.elements.compactMap(\.string) ?? []
      #expect(!follows.isEmpty)
      let isFirst = follows == ["run-begin"] && task.name != "run-finish"
      let rule = isFirst ? "all_success" : "all_done"
      #expect(task.value["rule"]?.string == rule, "\(task.name)")
    }
  }

  @Test func inputsAreParametersWithTheirTypes() throws {
    let root = try drive(try export(awkwardWorkflow) { $0.schedule = "@daily" })
    let params = try #require(root["params"])
    #expect(params["class"]?["default"]?.string == "a \"b\" \\n $x #y\u{0}\u{2028}")
    #expect(params["class"]?["type"]?.string == "string")
    #expect(params["class"]?["description"]?.string == "It's 100 %.")
    #expect(params["day"]?["default"]?.isNull == true)
    #expect(params["day"]?["type"]?.elements.compactMap(\.string) == ["null", "string"])
    #expect(params["from"]?["format"]?.string == "date-time")
    #expect(params["kind"]?["enum"]?.elements.compactMap(\.string) == ["é", "b'"])
    #expect(params["list"]?["default"]?.text == #"[1, 2.5, null, true, {"a": "$(x)"}]"#)
    #expect(params["limit"]?["type"]?.elements.compactMap(\.string) == ["null", "integer"])
    #expect(params["run-environment"]?["enum"]?[0]?.string == "live 'x'")
    #expect(params["token"] == nil && params["key"] == nil)
    #expect(root["dag"]?["schedule"]?.string == "@daily")
    #expect(root["dag"]?["catchup"]?.boolean == false)
    #expect(
      root["dag"]?["dag_display_name"]?.string
        == "it's \"50%\" $(rm -rf) ${HOME} #1 \\ naïve \u{202E}evil")
  }

  @Test func aRunCallsThePartsInOrderWithoutAShell() throws {
    folder.write("1200\n", to: "items")
    let root = try drive(
      try export(awkwardWorkflow),
      #"{"run_id": "manual__2026-11-23T01:02:03+00:00", "params": {"kind": "b'", "from": null}}"#,
      ["AWKWARD_TOKEN": "t0k\"en"])
    #expect(
      root["states"]?.members.allSatisfy { $0.value.string == "success" } == true, "\(root.text)")
    let run = folder.path + "/manual__2026-11-23T01:02:03+00:00"
    let at = "<--folder><\(run)><--inputs><->"
    let file = "<\(folder.path)/a.json>"
    #expect(calls.first == "<part><begin>\(file)\(at)")
    #expect(calls.dropFirst().first == "<part><run>\(file)\(at)<--step><list>")
    #expect(calls.contains("<part><run>\(file)\(at)<--step><Class>"))
    #expect(calls.contains("<part><items>\(file)\(at)<--step><begin>"))
    for shard in 1...3 {
      #expect(calls.contains("<part><run>\(file)\(at)<--step><begin><--shard><\(shard)/3>"))
    }
    #expect(calls.contains("<part><run>\(file)\(at)<--step><class>"))
    #expect(calls.last == "<part><finish>\(file)\(at)<--output><\(run)/outputs.json>")
    #expect(calls.count == 10)
    // Secrets go through the pipe, and only changed inputs do. They are in no result of a task.
    let given = (folder.read("stdin") ?? "").split(separator: "\n")
    #expect(given.first == #"{"kind": "b'", "token": "t0k\"en"}"#)
    #expect(given.dropFirst().allSatisfy { $0 == #"{"token": "t0k\"en"}"# })
    #expect(!root.text.contains("t0k"))
  }

  @Test func aSecretComesFromAConnectionIfItsVariableIsNotSet() throws {
    let text = try export(awkwardWorkflow)
    let name = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("    \"key\": (None") })
    let connection = try #require(name.split(separator: "\"").dropLast().last)
    folder.write("0\n", to: "items")
    _ = try drive(text, "{\"run_id\": \"r\", \"connections\": {\"\(connection)\": \"pass\"}}")
    #expect(folder.read("stdin")?.hasPrefix(#"{"key": "pass"}"#) == true)
  }

  @Test func theExitStatusDecidesHowATaskEnds() throws {
    let text = try export(
      """
      {"steps": [
        {"id": "a", "wait": "1s"}, {"id": "b", "wait": "1s", "dependsOn": ["a"]},
        {"id": "c", "wait": "1s"}, {"id": "d", "wait": "1s"}, {"id": "e", "wait": "1s"},
        {"id": "f", "wait": "1s"}, {"id": "g", "wait": "1s"}, {"id": "h", "forEach": [1], "values": {"v": 1}}
      ]}
      """)
    folder.write("0\n", to: "items")
    let statuses = [
      ("a", "1"), ("c", "2"), ("d", "3"), ("e", "4"), ("f", "5"), ("g", "6"), ("h", "4"),
      ("finish", "1"),
    ]
    for (step, status) in statuses {
      folder.write(status, to: "status-" + step)
    }
    let root = try drive(text, #"{"run_id": "r"}"#)
    let (states, attempts) = (root["states"], root["attempts"])
    #expect(states?["a"]?.string == "failed" && attempts?["a"]?.number?.text == "3")
    #expect(states?["b"]?.string == "success" && attempts?["b"]?.number?.text == "1")
    #expect(states?["c"]?.string == "failed" && attempts?["c"]?.number?.text == "1")
    #expect(states?["d"]?.string == "failed" && attempts?["d"]?.number?.text == "1")
    #expect(root["results"]?["d"]?.string?.contains("in doubt") == true)
    for (step, state) in [("e", "skipped"), ("f", "failed"), ("g", "skipped"), ("h", "skipped")] {
      #expect(states?[step]?.string == state, "\(step)")
      // No shard of a collection starts if what counts its items is skipped.
      #expect(attempts?[step]?.number?.text == (step == "h" ? nil : "1"), "\(step)")
    }
    // The run failed, and its end does not change that.
    #expect(states?["run-finish"]?.string == "failed")
    #expect(attempts?["run-finish"]?.number?.text == "1")
  }

  /// A failure is an error in the log, and what a part says of its work is not.
  @Test func theLinesOfAPartHaveLevels() throws {
    let text = try export(#"{"steps": [{"id": "a", "wait": "1s"}]}"#)
    let lines = [
      "✓ a 1 request", "✗ a failed", "w.json:1:2: error: step 'a'", "    = request", "– b skipped",
    ]
    folder.write(lines.joined(separator: "\n") + "\n", to: "stderr-a")
    let root = try drive(text, #"{"run_id": "r"}"#)
    let log = root["log"]?.elements.map { "\($0[0]?.string ?? "") \($0[1]?.string ?? "")" }
    #expect(
      log == zip(["INFO", "ERROR", "ERROR", "ERROR", "INFO"], lines).map { "\($0) \($1)" })
  }

  @Test func nothingIsStartedIfTheRunCannotBegin() throws {
    folder.write("2", to: "status-begin")
    let root = try drive(
      try export(
        #"""
        {"steps": [{"id": "a", "wait": "1s"}, {"id": "b", "wait": "1s", "dependsOn": ["a"]},
          {"id": "c", "forEach": [1], "dependsOn": ["b"], "values": {"v": 1}}]}
        """#), #"{"run_id": "r"}"#)
    #expect(root["states"]?["a"]?.string == "upstream_failed")
    // One cause gives one failure, and one at the end, so that the run does not end well.
    #expect(root["states"]?["b"]?.string == "skipped", "\(root.text)")
    #expect(root["states"]?["c-shards"]?.string == "skipped")
    #expect(root["states"]?["run-finish"]?.string == "failed")
    #expect(calls.count == 1)
    #expect(root["attempts"]?["run-begin"]?.number?.text == "1")
  }

  @Test(arguments: [(0, 1), (1, 1), (500, 1), (501, 2), (31_999, 64), (1_000_000, 64)])
  func aCollectionIsSplitByItsItems(items: Int, shards: Int) throws {
    folder.write("\(items)\n", to: "items")
    let root = try drive(
      try export(#"{"steps": [{"id": "a", "forEach": [1, 2], "values": {"v": 1}}]}"#),
      #"{"run_id": "r"}"#)
    let names = root["results"]?["a-shards"]?.elements.compactMap(\.string) ?? []
    #expect(names == (1...shards).map { "\($0)/\(shards)" })
  }

  @Test(
    .enabled(if: Tool.isInstalled("ruff"), "ruff is not installed"),
    arguments: ["users.json", "oauth.json", "cleanup.json", ""])
  func ruffFindsNothing(_ sample: String) throws {
    var options = ExportOptions(file: "a.json")
    options.schedule = "@daily"
    let text = ExportEngine.airflow.text(
      of: try sample.isEmpty ? plan(awkwardWorkflow) : samplePlan(sample), options)
    folder.write(text, to: "dag.py")
    let outcome = Tool.run(
      [
        "ruff", "check", "--isolated", "--no-cache", "--line-length", "100", "--select",
        "E,F,I,B,S,UP,PT,SIM,RUF", "--ignore", "E501,S101,S603,UP017,RUF001,RUF002,RUF003",
        "dag.py",
      ], in: folder)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
  }
}

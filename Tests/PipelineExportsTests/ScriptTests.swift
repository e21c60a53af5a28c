import Foundation
import PipelineExports
import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

/// The Makefile, run with a stand-in for `pipeline`.
@Suite(.ownThreads, .enabled(if: Tool.isInstalled("make"), "make is not installed"))
struct MakefileTests {
  private let folder = TemporaryFolder()

  private func make(
    _ workflow: String, _ words: [String] = [], _ variables: [String: String] = [:],
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> Tool.Outcome {
    var options = ExportOptions(file: "a.json")
    options.folder = "runs/1"
    change(&options)
    folder.write(ExportEngine.make.text(of: try plan(workflow), options), to: "Makefile")
    return Tool.run(
      ["make", "-j4"] + words, in: folder, variables.merging(["FAKE": folder.path]) { $1 },
      tools: [support])
  }

  private var calls: [String] {
    (folder.read("calls") ?? "").split(separator: "\n").map(String.init)
  }

  private func place(_ part: String) -> Int? { calls.firstIndex { $0.contains(part) } }

  @Test func thePartsAreCalledInOrder() throws {
    let outcome = try make(awkwardWorkflow)
    #expect(outcome.status == 0, "\(outcome.error)")
    let at = "<a.json><--folder><runs/1>"
    #expect(calls.first == "<part><begin>\(at)")
    #expect(calls.dropFirst().first == "<part><run>\(at)<--step><list>")
    #expect(calls.last == "<part><finish>\(at)<--output><runs/1/outputs.json>")
    let shards = (1...4).map { "<part><run>\(at)<--step><begin><--shard><\($0)/4>" }
    let last = try #require(place("<--step><all>"))
    for call in shards { #expect(try #require(place(call)) < last, "\(call)") }
    #expect(try #require(place("<--step><Class>")) < last)
    #expect(calls.count == 10)
  }

  @Test func namesThatAreHardToQuoteArriveAsTheyAre() throws {
    let names = ["it's a \"$file\" #1 50%.json", " a\\#b\\\\", "#", "$(x) `y` naïve", "~a"]
    for name in names {
      let tools = TemporaryFolder()
      let program = tools.path + "/my $pipe#line's"
      try FileManager.default.copyItem(atPath: support + "/pipeline", toPath: program)
      folder.write("", to: "calls")
      let outcome = try make(#"{"steps": [{"id": "a", "wait": "1s"}]}"#) {
        $0.file = name
        $0.program = program
        $0.folder = folder.path + "/50% of $runs #1"
      }
      #expect(outcome.status == 0, "\(outcome.error)")
      let at = "<\(name)><--folder><\(folder.path)/50% of $runs #1>"
      #expect(calls.count == 3 && calls[1] == "<part><run>\(at)<--step><a>", "\(calls)")
    }
  }

  @Test func inputsComeFromAFileThatIsNamed() throws {
    let outcome = try make(
      awkwardWorkflow, ["PIPELINE_INPUTS=in's 1.json", "PIPELINE_FOLDER=runs/2 b"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(calls.first == "<part><begin><a.json><--folder><runs/2 b><--inputs><in's 1.json>")
    // Secret inputs are given to each part.
    #expect(calls.allSatisfy { $0.contains("<runs/2 b><--inputs><in's 1.json>") }, "\(calls)")
    folder.write("", to: "calls")
    _ = try make(#"{"steps": [{"id": "a", "wait": "1s"}]}"#, ["PIPELINE_INPUTS=i.json"])
    #expect(calls.map { $0.contains("<--inputs>") } == [true, false, false])
  }

  /// What follows a failed part decides by itself; a wrong file stops everything.
  @Test(arguments: [
    ("1", true), ("3", true), ("4", true), ("5", true), ("6", true), ("2", false), ("64", false),
    ("137", false),
  ])
  func aFailedPartDoesNotKeepOthersFromStarting(status: String, goesOn: Bool) throws {
    folder.write(status, to: "status-a")
    let outcome = try make(
      """
      {"steps": [{"id": "a", "wait": "1s"}, {"id": "b", "wait": "1s", "dependsOn": ["a"]}]}
      """)
    #expect((outcome.status == 0) == goesOn)
    #expect((place("<--step><b>") != nil) == goesOn)
    #expect((place("<finish>") != nil) == goesOn)
  }

  @Test func makeEndsAsTheRunEnds() throws {
    folder.write("1", to: "status-finish")
    #expect(try make(#"{"steps": [{"id": "a", "wait": "1s"}]}"#).status != 0)
  }

  @Test(arguments: sampleNames.share(1)) func everySampleIsMade(_ sample: String) throws {
    let text = ExportEngine.make.text(of: try samplePlan(sample), ExportOptions(file: sample))
    folder.write(text, to: "Makefile")
    let outcome = Tool.run(
      ["make", "-j4", "--warn-undefined-variables"], in: folder, ["FAKE": folder.path],
      tools: [support])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(!outcome.error.contains("warning"), "\(outcome.error)")
    #expect(calls.first?.contains("<begin>") == true && calls.last?.contains("<finish>") == true)
  }
}

/// The script for Slurm, run with stand-ins for `sbatch` and `pipeline`.
@Suite(.ownThreads, .enabled(if: Tool.isInstalled("bash"), "bash is not installed"))
struct SlurmTests {
  private let folder = TemporaryFolder()

  // Its `sleep` takes no time.
  private func submit(
    _ workflow: String, _ words: [String] = [], _ variables: [String: String] = [:],
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> Tool.Outcome {
    var options = ExportOptions(file: "it's $a #1.json")
    change(&options)
    folder.write(ExportEngine.slurm.text(of: try plan(workflow), options), to: "run.sh")
    return Tool.run(
      ["bash", "run.sh"] + words, in: folder,
      variables.merging(["FAKE": folder.path, "PIPELINE_FOLDER": "run 1"]) { $1 },
      tools: [support, support + "/instant"])
  }

  private func lines(_ name: String) -> [String] {
    (folder.read(name) ?? "").split(separator: "\n").map(String.init)
  }

  @Test func jobsFollowEachOtherAndArraysHaveShards() throws {
    let outcome = try submit(
      awkwardWorkflow, ["--set", "kind=b'"], ["PIPELINE_INPUTS": "s e.json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let jobs = lines("jobs")
    try #require(jobs.count == 6)
    let first = "<--parsable><--job-name=list><--output=run 1/log/%x-%j.txt><run 1/job.sh>"
    #expect(jobs[0].hasPrefix(first))
    let begin = try #require(jobs.first { $0.contains("--job-name=begin>") })
    #expect(begin.contains("<--dependency=afterany:1><--array=1-12><run 1/job.sh>"))
    // The log of a task of an array has its number.
    #expect(begin.contains("<--output=run 1/log/%x-%A_%a.txt>"))
    let run = try #require(jobs.first { $0.contains("--job-name=all>") })
    #expect(run.contains("<--dependency=afterany:"))
    let finish = try #require(jobs.last)
    #expect(finish.contains("<--job-name=run-finish>"))
    #expect(finish.contains("<--dependency=afterany:5>"))
    let calls = lines("calls")
    let at = "<it's $a #1.json><--folder><run 1><--inputs><s e.json>"
    #expect(calls.first == "<part><begin>\(at)<--set><kind=b'>")
    #expect(calls.dropFirst().first == "<part><run>\(at)<--step><list>")
    let shard = "<part><run>\(at)<--step><begin><--shard><auto>"
    #expect(calls.filter { $0 == shard }.count == 12, "\(calls)")
    #expect(calls.last == "<part><finish>\(at)<--output><run 1/outputs.json>")
  }

  @Test func aScriptThatWaitsEndsAsTheRunEnds() throws {
    folder.write("3", to: "status-finish")
    let text = #"{"steps": [{"id": "a", "wait": "1s"}]}"#
    #expect(try submit(text).status == 0)
    #expect(try submit(text, [], ["PIPELINE_WAIT": "1"]).status == 3)
  }

  @Test(arguments: [
    ("1", 3), ("137", 3), ("2", 1), ("3", 1), ("4", 1), ("5", 1), ("6", 1), ("130", 1),
  ])
  func aPartThatMaySucceedLaterIsTriedThreeTimes(status: String, times: Int) throws {
    folder.write(status, to: "status-list")
    let text = #"{"steps": [{"id": "list", "wait": "1s"}, {"id": "b", "wait": "1s"}]}"#
    #expect(try submit(text).status == 0)
    #expect(lines("calls").filter { $0.contains("<--step><list>") }.count == times)
    #expect(lines("calls").filter { $0.contains("<--step><b>") }.count == 1)
  }

  @Test func nothingIsSubmittedIfTheRunCannotBegin() throws {
    folder.write("2", to: "status-begin")
    let outcome = try submit(#"{"steps": [{"id": "a", "wait": "1s"}]}"#)
    #expect(outcome.status == 2)
    #expect(lines("jobs").isEmpty)
  }

  @Test(
    .enabled(if: Tool.isInstalled("shellcheck"), "shellcheck is not installed"),
    arguments: ["users.json", "oauth.json", "cleanup.json", ""])
  func shellcheckFindsNothing(_ sample: String) throws {
    let text = ExportEngine.slurm.text(
      of: try sample.isEmpty ? plan(awkwardWorkflow) : samplePlan(sample),
      ExportOptions(file: "it's $a.json"))
    folder.write(text, to: "run.sh")
    let outcome = Tool.run(["shellcheck", "--exclude", "SC2016", "run.sh"], in: folder)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
  }

  @Test(arguments: sampleNames.share(2)) func everySampleIsAScript(_ sample: String) throws {
    folder.write(
      ExportEngine.slurm.text(of: try samplePlan(sample), ExportOptions(file: sample)), to: "run.sh"
    )
    let outcome = Tool.run(["bash", "-n", "run.sh"], in: folder)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }
}

/// The Jobs for Kubernetes, read by a parser that is not ours.
@Suite(.ownThreads, .enabled(if: Tool.hasModule("yaml"), "python3 with PyYAML is not installed"))
struct KubernetesTests {
  private let folder = TemporaryFolder()

  private func check(_ text: String) throws -> JSONNode {
    folder.write(text, to: "jobs.yaml")
    let outcome = Tool.run(["python3", support + "/manifests.py", "jobs.yaml"], in: folder)
    #expect(outcome.status == 0, "\(outcome.error)\n\(text)")
    return try JSONDocument.parse(Array(outcome.output.utf8)).root
  }

  @Test(arguments: sampleNames.share(3)) func everySampleHasSoundManifests(_ sample: String) throws
  {
    let root = try check(
      ExportEngine.kubernetes.text(of: try samplePlan(sample), ExportOptions(file: sample)))
    #expect((root["jobs"]?.count ?? 0) >= 2)
  }

  @Test func jobsWaitForWhatTheyFollow() throws {
    var options = ExportOptions(file: "/w/it's $(HOME) \"x\" 50%.json")
    options.program = "/opt/$(x)/pipeline"
    let root = try check(ExportEngine.kubernetes.text(of: try plan(awkwardWorkflow), options))
    let jobs = try #require(root["jobs"])
    func job(_ step: String) throws -> JSONNode {
      try #require(
        jobs.members.first { member in
          member.value["command"]?.elements.compactMap(\.string).contains(step) == true
        }?.value)
    }
    func waits(_ step: String) throws -> [String] {
      try job(step)["waits"]?.elements.compactMap(\.string) ?? []
    }
    #expect(jobs.count == 7)
    #expect(try waits("list") == ["run-begin"])
    #expect(try waits("Class") == ["list"])
    #expect(try waits("all") == (0..<12).map { "begin-\($0)" } + ["Class", "class"])
    let words = try job("Class")["command"]?.elements.compactMap(\.string) ?? []
    let first = ["sh", "/run/pipeline/part.sh", "Class", "/opt/$$(x)/pipeline", "part", "run"]
    #expect(words.starts(with: first + ["/w/it's $$(HOME) \"x\" 50%.json"]), "\(words)")
    #expect(words.contains("$(PIPELINE_FOLDER)") && !words.contains("--share"))
    let finish = try job("finish")
    #expect(finish["secrets"]?.boolean == true && root["scripts"]?["inputs.json"] == nil)
    #expect(finish["waits"]?.elements.compactMap(\.string) == ["all"])
  }

  /// The two scripts of the ConfigMap, as pods run them.
  @Test func aPodWaitsUntilThePartsBeforeItHaveEnded() throws {
    let root = try check(
      ExportEngine.kubernetes.text(of: try samplePlan("users.json"), ExportOptions(file: "u.json")))
    for name in ["wait.sh", "part.sh"] {
      folder.write(try #require(root["scripts"]?[name]?.string), to: name)
    }
    let variables = ["PIPELINE_FOLDER": "run's", "PIPELINE_ATTEMPT": "2", "FAKE": folder.path]
    // There is a `sleep` that ends the one who wants to sleep.
    func waits(for marks: [String] = ["list", "user-0", "user-1"]) -> Bool {
      Tool.run(
        ["sh", "wait.sh"] + marks, in: folder, variables, tools: [support + "/impatient"]
      ).status != 0
    }
    func carryOut(_ mark: String, _ index: String?, _ words: [String]) -> Int32 {
      let indexed = index.map { ["JOB_COMPLETION_INDEX": $0] } ?? [:]
      return Tool.run(
        ["sh", "part.sh", mark] + words, in: folder, variables.merging(indexed) { $1 }
      ).status
    }
    #expect(carryOut("list", nil, [support + "/pipeline", "part", "run", "it's $a"]) == 0)
    #expect(folder.read("calls") == "<part><run><it's $a>\n")
    #expect(carryOut("user", "1", ["sh", "-c", "exit 3"]) == 3)
    #expect(waits())
    // A part that is killed has not ended.
    #expect(carryOut("user", "0", ["sh", "-c", "kill -9 $$"]) == 137)
    #expect(waits())
    #expect(carryOut("user", "0", ["sh", "-c", "exit 1"]) == 1)
    #expect(!waits())
    // A part that is killed at its last try, too, does not let others wait for ever.
    for attempt in 1...4 {
      #expect(carryOut("killed", nil, ["sh", "-c", "kill -9 $$"]) == 137)
      #expect((folder.read("run's/.ended/2/killed") != nil) == (attempt == 4))
    }
    // Nor does a part whose container was killed as a whole: its tries are old then.
    let tries = "run's/.ended/2/lost.tries"
    for (count, minutes, isOver) in [(4, 10.0, true), (4, 1, false), (3, 10, false)] {
      folder.write(String(repeating: "\n", count: count), to: tries)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60 * minutes)],
        ofItemAtPath: folder.path + "/" + tries)
      #expect(waits(for: ["lost"]) != isOver, "\(count) tries, \(minutes) minutes")
    }
    // A skipped step is no failure for Kubernetes.
    #expect(carryOut("skipped", nil, ["sh", "-c", "exit 4"]) == 0)
    #expect(folder.read("run's/.ended/2/skipped") != nil)
    // The signal that ends a pod reaches the part.
    let ends = "trap 'exit 130' TERM; kill -TERM $PPID; while :; do :; done"
    #expect(carryOut("ended", nil, ["sh", "-c", ends]) == 130)
    #expect(folder.read("run's/.ended/2/ended") == nil)
  }

  @Test(
    .enabled(
      if: Tool.hasModule("kubernetes_validate"), "the Python module kubernetes-validate is missing"),
    arguments: sampleNames.share(0))
  func theManifestsFitTheSchemasOfKubernetes(_ sample: String) throws {
    folder.write(
      ExportEngine.kubernetes.text(of: try samplePlan(sample), ExportOptions(file: sample)),
      to: "jobs.yaml")
    for version in ["1.29", "1.33"] {
      let outcome = Tool.run(
        ["python3", "-m", "kubernetes_validate", "--strict", "-k", version, "jobs.yaml"], in: folder
      )
      #expect(outcome.status == 0, "\(version): \(outcome.output)\(outcome.error)")
    }
  }
}

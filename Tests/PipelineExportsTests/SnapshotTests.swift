import PipelineExports
import PipelineTestSupport
import Testing

/// What is printed, for samples and for a workflow that is hard to quote.
struct SnapshotTests {
  private static let endings: [ExportEngine: String] = [
    .airflow: "py", .slurm: "sh", .kubernetes: "yaml", .make: "mk",
  ]

  @Test(arguments: ExportEngine.allCases, ["users.json", "cleanup.json", "oauth.json"])
  func aSampleIsWhatIsRecorded(_ engine: ExportEngine, sample: String) throws {
    let text = engine.text(
      of: try samplePlan(sample), ExportOptions(file: "workflows/" + sample))
    let name = String(sample.dropLast(5))
    try expectSnapshot(text, "\(name).\(Self.endings[engine] ?? "")")
  }

  @Test(arguments: ExportEngine.allCases)
  func whatIsHardToQuoteIsWhatIsRecorded(_ engine: ExportEngine) throws {
    var options = ExportOptions(file: "it's a \"$file\" #1 50%.json")
    options.program = "/opt/my tools/pipeline's"
    options.folder = "/shared/50% of $runs #1"
    options.schedule = "0 6 * * *"
    let text = engine.text(of: try plan(awkwardWorkflow), options)
    try expectSnapshot(text, "awkward.\(Self.endings[engine] ?? "")")
    #expect(!text.contains("hidden-default"))
    #expect(!text.unicodeScalars.contains("\u{202E}"))
  }

  @Test(arguments: ExportEngine.allCases)
  func theSameTextComesEachTime(_ engine: ExportEngine) throws {
    let texts = try (0..<2).map { _ in
      engine.text(of: try plan(awkwardWorkflow), ExportOptions(file: "a.json"))
    }
    #expect(texts[0] == texts[1])
  }

  /// The parts hand the limits to each other in the folder.
  @Test(arguments: ExportEngine.allCases)
  func noPartIsGivenAFixedShareOfTheLimits(_ engine: ExportEngine) throws {
    let text = engine.text(of: try plan(awkwardWorkflow), ExportOptions(file: "a.json"))
    #expect(!text.contains("--share"))
  }

  @Test func aCollectionHasNoMoreShardsThanRequestsInFlight() throws {
    func shards(_ limits: String, _ step: String, engine: ExportEngine = .slurm) throws -> Bool {
      let text = """
        {
          "limits": {\(limits)},
          "steps": [{ "id": "a", "forEach": [1, 2, 3], \(step) "values": { "v": 1 } }]
        }
        """
      return engine.text(of: try plan(text), ExportOptions(file: "a.json")).contains("--array=1-3 ")
    }
    #expect(try shards("\"concurrency\": 3", ""))
    #expect(try shards("\"perOrigin\": 3, \"concurrency\": 5", ""))
    #expect(try shards("", "\"concurrency\": 3,"))
    #expect(try !shards("", ""))
    let one = ExportEngine.slurm.text(
      of: try plan(
        #"{"steps": [{"id": "a", "forEach": [1, 2], "concurrency": 1, "values": {"v": 1}}]}"#),
      ExportOptions(file: "a.json"))
    #expect(!one.contains("--array=1") && !one.contains("--shard"))
  }
}

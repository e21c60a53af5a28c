import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTesting
import Testing

/// How an app makes a pipeline, gives it inputs and takes values out.
@Suite struct FaceTests {
  private let transport = ScriptedTransport([
    "GET https://api.example/users/7": [.json(["name": "Goran", "born": "1978-03-01T00:00:00Z"])],
    "GET https://api.example/users/8": [.status(404)],
  ])

  private let user = """
    {"inputs": {"user": {"type": "integer"}},
     "steps": [{"id": "user", "endpoint": "GET https://api.example/users/{{inputs.user}}",
       "extract": {"name": "$.name", "born": "$.born"}}],
     "outputs": {"full_name": "{{user.name}}", "born": "{{user.born}}"}}
    """

  struct User: Decodable, Equatable {
    let fullName: String
    let born: Date
  }

  struct Inputs: Encodable {
    let user: Int
  }

  @Test func aValueOfTheAppsOwnTypeComesOutOfOneCall() async throws {
    let pipeline = try Pipeline(user, transport: transport)
    let born = Date(timeIntervalSince1970: 257_558_400)
    let expected = User(fullName: "Goran", born: born)
    #expect(
      try await pipeline.value(of: User.self, inputs: ["user": 7], keys: .snakeCase) == expected)
    #expect(
      try await pipeline.value(of: User.self, inputs: Inputs(user: 7), keys: .snakeCase)
        == expected)
    let result = try await pipeline.run(inputs: Inputs(user: 7)).result
    #expect(try result.decode(User.self, keys: .snakeCase) == expected)
    #expect(try result.get().status == .succeeded)
  }

  @Test func aFailedRunThrowsItsReport() async throws {
    let pipeline = try Pipeline(user, transport: transport)
    let error = await #expect(throws: RunFailure.self) {
      try await pipeline.value(of: User.self, inputs: ["user": 8])
    }
    let failure = try #require(error)
    #expect(failure.report.failures.map(\.failure.status) == [404])
    #expect("\(failure)".hasPrefix("step 'user' answered 404"))
    #expect(failure.localizedDescription == failure.description)
    let result = try await pipeline.run(inputs: ["user": 8]).result
    #expect(throws: RunFailure.self) { try result.decode(User.self) }
    #expect(throws: RunFailure.self) { try result.get() }
  }

  @Test func inputsThatAreNotAnObjectAreRefused() throws {
    let pipeline = try Pipeline(user, transport: transport)
    #expect(throws: EncodingError.self) { try pipeline.run(inputs: [1, 2]) }
  }

  @Test func aLiteralIsAWorkflow() async throws {
    let pipeline = try Pipeline(
      json: [
        "steps": [
          [
            "id": "user", "endpoint": "GET https://api.example/users/7",
            "extract": ["name": "$.name"],
          ]
        ],
        "outputs": ["name": "{{user.name}}"],
      ], transport: transport)
    #expect(try await pipeline.run().result.output("name", as: String.self) == "Goran")
    let error = #expect(throws: WorkflowError.self) {
      try Pipeline(json: ["steps": [["id": "a"]]], transport: transport)
    }
    #expect(error?.diagnostics.isEmpty == false)
    #expect(error?.description.contains("workflow.json:3:5") == true)
    #expect(error?.localizedDescription == error?.description)
  }

  /// An error of an app, whose description is for developers.
  struct AppError: LocalizedError, CustomStringConvertible {
    let description = "AppError(code: 7, token: abc)"
  }

  @Test func errorsOfTheAppKeepTheirDescription() {
    #expect(AppError().errorDescription == nil)
    #expect(!AppError().localizedDescription.contains("token"))
  }

  private let calling = """
    {"extends": "shared/base.json",
     "steps": [{"id": "one", "workflow": "parts/one.json"}],
     "outputs": {"n": "{{one.n}}"}}
    """
  private let parts = [
    "shared/base.json": "{\"limits\": {\"concurrency\": 2}}",
    "parts/one.json": """
    {"steps": [{"id": "two", "workflow": "../parts/two.json"}], "outputs": {"n": "{{two.n}}"}}
    """,
    "parts/two.json": """
    {"steps": [{"id": "a", "values": {"n": 2}}], "outputs": {"n": "{{a.n}}"}}
    """,
  ]

  @Test func calledFilesAndTheBaseComeFromMemory() async throws {
    let pipeline = try Pipeline(calling, loader: .memory(parts), transport: transport)
    #expect(try await pipeline.run().result.output("n", as: Int.self) == 2)
    #expect(throws: WorkflowError.self) { try Pipeline(calling, transport: transport) }
    #expect(throws: WorkflowError.self) {
      try Pipeline(calling, loader: .memory([:]), transport: transport)
    }
  }

  @Test func calledFilesAndTheBaseComeFromAFolder() async throws {
    let folder = TemporaryFolder()
    for (name, text) in parts { folder.write(text, to: name) }
    let path = folder.write(calling, to: "main.json")
    for pipeline in [
      try Pipeline(calling, loader: .folder(folder.path), transport: transport),
      try Pipeline(contentsOf: path, transport: transport),
      try Pipeline(contentsOf: URL(fileURLWithPath: path), transport: transport),
    ] {
      #expect(try await pipeline.run().result.output("n", as: Int.self) == 2)
    }
    let outside = folder.write(
      "{\"steps\": [{\"id\": \"a\", \"workflow\": \"../parts/two.json\"}]}", to: "inner/main.json")
    let error = #expect(throws: WorkflowError.self) {
      try Pipeline(contentsOf: outside, transport: transport)
    }
    #expect(error?.description.contains("outside the workflow's folder") == true)
    #expect(throws: FileError.self) {
      try Pipeline(contentsOf: folder.path + "/none.json", transport: transport)
    }
    #expect(throws: FileError.self) {
      try Pipeline(contentsOf: try #require(URL(string: "https://a.example")), transport: transport)
    }
  }

  @Test func warningsHaveTheirLines() throws {
    let pipeline = try Pipeline(
      """
      {"inputs": {"unused": {"type": "string"}}, "steps": [{"id": "a", "values": {"n": 1}}],
       "outputs": {"n": "{{a.n}}"}}
      """, transport: transport)
    #expect(pipeline.warnings.map(\.code) == ["unused-input"])
    #expect(pipeline.warningText.contains("workflow.json:1:13: warning:"))
  }

  @Test func aRunThatIsStartedNeedsNobodyToWait() async throws {
    let pipeline = try Pipeline(user, transport: transport)
    let run = pipeline.run(inputs: ["user": 7]).start()
    while transport.requests.isEmpty { await Task.yield() }
    #expect(try await run.result.status == .succeeded)
    run.start()
    #expect(try await run.value(of: User.self, keys: .snakeCase).fullName == "Goran")
    #expect(transport.requests.count == 1)
  }

  @Test func aTaskThatIsCancelledGetsNoOtherError() async throws {
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let pipeline = try Pipeline(
      "{\"steps\": [{\"id\": \"a\", \"wait\": \"1h\"}]}", transport: transport, options: options)
    let task = Task { try await pipeline.value(of: [String: Int].self) }
    await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

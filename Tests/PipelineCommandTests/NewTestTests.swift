import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `pipeline run --keep-answers`, and `pipeline new --test`, which makes tests of what was kept.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct NewTestTests {
  private let folder = TemporaryFolder()
  private var store: [String] { ["--store", folder.path + "/store"] }

  private func workflow(_ path: String = "/reqres/users/{{inputs.n}}") -> String {
    folder.write(
      """
      {"name": "one", "inputs": {"n": {"type": "integer", "default": 1},
        "key": {"type": "string", "secret": true, "default": "very-secret-4711"}},
       "defaults": {"baseURL": "sandbox:", "headers": {"X-Key": "{{inputs.key}}"}},
       "steps": [
         {"id": "first", "endpoint": "GET /reqres/users/1", "extract": {"id": "$.data.id"}},
         {"id": "user", "endpoint": "GET \(path)", "dependsOn": ["first"],
          "extract": {"mail": "$.data.email"}}],
       "outputs": {"mail": "{{user.mail}}"}}
      """, to: "shop/one.json")
  }

  private func run(_ words: String...) async throws -> String {
    let outcome = await pipeline(["run", folder.path + "/shop/one.json"] + store + words)
    let runs = await pipeline(["runs", "--json"] + store)
    let list = try JSONDocument.parse(Array(runs.output.utf8)).root
    let newest = Array(list.elements).first ?? list
    return try #require(newest["id"]?.string, "\(outcome.error) \(runs.output)")
  }

  @Test func aRunBecomesATestThatPasses() async throws {
    _ = workflow()
    let id = try await run("--keep-answers", "--set", "n=2")
    let made = await pipeline(["new", "--test", id] + store)
    #expect(made.status == .success, "\(made.error)")
    #expect(made.error.contains("wrote test 'as recorded'") && made.output.isEmpty)
    let text = try #require(folder.read("shop/one.test.json"))
    #expect(text.contains(#""inputs": { "n": 2 }"#), "\(text)")
    #expect(text.contains(#""expect": { "outputs": { "mail": "janet.weaver@reqres.in" } }"#))
    #expect(text.contains(#""replay": "./recordings/one.har""#))
    let recording = try #require(folder.read("shop/recordings/one.har"))
    #expect(!(text + recording).contains("very-secret-4711"))
    let tested = await pipeline(["test", folder.path + "/shop"])
    #expect(tested.status == .success, "\(tested.error)")
    #expect(await pipeline(["lint", folder.path + "/shop/one.test.json"]).status == .success)

    // Another one of the same name is added beside it, with a recording of its own.
    let again = await pipeline(["new", "--test", id] + store)
    #expect(again.error.contains("wrote test 'as recorded (2)'"), "\(again.error)")
    #expect(folder.read("shop/recordings/one-2.har") != nil)
    #expect(await pipeline(["test", folder.path + "/shop"]).error.contains("2 tests passed"))
  }

  @Test func aRecordingBecomesATestOfTheWorkflowThatItIsNamedAfter() async throws {
    let path = workflow()
    let har = folder.path + "/shop/one.har"
    _ = await pipeline(["run", "-q", path, "--record", har, "--set", "n=3"] + store)
    let wrong = await pipeline(["new", "--test", har])
    #expect(wrong.status == .failure && wrong.error.contains("does not carry"), "\(wrong.error)")
    #expect(folder.read("shop/one.test.json") == nil)
    let made = await pipeline(["new", "--test", har, "--set", "n=3", "--name", "the third"])
    #expect(made.status == .success, "\(made.error)")
    let text = try #require(folder.read("shop/one.test.json"))
    #expect(text.contains(#""replay": "./one.har""#) && text.contains("the third"))
    #expect(folder.read("shop/recordings/one.har") == nil)
    #expect(await pipeline(["test", folder.path + "/shop"]).status == .success)
  }

  @Test func aFailedRunBecomesATestThatExpectsItsFailure() async throws {
    _ = workflow("/status/404")
    let id = try await run("--keep-answers")
    let made = await pipeline(["new", "--test", id] + store)
    #expect(made.status == .success, "\(made.error)")
    let text = try #require(folder.read("shop/one.test.json"))
    #expect(text.contains(#""status": "failed""#) && text.contains(#""kind": "status""#), "\(text)")
    #expect(await pipeline(["test", folder.path + "/shop"]).status == .success)
  }

  @Test func aResumedRunKeepsTheAnswersOfAllItsProcesses() async throws {
    _ = workflow("/status/404")
    let id = try await run("--keep-answers")
    _ = workflow()
    let resumed = await pipeline(["resume", id] + store)
    #expect(resumed.status == .success, "\(resumed.error)")
    let kept = try #require(folder.read("store/runs/\(id)/answers.har"))
    #expect(kept.contains("/reqres/users/1") && !kept.contains("/status/404"))
    #expect(kept.split(separator: #""_pipeline""#).count >= 2)
    let made = await pipeline(["new", "--test", id] + store)
    #expect(made.status == .success, "\(made.error)")
  }

  @Test func whatCannotBeATestSaysWhy() async throws {
    let path = workflow()
    let id = try await run()
    let bare = await pipeline(["new", "--test", id] + store)
    #expect(bare.status == .failure && bare.error.contains("--keep-answers"), "\(bare.error)")
    for words in [["--record", "x.har"], ["--no-store"], ["--only", "first"]] {
      let outcome = await pipeline(["run", path, "--keep-answers"] + words)
      #expect(outcome.status == .usage, "\(words): \(outcome.error)")
    }
    #expect(
      await pipeline(["new", "--curl", "curl https://a.example", "--name", "x"]).status == .usage)
    let kept = try await run("--keep-answers")
    folder.write(#"{"workflow": "./other.json", "tests": []}"#, to: "shop/one.test.json")
    folder.write(#"{"steps": []}"#, to: "shop/other.json")
    let other = await pipeline(["new", "--test", kept] + store)
    #expect(other.status == .failure && other.error.contains("another workflow"), "\(other.error)")
    #expect(folder.read("shop/recordings/one.har") == nil)
  }
}

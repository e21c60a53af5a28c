import PipelineTestSupport
import Testing

@testable import PipelineCommand

struct LintCommandTests {
  private let folder = TemporaryFolder()

  private let good = """
    { "steps": [{ "id": "list", "endpoint": "GET http://127.0.0.1/users" }] }
    """
  private let bad = """
    { "steps": [
      { "id": "list", "endpoint": "GET http://127.0.0.1/users/{{inputs.tokn}}" },
      { "id": "list", "endpoint": "GET http://127.0.0.1/users" }
    ] }
    """

  @Test func cleanFilesAreToldSo() async {
    folder.write(good, to: "a.json")
    folder.write(good, to: "b.json")
    let result = await pipeline(["lint", folder.path])
    #expect(result.status == .success, "\(result.output)")
    #expect(result.output.isEmpty)
    #expect(result.error == "No problems in 2 files\n")
  }

  @Test func aFileToBuildOnIsNoBrokenWorkflow() async {
    let base = folder.write(
      #"{ "defaults": { "baseURL": "https://a.example", "timeout": "10 seconds" } }"#,
      to: "base.json")
    let alone = await pipeline(["lint", base])
    #expect(alone.status == .invalid)
    #expect(alone.output.contains("\(base):1:1: note: this file has no 'steps'"))
    #expect(alone.output.contains("'timeout' must be a duration"))
    #expect(!alone.output.contains("lacks the key"))
    folder.write(#"{ "defaults": { "baseURL": "https://a.example" } }"#, to: "base.json")
    let path = folder.write(
      #"{ "extends": "./base.json", "steps": [{ "id": "a", "endpoint": "GET /a" }] }"#, to: "a.json"
    )
    let together = await pipeline(["lint", base, path])
    #expect(together.error == "No problems in 2 files\n", "\(together.output)")
    // The key is read as JSON, so its spelling does not matter.
    folder.write(
      #"{ "\u0065xtends": "./base.json", "steps": [{ "id": "a", "endpoint": "GET /a" }] }"#,
      to: "a.json")
    let escaped = await pipeline(["lint", base, path])
    #expect(escaped.error == "No problems in 2 files\n", "\(escaped.output)")
  }

  @Test func everyProblemIsReportedAndEndsWithTwo() async {
    let path = folder.write(bad, to: "bad.json")
    let result = await pipeline(["lint", path, "/nowhere.json"])
    #expect(result.status == .invalid)
    #expect(result.output.contains("\(path):2:"))
    #expect(result.output.contains("\(path):3:"))
    #expect(
      result.output.contains("/nowhere.json: error: cannot be read: no such file or folder [file]"))
    #expect(result.error.contains(" errors"))
    #expect(result.error.contains("in 2 files"))
  }

  @Test(arguments: ["json", "sarif", "github"])
  func otherFormatsSayTheSame(format: String) async {
    let path = folder.write(bad, to: "bad.json")
    let result = await pipeline(["lint", path, "--format", format])
    #expect(result.status == .invalid)
    #expect(result.output.contains("bad.json"))
  }

  @Test func fixesAreMadeInPlace() async throws {
    let path = folder.write(
      "{ \"steps\": [{ \"id\": \"a\", \"endpoint\": \"GET http://h/\", }], }\n", to: "w.json")
    let result = await pipeline(["lint", "--fix", path])
    #expect(result.status == .success, "\(result.output)")
    #expect(
      folder.read("w.json")
        == "{ \"steps\": [{ \"id\": \"a\", \"endpoint\": \"GET http://h/\" }] }\n")
    #expect(result.error.hasPrefix("Fixed 2 problems in 1 file\nNo problems in 1 file"))
    #expect(folder.names == ["w.json"])
  }

  @Test func codesAreExplained() async {
    let list = await pipeline(["explain"])
    #expect(list.status == .success)
    let codes = list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(codes.count > 10)
    for code in codes {
      let result = await pipeline(["explain", String(code)])
      #expect(result.status == .success)
      #expect(result.output.hasPrefix(code + " ("))
    }
    let unknown = await pipeline(["explain", "unknwon-reference"])
    #expect(unknown.status == .usage)
    #expect(unknown.error.contains("did you mean 'unknown-reference'?"))
  }
}

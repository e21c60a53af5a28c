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

  @Test func aBaseFileThatWasFixedIsNotReportedAgain() async {
    folder.write(
      #"{ "defaults": { "base_url": "https://a.example", "retry": 3 } }"#, to: "base.json")
    folder.write(
      #"{ "extends": "./base.json", "steps": [{ "id": "a", "endpoint": "GET /a" }] }"#, to: "a.json"
    )
    let result = await pipeline(["lint", "--fix", folder.path])
    #expect(result.status == .success, "\(result.output)")
    #expect(result.output.isEmpty)
    #expect(result.error == "Fixed 1 problem in 1 file\nNo problems in 2 files\n")
  }

  @Test func everyProblemIsReportedAndEndsWithTwo() async {
    let path = folder.write(bad, to: "bad.json")
    let missing = folder.path + "/missing.json"
    let result = await pipeline(["lint", path, missing])
    #expect(result.status == .invalid)
    #expect(result.output.contains("\(path):2:"))
    #expect(result.output.contains("\(path):3:"))
    #expect(
      result.output.contains("\(missing): error: cannot be read: no such file or folder [file]"))
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

  /// The value would be another one: of the group that is first then, or of a longer match.
  @Test func aFixThatMayChangeAResultIsNotMade() async throws {
    let text = """
      {
        "steps": [
          {
            "id": "page",
            "endpoint": "GET http://h/",
            "extract": {
              "id": { "regex": "(?:user|name)=([0-9]+)" },
              "title": { "regex": "<b>(.*?)</b>" },
              "slug": { "value": { "$extract": { "of": "{{inputs.url}}", "regex": "/(.+?)/" } } }
            },
            "expect": { "where": ["search(@.text, '(?:ok|fine).*?!')"] }
          }
        ],
        "inputs": { "url": {} },
        "outputs": { "id": "{{page.id}}", "title": "{{page.title}}", "slug": "{{page.slug}}" }
      }

      """
    let path = folder.write(text, to: "w.json")
    let result = await pipeline(["lint", "--fix", path])
    #expect(result.status == .invalid)
    // Whether something matches, neither changes.
    let match = text.replacing("(?:ok|fine).*?!", with: "(ok|fine).*!")
    #expect(folder.read("w.json") == match)
    #expect(result.output.contains("'(?:' is not in RFC 9485; write '(', which is the first group"))
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

  // MARK: - Files that name each other

  /// A file of nearly the same name is offered, with the folder that was written.
  @Test(arguments: [
    (
      "w.json",
      #"{"extends": "./parts/basee.json", "steps": [{"id": "a", "endpoint": "GET http://h/"}]}"#
    ),
    ("w.json", #"{"steps": [{"id": "a", "workflow": "./parts/basee.json"}]}"#),
    ("w.test.json", #"{"workflow": "./parts/basee.json", "tests": [{"name": "a"}]}"#),
  ])
  func aMisspeltPathIsOffered(name: String, text: String) async {
    folder.write(#"{"steps": [{"id": "a", "values": {"n": 1}}]}"#, to: "parts/base.json")
    folder.write("{}", to: "parts/basee.txt")
    let path = folder.write(text, to: name)
    let result = await pipeline(["lint", path, "--format", "json"])
    #expect(
      result.output.contains("no such file or folder; did you mean './parts/base.json'?"),
      "\(result.output)")
    #expect(result.output.contains(#""\"./parts/base.json\"""#), "\(result.output)")
  }

  private let broken = """
    { "inputs": { "a": { "type": "string" } },
      "stps": [{ "id": "x", "endpoint": "GET http://127.0.0.1/{{inputs.a}}" }] }
    """

  private func caller(of path: String, inputs: String = "{}") -> String {
    """
    { "steps": [{ "id": "one", "workflow": "\(path)", "inputs": \(inputs) },
      { "id": "two", "workflow": "\(path)", "inputs": \(inputs) }] }
    """
  }

  /// The places of the errors that are found, by file and code.
  private func errors(_ arguments: [String]) async -> [String] {
    let result = await pipeline(["lint", "--format", "github"] + arguments)
    #expect(result.status == .invalid)
    return result.output.split(separator: "\n").map { line in
      let file = line.drop { $0 != "=" }.dropFirst().prefix { $0 != "," }
      let title = line.split(separator: "title=").last?.prefix { $0 != ":" } ?? ""
      return file.replacingPrefix(folder.path + "/") + " " + title
    }
  }

  @Test func aBrokenFileIsReportedOnceThoughManyCallIt() async {
    folder.write(broken, to: "callee.json")
    for name in ["a.json", "b.json"] {
      folder.write(caller(of: "./callee.json", inputs: #"{ "a": "1" }"#), to: name)
    }
    folder.write(caller(of: "./a.json"), to: "outer.json")
    folder.write(#"{ "workflow": "./a.json", "tests": [{ "name": "t" }] }"#, to: "a.test.json")
    // The file has no 'steps', but others run it.
    #expect(await errors([folder.path]) == ["callee.json unknown-key"])
    #expect(
      await errors([folder.path + "/a.json", folder.path + "/callee.json"])
        == ["callee.json unknown-key"])
    // Where it is not linted itself, each caller says it once, and what is wrong.
    #expect(await errors([folder.path + "/a.json"]) == ["a.json called-workflow"])
    #expect(
      await errors([folder.path + "/outer.json", folder.path + "/a.json"])
        == ["a.json called-workflow"])
    let run = await pipeline(["run", folder.path + "/outer.json", "--no-store"])
    #expect(run.status == .invalid)
    #expect(run.error.contains("callee.json:2:3: unknown key 'stps'"), "\(run.error)")
  }

  @Test func filesThatRunEachOtherAreReportedOnce() async {
    folder.write(caller(of: "./b.json"), to: "a.json")
    folder.write(caller(of: "./a.json"), to: "b.json")
    folder.write(caller(of: "./b.json"), to: "c.json")
    folder.write(caller(of: "./self.json"), to: "self.json")
    #expect(
      await errors([folder.path])
        == ["a.json called-workflow", "self.json file-cycle"])
    #expect(await errors([folder.path + "/c.json"]) == ["c.json called-workflow"])
    #expect(
      await errors([folder.path + "/b.json", folder.path + "/c.json"])
        == ["b.json called-workflow"])
  }

  @Test func aBaseIsReportedOnceThoughManyBuildOnIt() async {
    folder.write(#"{ "defaults": { "timeout": "10 seconds" } }"#, to: "base.json")
    for name in ["a.json", "b.json"] {
      folder.write(
        #"{ "extends": "./base.json", "steps": [{ "id": "a", "endpoint": "GET http://h/" }] }"#,
        to: name)
    }
    #expect(await errors([folder.path]) == ["base.json invalid-value"])
    #expect(await errors([folder.path + "/a.json", folder.path + "/b.json"]).count == 1)
  }

  @Test func filesThatAreNotThereAreFound() async {
    let path = folder.write(
      """
      { "steps": [{ "id": "a", "endpoint": "POST http://127.0.0.1/a",
        "body": { "file": "./gone.bin" } }] }
      """, to: "a.json")
    let result = await pipeline(["lint", path])
    #expect(result.output.contains("'./gone.bin' cannot be read: no such file"))
    folder.write("x", to: "gone.bin")
    #expect(await pipeline(["lint", path]).error == "No problems in 1 file\n")
  }
}

extension Substring {
  fileprivate func replacingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : String(self)
  }
}

import PipelineJSONSchemas
import PipelineJSONText
import PipelineLanguage
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `schema` and `init`.
struct AuthoringTests {
  private let folder = TemporaryFolder()

  @Test func theSchemaDescribesEveryKey() async throws {
    let result = await pipeline(["schema"])
    #expect(result.status == .success && result.error.isEmpty)
    let schema = try JSONDocument.parse(Array(result.output.utf8)).root
    #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    let definitions = try #require(schema["$defs"])
    var keys = 0
    for definition in definitions.members {
      for key in definition.value["properties"]?.members.map({ $0 }) ?? [] {
        if key.name == "$schema" || key.name == "$comment" { continue }
        keys += 1
        let description = try #require(key.value["description"]?.string)
        #expect(!description.isEmpty, "\(key.name)")
        // What VS Code shows of it has its code marked as such.
        let marked = description.contains("`") ? description : nil
        #expect(key.value["markdownDescription"]?.string == marked)
        if key.name != "$lint" { #expect(key.value["examples"]?.count == 1, "\(key.name)") }
      }
    }
    #expect(keys > 100)
    var references = 0
    Self.walk(schema) { text in
      references += 1
      #expect(definitions[String(text.dropFirst(8))] != nil, "\(text)")
      // It would take the place of the key's own, in VS Code.
      #expect(definitions[String(text.dropFirst(8))]?["description"] == nil, "\(text)")
    }
    #expect(references > 30)
  }

  @Test func theSchemaAllowsWhatLintAllows() throws {
    let node = try JSONDocument.parse(LanguageSchema.text).root
    let (parsed, problems) = Schema.parse(node)
    let schema = try #require(parsed, "\(problems)")
    var count = 0
    let folders = ["/workflows", "/workflows/parts"]
    for folder in folders.map({ Conformance.packageRoot + $0 }) {
      for name in try FileSystem.system.names(folder) where name.hasSuffix(".json") {
        let file = try JSONDocument.parse(try #require(readFile(folder + "/" + name))).root
        guard file["steps"] != nil else { continue }
        #expect(schema.validate(file).isEmpty, "\(name): \(schema.validate(file))")
        count += 1
      }
    }
    let fixtures = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Fixtures"
    for name in try FileSystem.system.names(fixtures) {
      guard let bytes = readFile("\(fixtures)/\(name)/ok.json") else { continue }
      let file = try JSONDocument.parse(bytes).root
      #expect(schema.validate(file).isEmpty, "\(name): \(schema.validate(file))")
      count += 1
    }
    #expect(count > 30)
  }

  @Test(arguments: [
    "{}", #"{ "steps": [{ "id": "a" }] }"#, #"{ "steps": [{ "id": "a b", "wait": "1s" }] }"#,
    #"{ "steps": [{ "id": "a", "wait": "1s", "endpoint": "GET /" }] }"#,
    #"{ "steps": [{ "id": "a", "wait": "1 s" }] }"#, #"{ "steps": [], "setps": [] }"#,
    #"{ "steps": [{ "id": "a", "wait": "1s", "retry": 3 }] }"#,
    #"{ "steps": [{ "id": "a", "endpoint": "GET /", "as": "x" }] }"#,
    #"{ "steps": [{ "id": "a", "endpoint": "GET /", "extract": { "b": "c" } }] }"#,
  ])
  func theSchemaRefusesWhatTheDecoderRefuses(text: String) async throws {
    let schema = try #require(Schema.parse(try JSONDocument.parse(LanguageSchema.text).root).schema)
    #expect(!schema.validate(try JSONDocument.parse(Array(text.utf8)).root).isEmpty)
    #expect(await pipeline(["lint", folder.write(text, to: "w.json")]).status == .invalid)
  }

  /// Finds every `$ref` of a schema.
  private static func walk(_ node: JSONNode, _ found: (String) -> Void) {
    for member in node.members {
      if member.name == "$ref", let text = member.value.string { found(text) }
      if !["examples", "default"].contains(member.name) { walk(member.value, found) }
    }
    for element in node.elements { walk(element, found) }
  }

  @Test func theStarterIsCleanFormattedAndRuns() async throws {
    let path = folder.path + "/my users.json"
    let result = await pipeline(["init", folder.path + "/my users"])
    #expect(result.status == .success && result.output.isEmpty)
    #expect(result.error == "Wrote \(path). Run it with: pipeline run '\(path)'\n")
    let lint = await pipeline(["lint", "--strict", path])
    #expect(lint.status == .success, "\(lint.output)")
    #expect(await pipeline(["format", "--check", path]).status == .success)
    let run = await pipeline(["run", path])
    #expect(run.status == .success, "\(run.error)")
    #expect(run.error.contains("✓ my users  2 steps · 7 requests"))
    #expect(run.output.contains("george.bluth@reqres.in"))
  }

  @Test func initOverwritesNothing() async {
    let path = folder.write("mine", to: "a.json")
    let result = await pipeline(["init", path])
    #expect(result.status == .failure)
    #expect(
      result.error == """
        pipeline: cannot write '\(path)': it exists, and init never overwrites a file; choose another name

        """)
    #expect(folder.read("a.json") == "mine")
    #expect(await pipeline(["init", folder.path + "/.json"]).status == .usage)
  }
}

struct FormatTests {
  private let folder = TemporaryFolder()

  private func formatted(_ text: String) throws -> String {
    let root = try JSONDocument.parse(Array(text.utf8)).root
    return String(decoding: WorkflowLayout.text(of: root), as: UTF8.self)
  }

  @Test func theSamplesAreFormatted() async {
    let result = await pipeline([
      "format", "--check", Conformance.packageRoot + "/workflows",
    ])
    #expect(result.status == .success, "\(result.output)")
  }

  @Test func theFormFollowsTheContentAlone() throws {
    let expected = """
      {
        "name": "é\\u0041",
        "inputs": { "n": { "type": "number", "default": 1.50e+3 } },
        "x-empty": [{}, [], { "a": [] }],
        "steps": [
          { "id": "a", "endpoint": "GET /a", "query": { "z": 1, "a": 2 } },
          {
            "id": "b",
            "steps": [
              { "id": "c", "wait": "1s" }
            ]
          },
          {
            "id": "d",
            "endpoint": "POST /d",
            "body": {
              "text": [
                "one",
                "two"
              ]
            }
          }
        ],
        "outputs": {
          "long": [
            "0123456789012345678901234567890123456789",
            "0123456789012345678901234567890123456789012345"
          ],
          "short": [1, 2, 3]
        }
      }

      """
    #expect(try formatted(expected) == expected)
    let document = try JSONDocument.parse(Array(expected.utf8))
    var (compact, pretty) = (JSONWriter(), JSONWriter(style: .pretty))
    compact.value(document.root)
    pretty.value(document.root)
    #expect(try formatted(String(decoding: compact.bytes, as: UTF8.self)) == expected)
    #expect(try formatted(String(decoding: pretty.bytes, as: UTF8.self)) == expected)
  }

  @Test(arguments: 84...92)
  func aLineHasAtMostAHundredColumns(length: Int) throws {
    let text = "{\"outputs\":{\"é\":\"\(String(repeating: "é", count: length - 10))\"},\"x-a\":1}"
    let result = try formatted(text)
    let longest = result.split(separator: "\n").map(\.count).max() ?? 0
    #expect(longest <= 100)
    // `  "outputs": {  },` and `"é": ""` take 25.
    #expect((result.split(separator: "\n").count == 4) == (length - 10 + 25 <= 100))
    #expect(try formatted(result) == result)
  }

  @Test func filesAreFormattedInPlace() async {
    folder.write("{\"steps\":[]}", to: "a.json")
    folder.write("{\n  \"steps\": []\n}\n", to: "b.json")
    let check = await pipeline(["format", "--check", folder.path])
    #expect(check.status == .invalid)
    #expect(check.output == folder.path + "/a.json\n")
    #expect(check.error == "1 of 2 files would change\n")
    let result = await pipeline(["format", folder.path])
    #expect(result.status == .success && result.output.isEmpty)
    #expect(result.error == "Formatted 1 of 2 files\n")
    #expect(folder.read("a.json") == folder.read("b.json"))
    #expect(await pipeline(["format", "--check", folder.path]).status == .success)
  }

  @Test func brokenFilesAreLeftAsTheyAre() async {
    let text = "{\"steps\": [], \"steps\": [],}"
    let path = folder.write(text, to: "a.json")
    let result = await pipeline(["format", path])
    #expect(result.status == .invalid)
    #expect(result.error.contains("[json-duplicate-key]"))
    #expect(result.error.hasSuffix("Formatted 0 of 1 file; 1 cannot be formatted\n"))
    #expect(folder.read("a.json") == text)
  }

  @Test func otherJSONIsLeftAsItIs() async {
    let text = "{\"name\": \"site\", \"version\": \"1.0.0\", \"description\": \"x\"}"
    let path = folder.write(text, to: "package.json")
    let result = await pipeline(["format", path])
    #expect(result.status == .invalid)
    #expect(result.error.contains("is not a workflow or test file"))
    #expect(folder.read("package.json") == text)
  }

  @Test func stdinIsFormattedToStdout() async {
    var files = FileSystem.system
    files.readInput = { _ in Array("{\"steps\":[]}".utf8) }
    let result = await pipeline(["format", "-"], files: files)
    #expect(result.status == .success && result.error.isEmpty)
    #expect(result.output == "{\n  \"steps\": []\n}\n")
  }
}

import PipelineByteText
import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import PipelineCommand

/// The key `api`, and `pipeline api get`.
struct AttachedDescriptionTests {
  private let folder = TemporaryFolder()

  private static let pets = """
    openapi: 3.1.0
    servers: [{ url: https://api.example.com/v1 }]
    paths:
      /pets:
        get:
          parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
          responses:
            "200":
              content:
                application/json:
                  schema:
                    type: array
                    items:
                      type: object
                      properties: { name: { type: string }, id: { type: integer } }
    """

  private static func workflow(_ api: String, _ base: String, _ more: String = "") -> String {
    """
    {
      "api": \(api),
      "defaults": { "baseURL": "\(base)" },
      "steps": [
        {
          "id": "list",
          "endpoint": "GET /pets",
          "query": { "limit": 500 },
          "extract": { "names": "$[*].nmae" }
        }\(more)
      ],
      "outputs": { "names": "{{list.names}}" }
    }
    """
  }

  private func lint(_ text: String, _ more: [String] = []) async -> Outcome {
    await pipeline(["lint"] + more + [folder.write(text, to: "flows/w.json")])
  }

  @Test(arguments: [
    (#""../petstore.yaml""#, "https://api.example.com/v1"),
    (#"{ "https://api.example.com": "../petstore.yaml" }"#, "https://api.example.com/v1"),
    (#"{ "https://test.example.com/": "../petstore.yaml" }"#, "https://test.example.com"),
    (
      #"{ "https://t.example.com/v1": { "file": "../petstore.yaml" } }"#, "https://t.example.com/v1"
    ),
  ])
  func requestsAreComparedWithTheDescriptionThatTheFileNames(
    _ api: String, _ base: String
  ) async throws {
    folder.write(Self.pets, to: "petstore.yaml")
    let outcome = await lint(Self.workflow(api, base))
    #expect(outcome.status == .invalid)
    #expect(outcome.output.contains("error: 'limit' must be at most 100 [undescribed-value]"))
    #expect(outcome.output.contains("petstore.yaml:6:80: note: it is described here"))
    #expect(outcome.output.contains("'names' reads 'nmae', which the API does not describe there"))
    let found = try JSONDocument.parse(
      Array(await lint(Self.workflow(api, base), ["--format", "json"]).output.utf8)
    ).root["findings"]
    let related = try #require(found?[0]?["related"]?[0])
    #expect(related["file"]?.string?.hasSuffix("/petstore.yaml") == true)
    #expect(related["line"]?.text == "6")
    let sarif = await lint(Self.workflow(api, base), ["--format", "sarif"]).output
    #expect(sarif.contains("petstore.yaml\""))
  }

  @Test func aRequestToAnotherServerIsNotCompared() async {
    folder.write(Self.pets, to: "petstore.yaml")
    let outcome = await lint(
      Self.workflow(#""../petstore.yaml""#, "https://other.example.com/v1"))
    #expect(outcome.status == .success, "\(outcome.output)")
    let unused = await lint(
      Self.workflow(
        #"{ "https://x.example.com": "../petstore.yaml" }"#, "https://other.example.com"))
    #expect(unused.output.contains("no request begins with 'https://x.example.com'"))
  }

  @Test func aDescriptionThatIsMissingIsAnErrorOfLintOnly() async {
    let text = """
      { "api": "./petstor.yaml", "steps": [{ "id": "a", "values": { "b": 1 } }],
        "outputs": { "b": "{{a.b}}" } }
      """
    folder.write(Self.pets, to: "flows/petstore.yaml")
    let outcome = await lint(text)
    #expect(outcome.status == .invalid)
    #expect(outcome.output.contains("did you mean './petstore.yaml'? [unreadable-description]"))
    let run = await pipeline(["run", "--no-store", folder.path + "/flows/w.json"])
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output.contains("\"b\": 1"))
  }

  @Test func aBaseFileHandsItsDescriptionOn() async {
    folder.write(Self.pets, to: "petstore.yaml")
    folder.write(
      #"{"api": "../petstore.yaml", "defaults": {"baseURL": "https://api.example.com/v1"}}"#,
      to: "flows/base.json")
    let outcome = await lint(
      """
      { "extends": "./base.json",
        "steps": [{ "id": "a", "endpoint": "GET /pet" }] }
      """)
    #expect(outcome.output.contains("describes no path '/pet'; did you mean '/pets'?"))
  }

  // MARK: Versions

  @Test func onlyWhatANewVersionBreaksIsReported() async throws {
    let old = folder.write(Self.pets, to: "v1.yaml")
    let new = folder.write(
      Self.pets.replacing("limit", with: "count").replacing("integer }", with: "string }")
        .replacing("name: {", with: "title: {"), to: "v2.yaml")
    let text = """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/v1/pets",
            "query": { "limit": 500, "sort": "name" },
            "extract": { "ids": "$[*].id", "names": "$[*].name", "gone": "$[*].nothing" }
          },
          { "id": "other", "endpoint": "GET https://api.example.com/v1/nothing" }
        ],
        "outputs": {
          "ids": "{{list.ids}}",
          "names": "{{list.names}}",
          "gone": "{{list.gone}}"
        }
      }
      """
    let outcome = await lint(text, ["--against", "\(old)..\(new)", "--format", "json"])
    #expect(outcome.status == .failure)
    let found = try JSONDocument.parse(Array(outcome.output.utf8)).root["findings"]
    #expect(
      found?.elements.map { $0["code"]?.string }
        == ["undescribed-parameter", "changed-response", "undescribed-member"])
    #expect(found?.elements.map { $0["line"]?.text } == ["6", "7", "7"])
    for finding in found.map({ Array($0.elements) }) ?? [] {
      let files = finding["related"]?.elements.compactMap { $0["file"]?.string } ?? []
      #expect(files == [new, old])
    }
    #expect(outcome.output.contains("'ids' was a whole number in the API, and is a text now"))
    let same = await lint(text, ["--against", "\(old)..\(old)"])
    #expect(same.status == .success && same.output.isEmpty, "\(same.output)")
    let fix = await lint(text, ["--against", "\(old)..\(new)", "--fix"])
    #expect(fix.status == .usage)
    let missing = await lint(text, ["--against", "\(old)..nowhere.yaml"])
    #expect(missing.status == .usage)
  }

  // MARK: api get

  private func get(
    _ arguments: [String], _ bodies: [String: String]
  ) async -> (Outcome, [String]) {
    let transport = ScriptedTransport { request in
      guard let body = bodies[request.url] else { return .status(404) }
      guard !body.hasPrefix("/") else {
        return .response(
          TransportResponse(status: 302, headers: [HeaderField("Location", body)]))
      }
      return .response(TransportResponse(status: 200, body: Array(body.utf8)))
    }
    let (stdout, stderr) = (CapturedStream(), CapturedStream())
    let console = Console(output: stdout, error: stderr, files: .system, environment: [:])
    let program = Program(console: console, clock: SystemClock(), transport: { transport })
    let status = await program.main(["api", "get"] + arguments)
    return (
      Outcome(status: status, output: stdout.text, error: stderr.text),
      transport.requests.map(\.url)
    )
  }

  @Test func aFetchedDescriptionIsPinnedByItsDigest() async throws {
    let path = folder.write(
      Self.workflow(#""./old.yaml""#, "https://api.example.com/v1"), to: "w.json")
    let url = "https://docs.example.com/petstore.yaml"
    let (outcome, urls) = await get(
      [url, "--workflow", path],
      [url: "/new.yaml", "https://docs.example.com/new.yaml": Self.pets])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(urls == [url, "https://docs.example.com/new.yaml"])
    #expect(folder.read("petstore.yaml") == Self.pets)
    let digest = Hexadecimal.encode(SHA256.hash(Array(Self.pets.utf8)))
    let text = try #require(folder.read("w.json"))
    let pinned = try JSONDocument.parse(Array(text.utf8)).root["api"]?["https://api.example.com/v1"]
    #expect(pinned?["file"]?.string == "./petstore.yaml")
    #expect(pinned?["url"]?.string == url)
    #expect(pinned?["sha256"]?.string == digest)
    let linted = await pipeline(["lint", path])
    #expect(!linted.output.contains("description]") && linted.status == .invalid)

    // The server has another version now.
    let changed = Self.pets + "\nx-version: 2\n"
    let (refused, _) = await get([url, "--workflow", path], [url: changed])
    #expect(refused.status == .failure)
    #expect(refused.error.contains("--update takes the new version"), "\(refused.error)")
    #expect(folder.read("petstore.yaml") == Self.pets)
    folder.write(changed, to: "petstore.yaml")
    #expect(await pipeline(["lint", path]).output.contains("[changed-description]"))
    let (updated, _) = await get([url, "--workflow", path, "--update"], [url: changed])
    #expect(updated.status == .success)
    #expect(await pipeline(["lint", path]).output.contains("description]") == false)
  }

  @Test func whatIsNoDescriptionIsNotWritten() async {
    let url = "https://docs.example.com/a.json"
    let target = folder.path + "/a.json"
    let (other, _) = await get([url, "-o", target], [url: "{}"])
    #expect(other.status == .failure)
    #expect(other.error.contains("is not a description that can be read"), "\(other.error)")
    let (gone, _) = await get([url, "-o", target], [:])
    #expect(gone.error.contains("answered 404, not 200"))
    let (nowhere, _) = await get([url, "-o", target], [url: "openapi: 3.1.0\npaths: {}\n"])
    #expect(nowhere.status == .usage && nowhere.error.contains("--base-url"))
    #expect(folder.read("a.json") == nil)
    let (printed, _) = await get(
      [url, "-o", target, "--base-url", "https://a.example"],
      [url: "openapi: 3.1.0\npaths: {}\n"])
    #expect(printed.status == .success)
    #expect(printed.output.contains("\"https://a.example\": {"))
    #expect(await pipeline(["api", "get", "ftp://a"]).status == .usage)
  }
}

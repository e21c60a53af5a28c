import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

struct ImportCommandTests {
  private let folder = TemporaryFolder()

  private static let api = """
    @api = sandbox:/reqres

    ### List the users
    # @name list
    GET {{api}}/users?page=2

    ### One user
    GET {{api}}/users/{{list.response.body.$.data[0].id}}

    > {%
      client.test("found", function() { client.assert(response.body.data.id === 7, "wrong user"); });
      client.global.set("email", response.body.data.email);
    %}
    """

  @Test func anImportedFileIsCleanAndRuns() async throws {
    let path = folder.write(Self.api, to: "api.http")
    let target = folder.path + "/api.json"
    let result = await pipeline(["import", path, "-o", target])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error == "translated 2 requests, approximated 0, refused 0\n")
    #expect(await pipeline(["lint", "--strict", target]).error == "No problems in 1 file\n")
    #expect(await pipeline(["format", "--check", target]).status == .success)
    let run = await pipeline(["run", target, "-q", "--no-store"])
    #expect(run.output == "{\n  \"email\": \"michael.lawson@reqres.in\"\n}\n", "\(run.error)")
    let again = await pipeline(["import", path, "-o", target])
    #expect(again.status == .usage)
    #expect(again.error.contains("it exists, and import never overwrites a file"))
  }

  @Test func nothingIsWrittenIfSomethingWasRefused() async throws {
    let path = folder.write(
      "### x\nWEBSOCKET ws://a.example\n###\nGET http://a.example/y\n", to: "a.http")
    let result = await pipeline(["import", path])
    #expect(result.status == .failure)
    #expect(result.output == "")
    #expect(result.error.contains("a.http:2: refused: WEBSOCKET is not HTTP"))
    let partial = await pipeline(["import", path, "--partial"])
    #expect(partial.status == .success)
    #expect(partial.output.contains("http://a.example/y"))
    let json = await pipeline(["import", path, "--format", "json"])
    let report = try JSONDocument.parse(Array(json.output.utf8)).root
    #expect(report["workflow"] == nil)
    #expect(report["refused"]?[0]?["line"]?.number?.description == "2")
  }

  @Test func aCurlCommandComesThroughTheSameDoor() async {
    let path = folder.write("curl -H 'X-Api-Key: s3cr3t' https://a.example/x\n", to: "c.sh")
    let result = await pipeline(["import", path])
    #expect(result.status == .success)
    #expect(result.output.contains("\"GET https://a.example/x\""))
    #expect(!result.output.contains("s3cr3t"))
  }

  @Test(arguments: [
    (
      "{\"a\": 1}",
      "it is of no kind that import knows; it reads HAR recordings, collections of Postman, Bruno"
        + " and Insomnia, .http, Hurl and Arazzo files, and curl commands"
    ),
    ("{", "it is not valid JSON"),
    (
      "WEBSOCKET wss://a.example/y\n",
      "it has no request that can be translated: line 1: WEBSOCKET is not HTTP"
    ),
  ]) func aFileThatCannotBeReadIsNamed(_ text: String, _ reason: String) async {
    let path = folder.write(text, to: "x")
    let result = await pipeline(["import", path])
    #expect(result.status == .usage)
    #expect(result.error == "pipeline: cannot import '\(path)': \(reason)\n")
  }
}

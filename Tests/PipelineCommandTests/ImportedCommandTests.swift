import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Requests of `.http` files that are written as curl commands.
struct ImportedCommandTests {
  private let folder = TemporaryFolder()

  @Test func aCommandIsARequestAsTheOthers() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      @base = \(server.origin)/echo
      @who = one

      ### First
      # @name first
      curl -X PUT '{{base}}/a?who={{who}}' \\
        -H 'Content-Type: application/json' \\
        -d '{"id": {{id}}, "name": "n-{{who}}"}'

      > {% client.global.set("method", response.body.method); %}

      ###
      GET {{base}}/{{method}}

      ###
      @who = two
      curl {{base}}/b -u "{{who}}:{{password}}" --data-urlencode 'q={{who}} three'
      """, to: "a.http")
    let result = await pipeline(["import", file])
    try #require(result.status == .success, "\(result.error)")
    let path = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)\n\(result.output)")
    let inputs = folder.write(#"{"id": 7, "password": "pw"}"#, to: "inputs.json")
    let run = await pipeline(["run", "--no-store", "--quiet", "--inputs", inputs, path])
    #expect(run.status == .success, "\(run.error)\n\(result.output)")
    let sent = server.records.requests
    try #require(sent.count == 3)
    #expect(sent.map(\.method) == ["PUT", "GET", "POST"])
    #expect(sent.map(\.target) == ["/echo/a?who=one", "/echo/PUT", "/echo/b"])
    #expect(String(decoding: sent[0].body, as: UTF8.self) == #"{"id":7,"name":"n-one"}"#)
    #expect(String(decoding: sent[2].body, as: UTF8.self) == "q=two+three")
    let basic = sent[2].headers.first { $0.name.lowercased() == "authorization" }?.value
    #expect(basic == "Basic dHdvOnB3")
  }

  @Test func whatIsWrongWithACommandIsNamedWithItsLine() async throws {
    let file = folder.write(
      """
      GET https://a.example/x

      ###
      curl https://a.example/y \\
        --retry 3

      ###

      curl 'https://a.example/z

      ###
      GET https://a.example/last
      """, to: "a.http")
    let result = await pipeline(["import", "--partial", file])
    #expect(result.error.contains("a.http:4: approximated: --retry is not taken over"))
    #expect(
      result.error.contains(
        "a.http:9: refused: the curl command cannot be read: a ' is not closed"),
      "\(result.error)")
    let steps = try JSONDocument.parse(Array(result.output.utf8)).root["steps"]
    #expect(
      steps?.elements.compactMap { $0["endpoint"]?.string }
        == ["GET /x", "GET /y", "GET /last"])
  }

  /// What is encoded before a host separates nothing, and is decoded before it is sent.
  @Test(arguments: [
    "curl 'ORIGIN/echo/a'", "curl 'ORIGIN/echo/a'\ncurl 'ORIGIN/echo/b'", "GET ORIGIN/echo/a",
    """
    {"log": {"entries": [{"request": {"method": "GET", "url": "ORIGIN/echo/a", "headers": []},
      "response": {"status": 200, "headers": [], "content": {}}}]}}
    """,
  ]) func theUserOfAURLIsDecoded(_ text: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let origin = server.origin.replacing("http://", with: "http://a%40b:p%3Aw%2F@")
    let file = folder.write(text.replacing("ORIGIN", with: origin), to: "a.http")
    let result = await pipeline(["import", file])
    try #require(result.status == .success, "\(result.error)")
    #expect(!result.output.contains("p:w") && !result.output.contains("p%3Aw"))
    let path = folder.write(result.output, to: "w.json")
    let inputs = folder.write(#"{"password": "p:w/"}"#, to: "inputs.json")
    let run = await pipeline(["run", "--no-store", "--quiet", "--inputs", inputs, path])
    #expect(run.status == .success, "\(run.error)\n\(result.output)")
    let basic = server.records.requests.first?.headers.first {
      $0.name.lowercased() == "authorization"
    }
    #expect(basic?.value == "Basic YUBiOnA6dy8=")
  }
}

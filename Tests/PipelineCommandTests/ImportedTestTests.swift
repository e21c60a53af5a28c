import Foundation
import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Tests and recordings that are written beside an imported workflow.
struct ImportedTestTests {
  private let folder = TemporaryFolder()

  private static let flows = [
    "bank", "login", "directory", "pages", "job", "oauth", "form", "graphql", "stock",
  ]

  @Test(arguments: flows) func aRecordingBecomesATestThatPasses(_ name: String) async throws {
    let source = Conformance.packageRoot + "/Tests/Flows/\(name).har"
    let output = folder.path + "/\(name).json"
    let result = await pipeline(["import", source, "-o", output, "--tests"])
    #expect(result.status == .success, "\(result.error)")
    let test = folder.path + "/\(name).test.json"
    let recording = folder.path + "/\(name).har"
    #expect(result.error.contains("wrote \(output), \(recording), \(test)"), "\(result.error)")
    let run = await pipeline(["test", test])
    #expect(run.status == .success, "\(run.error)")
    #expect(await pipeline(["lint", test]).status == .success)
    #expect(await pipeline(["format", "--check", test]).status == .success)
    let again = await pipeline(["import", source, "-o", folder.path + "/x.json", "--tests"])
    #expect(again.status == .success)
    // What is there is not overwritten, and nothing else is written then.
    try FileManager.default.removeItem(atPath: output)
    let third = await pipeline(["import", source, "-o", output, "--tests"])
    #expect(third.status == .usage)
    #expect(third.error.contains("it exists, and import never overwrites a file"))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func credentialsOfARecordingReachNoFile() async throws {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLXRoYXQtaXMtbG9uZw"
    func entry(_ time: Int, _ request: String, _ response: String) -> String {
      #"{"startedDateTime":"2026-01-01T00:00:0\#(time)Z","time":5,"request":{\#(request)},"response":{"status":200,"statusText":"OK","headers":[{"name":"Content-Type","value":"application/json"},{"name":"Set-Cookie","value":"sid=cookie-value-4711"}],"content":{"mimeType":"application/json","text":"\#(response)"}}}"#
    }
    let login = entry(
      1,
      #""method":"POST","url":"http://a.example/login","headers":[{"name":"Content-Type","value":"application/json"},{"name":"X-Api-Key","value":"key-in-header-99"}],"postData":{"mimeType":"application/json","text":"{\"user\":\"ada\",\"password\":\"correct-horse-7\"}"}"#,
      #"{\"token\":\"access-0123456789abc\",\"refresh_token\":\"refresh-987654321xyz\",\"other\":\"\#(jwt)\",\"id\":4711}"#
    )
    let read = entry(
      2,
      #""method":"GET","url":"http://a.example/users/4711","headers":[{"name":"Authorization","value":"Bearer access-0123456789abc"},{"name":"Cookie","value":"sid=cookie-value-4711"}]"#,
      #"{\"name\":\"Ada\",\"apiKey\":\"another-key-5555\"}"#)
    let har = folder.write(
      #"{"log":{"version":"1.2","entries":[\#(login),\#(read)]}}"#, to: "recorded.har")
    let output = folder.path + "/shop.json"
    let result = await pipeline(["import", har, "-o", output, "--tests"])
    #expect(result.status == .success, "\(result.error)")
    for name in ["shop.json", "shop.har", "shop.test.json"] {
      let text = try #require(readText(name), "\(result.error)")
      for secret in [
        "correct-horse-7", "access-0123456789abc", "refresh-987654321xyz", jwt, "cookie-value-4711",
        "key-in-header-99", "another-key-5555",
      ] {
        #expect(!text.contains(secret), "\(name) holds \(secret)")
      }
    }
    let run = await pipeline(["test", folder.path + "/shop.test.json"])
    #expect(run.status == .success, "\(run.error)")
  }

  private func readText(_ name: String) -> String? {
    try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
  }

  private static let collection = """
    {
      "info": { "name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/" },
      "item": [
        {
          "name": "Log in",
          "event": [{ "listen": "test", "script": { "exec": [
            "pm.environment.set('token', pm.response.json().token);" ] } }],
          "request": { "method": "POST", "url": "{{host}}/login" },
          "response": [
            { "code": 401, "body": "{}" },
            { "code": 200, "header": [{ "key": "Content-Type", "value": "application/json" }],
              "body": "{\\"token\\": \\"real-token-12345\\"}" }
          ]
        },
        {
          "name": "Orders",
          "event": [{ "listen": "test", "script": { "exec": [
            "pm.environment.set('first', pm.response.json()[0].id);" ] } }],
          "request": { "url": "{{host}}/orders", "header": [
            { "key": "Authorization", "value": "Bearer {{token}}" }] }SAVED
        }
      ]
    }
    """

  @Test func savedResponsesBecomeATest() async throws {
    let file = folder.write(
      Self.collection.replacing(
        "SAVED", with: #", "response": [{ "code": 200, "body": "[{ \"id\": 7 }]" }]"#),
      to: "p.json")
    let result = await pipeline(["import", file, "-o", folder.path + "/shop.json", "--tests"])
    #expect(result.status == .success, "\(result.error)")
    let test = try #require(readText("shop.test.json"), "\(result.error)")
    #expect(!test.contains("real-token-12345"))
    #expect(test.contains(#""outputs": { "first": 7 }"#), "\(test)")
    let run = await pipeline(["test", folder.path + "/shop.test.json"])
    #expect(run.status == .success, "\(run.error)")
  }

  @Test func withoutSavedResponsesThereIsNoTest() async {
    let file = folder.write(Self.collection.replacing("SAVED", with: ""), to: "p.json")
    let result = await pipeline(["import", file, "-o", folder.path + "/shop.json", "--tests"])
    #expect(result.status == .success)
    #expect(
      result.error.contains("no test is written: these requests have no saved response: orders"))
    #expect(readText("shop.test.json") == nil)
    let usage = await pipeline(["import", file, "--tests"])
    #expect(usage.status == .usage)
    #expect(usage.error.contains("--tests needs --output"))
  }
}

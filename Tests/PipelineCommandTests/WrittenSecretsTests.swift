import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Credentials that stand in files and on command lines, and what is printed of these.
@Suite struct WrittenSecretsTests {
  private let folder = TemporaryFolder()

  @Test func aSourceLineUnderAFailureHasNoCredential() async throws {
    let path = folder.write(
      #"{"inputs": {"k": {"type": "string", "secret": true, "default": "zq7"}}, "environments": {"e": {"k": "e5!"}}, "steps": [{"id": "a", "endpoint": "GET http://127.0.0.1:1/?api_key=9f86d081", "headers": {"Authorization": "Basic eHl6"}, "cookies": {"c": "k00k"}, "auth": null}, {"id": "b", "values": {"v": "{{inputs.k}}", "password": "hunter2"}, "expect": {"where": ["@.v == 1"]}}]}"#,
      to: "w.json")
    let outcome = await pipeline(["run", path, "--verbose"])
    #expect(outcome.status == .failure)
    for secret in ["zq7", "e5!", "eHl6", "k00k", "hunter2", "9f86d081"] {
      #expect(!outcome.error.contains(secret), "\(outcome.error)")
    }
    #expect(outcome.error.contains("•••"))
  }

  @Test func caretsStandUnderTheirPlaceBesideAMask() async throws {
    let path = folder.write(
      #"{"inputs": {"k": {"secret": true, "default": "zq7"}}, "steps": [{"id": "b", "values": {"v": 1}, "expect": {"where": ["@.v == 2"]}}]}"#,
      to: "w.json")
    let lines = await pipeline(["run", path]).error.split(separator: "\n")
    let source = try #require(lines.first { $0.contains("•••") })
    let carets = try #require(lines.first { $0.contains("^^^") })
    let start = carets.prefix { $0 != "^" }.count
    #expect(source.dropFirst(start).hasPrefix(#""@.v == 2""#), "\(source)\n\(carets)")
  }

  @Test(arguments: [
    #"{"token": hunter2, "a": 1}"#, #"{"token": "hunter2" "x"}"#, "{\"token\": \"hunter2\n\"}",
    #"{'token': 'hunter2'}"#, #"["hunter2"#, "hunter2",
  ])
  func malformedInputsAreNotShown(_ text: String) async {
    let path = folder.write(#"{"steps": [{"id": "a", "values": {"v": 1}}]}"#, to: "w.json")
    let inputs = folder.write(text, to: "i.json")
    for command in ["run", "plan"] {
      let outcome = await pipeline([command, path, "--inputs", inputs])
      #expect(outcome.status == .invalid)
      #expect(!outcome.error.contains("hunter2"), "\(outcome.error)")
      #expect(outcome.error.contains("i.json"))
    }
  }

  @Test func aPlanHasNoCredentialOfTheFile() async throws {
    _ = folder.write(
      #"{"inputs": {"key": {"type": "string", "secret": true}}, "steps": [{"id": "x", "values": {"v": 1}}]}"#,
      to: "called.json")
    let path = folder.write(
      #"""
      {
        "defaults": { "headers": { "X-Api-Key": "secret-1" } },
        "steps": [
          { "id": "a", "endpoint": "POST https://a.example/?api_key=secret-2&page=2", "query": { "access_token": "secret-3" },
            "headers": { "Authorization": "Token secret-4" }, "cookies": { "sid": "secret-5" },
            "body": { "json": { "user": "ann", "password": "secret-6", "list": [{ "api_key": "secret-7" }] } } },
          { "id": "b", "endpoint": "POST https://a.example/", "auth": { "basic": { "user": "ann", "password": "secret-8" } },
            "body": { "form": { "clientSecret": "secret-9", "q": "shown" } } },
          { "id": "c", "workflow": "called.json", "inputs": { "key": "secret-10" } },
          { "id": "d", "values": { "token": "secret-11", "gh": "ghp_0123456789abcdefghijABCDEFGHIJ012345" } },
          { "id": "e", "endpoint": "GET https://a.example/", "auth": { "bearer": "secret-12" } }
        ]
      }
      """#, to: "w.json")
    let outcome = await pipeline(["plan", path])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(
      !outcome.output.contains("secret-") && !outcome.output.contains("ghp_"), "\(outcome.output)")
    #expect(outcome.output.contains("page=2") && outcome.output.contains("shown"))
  }

  @Test(arguments: [
    "http://u:hunter2@ho st:1", "http://u:hunter2@127.0.0.1:99999", "foo://u:hunter2@127.0.0.1:1",
    "http://u:hun/ter2@127.0.0.1:1", "u:hunter2@[::1", "http://u:hunter2@127.0.0.1:x",
  ])
  func aMalformedProxyIsShownWithoutItsPassword(_ proxy: String) async throws {
    let path = folder.write(
      #"{"steps": [{"id": "a", "endpoint": "GET http://127.0.0.1:1/", "proxy": "\#(proxy)"}]}"#,
      to: "w.json")
    let outcome = await pipeline(["run", path, "--verbose"])
    for part in ["hunter2", "ter2", "u:hun"] {
      #expect(!outcome.error.contains(part), "\(outcome.error)")
    }
    #expect(outcome.status != .success)
  }

  @Test(arguments: [
    "curl 'https://ann:hunter2@api.example.com/a'", "curl ann:hunter2@api.example.com/a",
    "curl 'https://ann:hunt%65r2%21@api.example.com/a?b=1'",
    "curl -x http://ann:hunter2@proxy.example:8080 https://api.example.com/a",
    "curl -x ann:hunter2@proxy.example:8080 https://api.example.com/a",
    "curl --proxy 'http://ann:h@unter2@proxy.example' https://api.example.com/a",
    "curl --proxy-user ann:hunter2 -x http://proxy.example https://api.example.com/a",
    "curl -U ann:hunter2 -x http://proxy.example https://api.example.com/a",
  ])
  func aPastedCommandLeavesNoPassword(_ command: String) async throws {
    let outcome = await pipeline(["new", "--curl", command])
    #expect(outcome.status == .success, "\(outcome.error)")
    for part in ["hunter2", "unter2", "hunt%65r2"] {
      #expect(!(outcome.output + outcome.error).contains(part), "\(outcome.output)")
    }
    let path = folder.write(outcome.output, to: "n.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)\n\(outcome.output)")
  }

  @Test func theURLsUserIsTheStepsAuth() async throws {
    let outcome = await pipeline(["new", "--curl", "curl 'https://ann:hunt%65r@api.example.com/a'"])
    let step = try #require(try JSONDocument.parse(Array(outcome.output.utf8)).root["steps"]?[0])
    #expect(step["endpoint"]?.string == "GET https://api.example.com/a")
    #expect(
      step["auth"]?["basic"]?.text == #"{ "user": "ann", "password": "{{inputs.password}}" }"#)
    let proxied = await pipeline([
      "new", "--curl", "curl -x 'http://ann:s3cr3t@proxy.example:8080' https://api.example.com/a",
    ])
    #expect(proxied.output.contains("http://ann:{{inputs.proxyPassword}}@proxy.example:8080"))
  }
}

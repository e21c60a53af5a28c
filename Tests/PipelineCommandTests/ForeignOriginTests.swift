import CurlTransports
import PipelineByteText
import PipelineKit
import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Real requests: a second server plays the foreign origin that a response leads to.
@Suite(.ownThreads) struct ForeignOriginTests {
  private static let secret = "t0p-s3cr3t-value-77"

  /// Workflows that are led to `{foreign}` with a credential at hand.
  private static let steps = [
    """
    {"id": "where", "endpoint": "GET /echo?u={foreign}/echo", "extract": {"url": "$.query.u"}},
    {"id": "go", "endpoint": "GET {{where.url}}", "auth": {"bearer": "{{inputs.key}}"}}
    """,
    """
    {"id": "where", "endpoint": "GET /echo?u={foreign}/echo", "extract": {"url": "$.query.u"}},
    {"id": "go", "endpoint": "GET {{where.url}}"}
    """,
    #"{"id": "go", "endpoint": "GET /redirect/to", "query": {"url": "{foreign}/echo"}, "auth": {"bearer": "{{inputs.key}}"}}"#,
    #"{"id": "go", "endpoint": "GET /redirect/to", "query": {"url": "{foreign}/echo"}}"#,
    #"{"id": "go", "endpoint": "POST /redirect/to", "query": {"url": "{foreign}/echo", "status": 307}, "body": {"form": {"k": "{{inputs.key}}"}}}"#,
    #"{"id": "go", "endpoint": "GET /pages/next", "query": {"form": "absolute", "origin": "{foreign}"}, "paginate": {"next": "$.next"}}"#,
    #"{"id": "go", "endpoint": "GET /pages/link", "query": {"form": "absolute", "origin": "{foreign}"}, "headers": {"X-Key": "{{inputs.key}}"}, "paginate": {"link": "next"}}"#,
  ]

  @Test(arguments: steps) func nothingReachesAPrivateAddressThatAResponseNamed(
    _ steps: String
  ) async throws {
    let foreign = try SandboxServer.start()
    defer { foreign.stop() }
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "defaults": {"baseURL": "sandbox:/", "headers": {"X-Default": "{{inputs.key}}"}},
       "steps": [\(steps.replacing("{foreign}", with: foreign.origin))],
       "outputs": {"all": "{{go}}"}}
      """, to: "w.json")
    let outcome = await pipeline([
      "run", path, "--set", "key=\(Self.secret)", "--verbose", "--events",
      folder.path + "/events.jsonl",
    ])
    #expect(outcome.status == .failure, "\(outcome.error)")
    #expect(foreign.records.requestCount == 0)
    let events = folder.read("events.jsonl") ?? ""
    #expect(events.contains("runFinished"))
    for text in [outcome.output, outcome.error, events] { #expect(!text.contains(Self.secret)) }
  }

  @Test func whatTheCommandWritesHoldsNoSecret() async throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"inputs": {"key": {"type": "string", "secret": true, "env": "KEY"}},
       "defaults": {"baseURL": "sandbox:/", "onError": "continue"},
       "steps": [
        {"id": "url", "endpoint": "GET /echo/{{inputs.key}}", "extract": {"all": "$"}},
        {"id": "basic", "endpoint": "GET /echo", "auth": {"basic": {"user": "u", "password": "{{inputs.key}}"}},
         "extract": {"all": "$"}},
        {"id": "form", "endpoint": "POST /echo", "body": {"form": {"k": "{{inputs.key}}"}}, "extract": {"all": "$"}},
        {"id": "fails", "endpoint": "POST /echo", "body": {"text": "{{inputs.key}}"}, "expect": {"status": 404}},
        {"id": "checks", "endpoint": "GET /cookies", "cookies": {"c": "{{inputs.key}}"},
         "expect": {"where": ["@.text == 'x'"]}}],
       "outputs": {"all": ["{{url}}", "{{basic}}", "{{form}}"], "shown": {"value": "{{inputs.key}}", "reveal": true}}}
      """, to: "w.json")
    let secret = "p4ss word+/\"quoted\"-äß"
    let outcome = await pipeline(
      [
        "run", path, "--verbose", "--events", folder.path + "/events.jsonl", "-o",
        folder.path + "/out.json", "--store", folder.path + "/store",
      ],
      environment: ["KEY": secret])
    #expect(outcome.status == .failure)
    let output = folder.read("out.json") ?? ""
    // What is revealed is all that is to be seen.
    let escaped = secret.replacing("\"", with: "\\\"")
    #expect(output.contains("\"shown\": \"\(escaped)\""))
    let rest = output.replacing("\"shown\": \"\(escaped)\"", with: "")
    guard hasSQLite else { return }
    let run = try #require(try FileSystem.system.names(folder.path + "/store/runs").last)
    let journal = ["journal.sqlite", "journal.sqlite-wal", "run.json"]
      .compactMap { folder.read("store/runs/\(run)/" + $0) }
    #expect(journal.joined().contains("/echo"))
    let base64 = Base64.encode(Array("u:\(secret)".utf8))
    for text in [rest, outcome.error, folder.read("events.jsonl") ?? "", journal.joined()] {
      #expect(!text.isEmpty)
      for form in [secret, escaped, base64, "p4ss%20word", "p4ss+word", "4ss word"] {
        #expect(!text.contains(form), "\(form)")
      }
    }
  }
}

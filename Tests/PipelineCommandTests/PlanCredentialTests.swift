import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `plan` shows for each step which credentials it sends, and which it keeps back.
@Suite struct PlanCredentialTests {
  private let folder = TemporaryFolder()

  /// The lines of a plan that speak of credentials, each after the name of its step.
  private func lines(_ workflow: String, _ arguments: String...) async -> [String] {
    let path = folder.write(workflow, to: "plan.json")
    let result = await pipeline(["plan", path] + arguments)
    #expect(result.status == .success, "\(result.error)")
    var step = ""
    var found: [String] = []
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count > 1, Int(words[0]) != nil { step = String(words[1]) }
      if words.first == "sends" || words.first == "keeps" {
        found.append(step + ": " + words.joined(separator: " "))
      }
    }
    return found
  }

  @Test func whatIsAbsentIsNotSent() async {
    let path = folder.write(
      """
      {
        "inputs": {
          "user": {"type": "string", "optional": true},
          "token": {"type": "string", "optional": true, "secret": true}
        },
        "steps": [
          {"id": "a", "endpoint": "GET https://a.example/x", "auth": {"bearer": "{{inputs.token}}"}},
          {"id": "b", "endpoint": "GET https://a.example/x",
            "auth": {"basic": {"user": "{{inputs.user}}", "password": "{{inputs.token}}"}}}
        ]
      }
      """, to: "plan.json")
    let without = await pipeline(["plan", path]).output
    #expect(without.contains("auth   none, because a value is absent"))
    #expect(!without.contains("bearer") && !without.contains("basic"))
    #expect(!without.contains("sends  Authorization"))
    let given = await pipeline(["plan", path, "--set", "token=t0k3n", "--set", "user=u"]).output
    #expect(given.contains("auth   bearer •••") && given.contains("auth   basic u:•••"))
    #expect(given.contains("sends  Authorization to https://a.example"))
  }

  @Test func eachStepSaysWhatItSendsAndWhatItKeeps() async {
    let lines = await lines(
      """
      {
        "inputs": {
          "token": {"type": "string", "secret": true}, "theme": {"type": "string", "optional": true},
          "other": {"type": "string"}
        },
        "defaults": {
          "baseURL": "https://a.example/v1", "auth": {"bearer": "{{inputs.token}}"},
          "headers": {"X-Tenant": "{{inputs.token}}", "Accept": "text/plain"}
        },
        "steps": [
          {"id": "all", "endpoint": "GET /users", "cookies": {"theme": "{{inputs.theme}}"},
            "query": {"api_key": "{{inputs.token}}", "page": 1}, "extract": {"url": "$.url"}},
          {"id": "other", "endpoint": "GET https://b.example/x", "cookies": {"sid": "{{inputs.token}}"}},
          {"id": "listed", "endpoint": "GET https://c.example/x",
            "sendCredentials": ["https://c.example"]},
          {"id": "led", "endpoint": "GET {{all.url}}", "cookies": {"sid": "{{inputs.token}}"}},
          {"id": "open", "endpoint": "GET {{inputs.other}}/x", "headers": {"X-Tenant": null}},
          {"id": "none", "endpoint": "GET /none", "auth": null, "headers": null}
        ]
      }
      """)
    #expect(
      lines == [
        "all: sends parameter api_key to https://a.example",
        "all: sends Authorization, X-Tenant (defaults) to https://a.example",
        "other: sends cookie sid to https://b.example",
        "other: keeps Authorization, X-Tenant (defaults) from https://b.example",
        "listed: sends Authorization, X-Tenant (defaults) to https://c.example",
        "open: sends Authorization (defaults) only to https://a.example",
        "led: keeps cookie sid, because a response decides the host",
        "led: sends Authorization, X-Tenant (defaults) only to https://a.example",
      ])
  }

  @Test func anOriginThatInputsDecideIsKnownOnceTheyAre() async {
    let workflow = """
      {
        "inputs": {"api": {"type": "string"}, "Api": {"type": "string"}, "token": {"type": "string", "secret": true}},
        "defaults": {"baseURL": "{{inputs.api}}", "auth": {"basic": {"user": "u", "password": "{{inputs.token}}"}}},
        "steps": [
          {"id": "own", "endpoint": "GET /x"}, {"id": "same", "endpoint": "GET {{inputs.api}}/x"},
          {"id": "other", "endpoint": "GET {{inputs.Api}}/x"}
        ]
      }
      """
    #expect(
      await lines(workflow) == [
        "own: sends Authorization (defaults) to {{inputs.api}}",
        "same: sends Authorization (defaults) to {{inputs.api}}",
        "other: sends Authorization (defaults) only to {{inputs.api}}",
      ])
    let known = await lines(
      workflow, "--set", "api=https://a.example", "--set", "Api=https://b.example")
    #expect(
      known == [
        "own: sends Authorization (defaults) to https://a.example",
        "same: sends Authorization (defaults) to https://a.example",
        "other: keeps Authorization (defaults) from https://b.example",
      ])
  }

  @Test func limitsOfTimeAreShown() async throws {
    let path = folder.write(
      """
      {"steps": [{"id": "a", "endpoint": "GET https://a.example",
        "timeout": {"total": "1h", "silence": "5m"}}]}
      """, to: "limits.json")
    let output = await pipeline(["plan", path]).output
    #expect(output.contains("limits 1h in all, 5m of silence\n"), "\(output)")
  }
}

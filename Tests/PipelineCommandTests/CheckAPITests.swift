import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `pipeline run --check-api`.
struct CheckAPITests {
  private let folder = TemporaryFolder()

  private static func api(id: String) -> String {
    """
    openapi: 3.1.0
    servers: [{ url: / }]
    paths:
      /users/{id}:
        get:
          responses:
            "200":
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      data: { type: object, properties: { id: { type: \(id) }, email: { type: integer } } }
    """
  }

  private static let named = #""api": { "sandbox:/reqres": "./api.yaml" },"#

  private func workflow(_ api: String) -> String {
    folder.write(
      """
      {
        \(api)
        "defaults": { "baseURL": "sandbox:/reqres" },
        "steps": [{ "id": "user", "endpoint": "GET /users/2", "extract": { "whole": "$.data" } }],
        "outputs": { "id": "{{user.whole.id}}" }
      }
      """, to: "w.json")
  }

  @Test func aDifferenceIsNotedOrFailsTheStep() async throws {
    folder.write(Self.api(id: "string"), to: "api.yaml")
    let path = workflow(Self.named)
    let message = "'$.data.id' is a whole number, but the API describes a text ("
    let plain = await pipeline(["run", path])
    #expect(plain.status == .success && !plain.error.contains("API"))
    let junit = folder.path + "/run.xml"
    let warned = await pipeline([
      "run", "--check-api", "warn", "--report", "junit=" + junit, "--events", folder.path + "/e",
      path,
    ])
    #expect(warned.status == .success)
    #expect(warned.output == plain.output)
    #expect(warned.error.contains("note: step 'user': " + message))
    #expect(warned.error.contains("api.yaml:13): 2"))
    #expect(folder.read("run.xml")?.contains("<system-out>user: " + message) == true)
    #expect(folder.read("e")?.contains(message) == true)
    let failed = await pipeline(["run", "--check-api", "fail", path])
    #expect(failed.status == .failure)
    #expect(failed.error.contains("error: step 'user': " + message))
    #expect(failed.error.contains("w.json:5:23: error"))
  }

  @Test func aResumedRunIsComparedAsWell() async {
    folder.write(Self.api(id: "string"), to: "api.yaml")
    let path = workflow(Self.named)
    let store = ["--store", folder.path + "/store"]
    let failed = await pipeline(["run", "--check-api", "fail", path] + store)
    #expect(failed.status == .failure)
    let again = await pipeline(["resume", "--check-api", "fail"] + store)
    #expect(again.status == .failure)
    #expect(again.error.contains("error: step 'user': '$.data.id' is a whole number"))
    let resumed = await pipeline(["resume", "--check-api", "warn"] + store)
    #expect(resumed.status == .success)
    #expect(resumed.error.contains("note: step 'user': '$.data.id' is a whole number"))
  }

  @Test func whatIsNotReadIsNotCompared() async {
    folder.write(Self.api(id: "integer"), to: "api.yaml")
    let outcome = await pipeline(["run", "--check-api", "fail", workflow(Self.named)])
    #expect(outcome.status == .success)
    #expect(!outcome.error.contains("API"))
  }

  @Test func withoutADescriptionNothingIsSent() async {
    let none = await pipeline(["run", "--check-api", "warn", workflow("")])
    #expect(none.status == .usage)
    #expect(
      none.error.contains("--check-api compares responses with the descriptions that 'api' names"))
    let missing = await pipeline(["run", "--check-api", "warn", workflow(Self.named)])
    #expect(missing.status == .usage)
    #expect(missing.error.contains("w.json:2:"))
    #expect(missing.error.contains("'./api.yaml' cannot be read"))
    folder.write(
      "openapi: 3.1.0\nservers: [{ url: https://x.example.com }]\npaths: {}", to: "api.yaml")
    let other = await pipeline(["run", "--check-api", "warn", workflow(#""api": "./api.yaml","#)])
    #expect(other.status == .usage)
    #expect(other.error.contains("finds no request of"))
  }

  @Test func aSecretIsNotShown() async {
    folder.write(Self.api(id: "string"), to: "api.yaml")
    let secret = folder.write(
      """
      {
        \(Self.named)
        "defaults": { "baseURL": "sandbox:/reqres" },
        "steps": [
          {
            "id": "user",
            "endpoint": "GET /users/2",
            "extract": { "mail": { "body": "$.data.email", "secret": true } }
          }
        ],
        "outputs": { "mail": "{{user.mail}}" }
      }
      """, to: "secret.json")
    let outcome = await pipeline(["run", "--check-api", "fail", secret])
    #expect(outcome.status == .failure)
    #expect(
      outcome.error.contains("'$.data.email' is a text, but the API describes a whole number"))
    #expect(!outcome.error.contains("janet"))
  }
}

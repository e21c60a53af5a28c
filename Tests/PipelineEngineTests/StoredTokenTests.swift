import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import Testing

@testable import PipelineEngine

/// Refresh tokens that a server replaces, kept from run to run.
@Suite(.timeLimit(.minutes(5))) struct StoredTokenTests {
  private func run(
    _ logins: MemoryLogins, _ tokens: [ScriptedTransport.Answer], given: String = "first-refresh",
    api: [ScriptedTransport.Answer] = [.json([:])]
  ) async throws -> (report: RunReport, sent: [String]) {
    let plan = try PipelineEngineTests.plan(
      """
      {"inputs": {"key": {"type": "string", "secret": true}},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a",
                  "auth": {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "c",
                                      "refreshToken": "{{inputs.key}}"}}}]}
      """)
    let transport = ScriptedTransport([
      "POST https://id.example/token": tokens, "GET https://api.example/a": api,
    ])
    var options = RunOptions()
    options.logins = logins
    let report = try await Pipeline(plan, transport: transport, options: options)
      .run(inputs: ["key": .string(given)]).result.report
    let sent = transport.requests.map { request -> String in
      guard case .bytes(let bytes) = request.body, request.method == "POST" else {
        return request.headers.first { $0.name == "Authorization" }?.value ?? ""
      }
      let body = String(decoding: bytes, as: UTF8.self)
      return body.split(separator: "&").first { $0.hasPrefix("refresh_token=") }
        .map { String($0.dropFirst("refresh_token=".count)) } ?? body
    }
    return (report, sent)
  }

  private func tokens(_ access: String, _ refresh: String?, lifetime: Int = 1)
    -> ScriptedTransport.Answer
  {
    var members: [JSONValue.Member] = [
      .init("access_token", .string(access)), .init("expires_in", JSONValue(lifetime)),
    ]
    if let refresh { members.append(.init("refresh_token", .string(refresh))) }
    return .json(.object(members))
  }

  private let refused = ScriptedTransport.Answer.json(["error": "invalid_grant"], status: 400)

  @Test func theNextRunUsesTheNewRefreshToken() async throws {
    let logins = MemoryLogins()
    let first = try await run(logins, [tokens("access-1", "second-refresh", lifetime: 0)])
    #expect(first.report.status == .succeeded)
    #expect(first.sent == ["first-refresh", "Bearer access-1"])
    #expect(logins.all.map(\.refreshToken) == ["second-refresh"])
    #expect(logins.all.map(\.previous) == ["first-refresh"])
    #expect(logins.all.map(\.id.name) == ["https://id.example c"])
    let second = try await run(logins, [tokens("access-2", "third-refresh", lifetime: 0)])
    #expect(second.sent == ["second-refresh", "Bearer access-2"])
    // The first one is not needed any more: the second one has worked.
    #expect(logins.all.map(\.previous) == ["second-refresh"])
  }

  @Test func aGoodAccessTokenIsSharedByRuns() async throws {
    let logins = MemoryLogins()
    _ = try await run(logins, [tokens("access-1", "second-refresh", lifetime: 3600)])
    let second = try await run(logins, [])
    #expect(second.report.status == .succeeded)
    #expect(second.sent == ["Bearer access-1"])
    // A server may have revoked it meanwhile.
    let third = try await run(
      logins, [tokens("access-2", "third-refresh")], api: [.status(401), .json([:])])
    #expect(third.report.status == .succeeded)
    #expect(third.sent == ["Bearer access-1", "second-refresh", "Bearer access-2"])
  }

  @Test func aServerThatReplacesNothingLeavesNothing() async throws {
    let logins = MemoryLogins()
    _ = try await run(logins, [tokens("access-1", nil)])
    _ = try await run(logins, [tokens("access-1", "first-refresh")])
    #expect(logins.all.isEmpty)
  }

  @Test func anotherRefreshTokenBeginsAnew() async throws {
    let logins = MemoryLogins()
    _ = try await run(logins, [tokens("access-1", "second-refresh")])
    let other = try await run(logins, [tokens("access-9", "other-2")], given: "other-refresh")
    #expect(other.sent.first == "other-refresh")
    #expect(logins.all.count == 2)
  }

  @Test func theOldRefreshTokenIsTriedOnceAndThenNoneIs() async throws {
    let logins = MemoryLogins()
    _ = try await run(logins, [tokens("access-1", "second-refresh", lifetime: 0)])
    // The server did not keep the new one.
    let saved = try await run(
      logins, [refused, tokens("access-2", "third-refresh", lifetime: 0)])
    #expect(saved.report.status == .succeeded)
    #expect(saved.sent == ["second-refresh", "first-refresh", "Bearer access-2"])
    let lost = try await run(logins, [refused, refused])
    #expect(lost.sent == ["third-refresh", "first-refresh"])
    let failure = try #require(lost.report.failures.first?.failure)
    #expect(failure.kind == .value)
    #expect(
      failure.message
        == "https://id.example/token no longer takes the refresh token of the login"
        + " 'https://id.example c', nor the one before; log in again at the server, and give the run"
        + " its new refresh token")
    // It does not go on for ever.
    let again = try await run(logins, [])
    #expect(again.sent.isEmpty)
    #expect(again.report.failures.first?.failure.kind == .value)
    let new = try await run(logins, [tokens("access-3", "new-2")], given: "new-refresh")
    #expect(new.report.status == .succeeded)
  }

  @Test func aTokenThatCannotBeKeptIsNotUsed() async throws {
    let logins = MemoryLogins(refusal: LoginProblem("the disk is full"))
    let result = try await run(logins, [tokens("access-1", "second-refresh")])
    #expect(result.sent == ["first-refresh"])
    #expect(result.report.failures.first?.failure.kind == .file)
    #expect(result.report.failures.first?.failure.message == "the disk is full")
  }

  @Test func anErrorOfTheServerLeavesTheLoginAsItIs() async throws {
    let logins = MemoryLogins()
    _ = try await run(logins, [tokens("access-1", "second-refresh", lifetime: 0)])
    let failed = try await run(logins, [.status(500)])
    #expect(failed.report.failures.first?.failure.kind == .status)
    #expect(logins.all.map(\.isRefused) == [false])
    #expect(logins.all.map(\.refreshToken) == ["second-refresh"])
  }
}

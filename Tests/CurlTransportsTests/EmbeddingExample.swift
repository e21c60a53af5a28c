// The code of docs/embedding.md, word for word; EmbeddingDocumentTests holds the two together.

import CurlTransports
import Foundation
import PipelineKit
import PipelineTesting

let bank = """
  {
    "inputs": { "api": { "type": "string" }, "user": { "type": "integer" } },
    "defaults": { "baseURL": "{{inputs.api}}" },
    "steps": [
      { "id": "user", "endpoint": "GET /users/{{inputs.user}}",
        "extract": { "name": "$.name", "account": "$.accountId" } },
      { "id": "account", "endpoint": "GET /accounts/{{user.account}}",
        "extract": { "balance": "$.balance" } },
      { "id": "transactions", "endpoint": "GET /accounts/{{user.account}}/transactions",
        "extract": { "all": "$[*]" } }
    ],
    "outputs": {
      "name": "{{user.name}}",
      "balance": "{{account.balance}}",
      "transactions": "{{transactions.all}}"
    }
  }
  """

struct BankInputs: Encodable {
  let api: String
  let user: Int
}

struct Statement: Codable, Equatable, Sendable {
  let name: String
  let balance: Double
  let transactions: [Transaction]
}

struct Transaction: Codable, Equatable, Sendable {
  let amount: Double
  let description: String
}

struct Bank: Sendable {
  let pipeline: Pipeline
  let api: String

  init(api: String) throws {
    self.api = api
    pipeline = try Pipeline(bank)
  }

  func statement(of user: Int) async throws -> Statement {
    try await pipeline.value(of: Statement.self, inputs: BankInputs(api: api, user: user))
  }
}

@MainActor
final class BankModel {
  private(set) var progress: [String] = []
  private(set) var balance: Double?
  private(set) var problem: String?
  private var run: Run?

  func load(_ pipeline: Pipeline, user: Int) async {
    let run = pipeline.run(inputs: ["api": "https://bank.example", "user": JSONValue(user)])
    self.run = run
    for await event in run.events() {
      if case .stepFinished(let step) = event.kind { progress.append(step.step) }
    }
    do {
      balance = try await run.value(of: Statement.self).balance
    } catch {
      problem = error.localizedDescription
    }
  }

  func stop() { run?.cancel() }
}

let scoring = """
  {
    "inputs": { "user": { "type": "integer" } },
    "steps": [
      { "id": "user", "endpoint": "GET https://bank.example/users/{{inputs.user}}",
        "extract": { "name": "$.name", "account": "$.accountId" } },
      { "id": "score", "endpoint": "swift:score", "retry": 3, "timeout": "5s",
        "body": { "json": { "name": "{{user.name}}", "account": "{{user.account}}" } },
        "extract": { "points": "$.points" } }
    ],
    "outputs": { "points": "{{score.points}}" }
  }
  """

enum Score {
  struct Input: Decodable, Sendable {
    let name: String
    let account: Int
  }

  struct Output: Codable, Sendable {
    let points: Int
  }
}

func scoringPipeline(_ transport: any Transport) throws -> Pipeline {
  var pipeline = try Pipeline(scoring, transport: transport)
  pipeline.handlers["score"] = { (input: Score.Input) async throws -> Score.Output in
    Score.Output(points: input.name.count * input.account)
  }
  return pipeline
}

func export(
  _ workflow: String, after state: [String: JSONValue], at api: String
) async throws -> [String: JSONValue] {
  var pipeline = try Pipeline(workflow)
  pipeline.options.state = state
  return try await pipeline.run(inputs: ["api": .string(api)]).result.report.state
}

func upload(
  _ film: AsyncThrowingStream<Data, any Error>, with pipeline: Pipeline
) async throws {
  var pipeline = pipeline
  let files = MemoryFiles()
  files.add("film.mp4", contentsOf: film)  // "body": { "file": "film.mp4" }
  pipeline.options.files = files
  try await pipeline.run().result.get()
}

func bankScript() -> ScriptedTransport {
  ScriptedTransport([
    "GET https://bank.example/users/*": [.json(["name": "Goran", "accountId": 42])],
    "GET https://bank.example/accounts/42": [.status(503), .json(["balance": 10.5])],
    "GET https://bank.example/accounts/42/transactions": [
      .json([["amount": -4.2, "description": "books"]])
    ],
  ])
}

func slowBank(_ clock: any RunClock) -> ScriptedTransport {
  ScriptedTransport(
    steps: [
      "user": [.json(["name": "Goran", "accountId": 42])],
      "account": [.refused, .timeout, .json(["balance": 10.5]).after(.seconds(2))],
      "transactions": [.json([])],
    ], clock: clock)
}

func observed(
  _ pipeline: Pipeline, traceparent: String?, log: @escaping @Sendable (String) -> Void,
  record: @escaping @Sendable (_ step: String, Duration) -> Void
) -> Pipeline {
  var pipeline = pipeline
  pipeline.options.keptEvents = 0
  pipeline.options.tracing = traceparent.flatMap { RequestTracing(traceparent: $0) }
  pipeline.options.observer = { event in
    switch event.kind {
    case .requestFinished(let request): record(request.step, request.timings.total)
    case .runFinished(let report):
      for failure in report.failures { log("\(report.runID): \(failure)") }
    default: break
    }
  }
  return pipeline
}

actor LiveRuns {
  private var runs: [ObjectIdentifier: Run] = [:]
  private var isClosed = false

  func value<Value: Decodable & Sendable>(of type: Value.Type, _ run: Run) async throws -> Value {
    guard !isClosed else { throw CancellationError() }
    runs[ObjectIdentifier(run)] = run
    defer { runs[ObjectIdentifier(run)] = nil }
    return try await run.value(of: type)
  }

  /// Returns when no run is left and all clean-up is done.
  func drain(within limit: Duration) async {
    isClosed = true
    let runs = Array(runs.values)
    let timer = Task {
      try await SystemClock().sleep(for: limit)
      for run in runs { run.cancel() }
    }
    for run in runs { _ = try? await run.result }
    timer.cancel()
  }
}

/// The user's name is shown while the account is still being fetched.
func show(_ pipeline: Pipeline, user: Int, name: @escaping @Sendable (String) -> Void) -> Run {
  var pipeline = pipeline
  pipeline.options.valueReader = { values in
    guard values.step == "user", let text = values.value.node["name"]?.string else { return }
    name(text)
  }
  return pipeline.run(inputs: ["api": "https://bank.example", "user": JSONValue(user)])
}

// The code of docs/embedding.md, word for word; EmbeddingDocumentTests holds the two together.

import CurlTransports
import PipelineKit

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

struct Transaction: Codable, Equatable, Sendable {
  let amount: Double
  let description: String
}

func transactions(of user: Int, at api: String) async throws -> [Transaction] {
  let run = try Pipeline(bank).run(inputs: ["api": .string(api), "user": JSONValue(user)])
  return try await run.result.output("transactions", as: [Transaction].self)
}

@MainActor
final class BankModel {
  private(set) var progress: [String] = []
  private(set) var balance: Double?
  private var run: Run?

  func load(_ pipeline: Pipeline, user: Int) async throws {
    let run = pipeline.run(inputs: ["api": "https://bank.example", "user": JSONValue(user)])
    self.run = run
    for await event in run.events {
      if case .stepFinished(let step) = event.kind { progress.append(step.step) }
    }
    balance = try await run.result.output("balance", as: Double.self)
  }

  func stop() { run?.cancel() }
}

func export(
  _ workflow: String, after state: [String: JSONValue], at api: String
) async throws -> [String: JSONValue] {
  var pipeline = try Pipeline(workflow)
  pipeline.options.state = state
  return try await pipeline.run(inputs: ["api": .string(api)]).result.report.state
}

func bankScript() -> ScriptedTransport {
  ScriptedTransport([
    "GET https://bank.example/users/7": [.json(["name": "Goran", "accountId": 42])],
    "GET https://bank.example/accounts/42": [.status(503), .json(["balance": 10.5])],
    "GET https://bank.example/accounts/42/transactions": [
      .json([["amount": -4.2, "description": "books"]])
    ],
  ])
}

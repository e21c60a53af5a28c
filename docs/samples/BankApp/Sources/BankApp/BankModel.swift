import Foundation
import PipelineKit
import PipelineTesting

#if canImport(Observation)
  import Observation
#endif

/// A bank's user, account and transactions, as the views show them.
public struct Statement: Codable, Equatable, Sendable {
  /// The name of the user.
  public let name: String
  /// What the account holds.
  public let balance: Decimal
  /// What a score of our own makes of the transactions.
  public let grade: String
}

/// Loads a statement, and says how far it has come.
@MainActor @Observable
public final class BankModel {
  /// The steps that have ended, in their order.
  public private(set) var steps: [String] = []
  /// What was loaded.
  public private(set) var statement: Statement?
  /// Why nothing was loaded.
  public private(set) var problem: String?
  private let pipeline: Pipeline

  /// The workflow of the app.
  public static let workflow = """
    {
      "inputs": { "user": { "type": "integer" } },
      "defaults": { "baseURL": "https://bank.example", "retry": 3, "timeout": "10s" },
      "steps": [
        { "id": "user", "endpoint": "GET /users/{{inputs.user}}",
          "extract": { "name": "$.name", "account": "$.accountId" } },
        { "id": "account", "endpoint": "GET /accounts/{{user.account}}",
          "extract": { "balance": "$.balance" } },
        { "id": "transactions", "endpoint": "GET /accounts/{{user.account}}/transactions",
          "extract": { "amounts": "$[*].amount" } },
        { "id": "grade", "endpoint": "swift:grade",
          "body": { "json": { "amounts": "{{transactions.amounts}}" } },
          "extract": { "grade": "$" } }
      ],
      "outputs": {
        "name": "{{user.name}}", "balance": "{{account.balance}}", "grade": "{{grade.grade}}"
      }
    }
    """

  private struct Amounts: Decodable, Sendable { let amounts: [Double] }

  /// A model that sends its requests so.
  public init(_ transport: any Transport) throws {
    var pipeline = try Pipeline(Self.workflow, transport: transport)
    pipeline.handlers["grade"] = { (input: Amounts) in
      input.amounts.reduce(0, +) < 0 ? "spending" : "saving"
    }
    self.pipeline = pipeline
  }

  /// Loads the statement of a user. Cancelling the task cancels the run.
  public func load(user: Int) async {
    steps = []
    statement = nil
    problem = nil
    let run = pipeline.run(inputs: ["user": JSONValue(user)])
    async let shown: Void = show(run.events())
    do {
      statement = try await run.value(of: Statement.self)
    } catch is CancellationError {
      // The view has gone.
    } catch {
      problem = error.localizedDescription
    }
    await shown
  }

  private func show(_ events: RunEvents) async {
    for await event in events {
      if case .stepFinished(let step) = event.kind { steps.append(step.step) }
    }
  }

  /// What stands in for the bank in previews and tests.
  public static func preview(
    account: ScriptedTransport.Answer = .json(["balance": 1042.02])
  ) -> ScriptedTransport {
    ScriptedTransport([
      "GET https://bank.example/users/*": [.json(["name": "Goran", "accountId": 42])],
      "GET https://bank.example/accounts/42": [account],
      "GET https://bank.example/accounts/42/transactions": [
        .json([["amount": -4.5], ["amount": 12]])
      ],
    ])
  }
}

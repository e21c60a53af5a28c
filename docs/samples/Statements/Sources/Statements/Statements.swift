import CurlTransports
import Foundation
import PipelineKit
import PipelineTesting

/// A server's job: the statements of many users, as lines of JSON.
///
/// Without a URL it runs on answers of its own, so that it works anywhere:
///
///     pipeline-sample-statements [URL OF THE BANK] [USER]…
@main
struct Statements {
  struct Statement: Codable, Sendable {
    let name: String
    let balance: Double
  }

  static let workflow = """
    {
      "inputs": { "bank": { "type": "string" }, "user": { "type": "integer" } },
      "defaults": { "baseURL": "{{inputs.bank}}", "retry": 3, "timeout": "10s" },
      "steps": [
        { "id": "user", "endpoint": "GET /users/{{inputs.user}}",
          "extract": { "name": "$.name", "account": "$.accountId" } },
        { "id": "account", "endpoint": "GET /accounts/{{user.account}}",
          "extract": { "balance": "$.balance" } }
      ],
      "outputs": { "name": "{{user.name}}", "balance": "{{account.balance}}" }
    }
    """

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let bank = arguments.first
    let users = arguments.dropFirst().compactMap { Int($0) }
    var pipeline = try Pipeline(workflow, transport: bank == nil ? script : CurlTransport.shared)
    // All runs together stay within the bank's limits, over the same connections.
    pipeline.options.limit = SharedLimit(concurrency: 8, rate: .init(100, per: .seconds(1)))
    let failed = await write(
      users.isEmpty ? Array(1...20) : users, pipeline, bank: bank ?? "https://bank.example")
    if failed > 0 { exit(1) }
  }

  /// Writes a line for each user, and returns how many could not be had.
  static func write(_ users: [Int], _ pipeline: Pipeline, bank: String) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for user in users {
        group.addTask {
          do {
            let statement = try await pipeline.value(
              of: Statement.self, inputs: ["bank": .string(bank), "user": JSONValue(user)])
            print(try JSONValue(encoding: statement))
            return true
          } catch {
            FileHandle.standardError.write(Data("user \(user): \(error)\n".utf8))
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
    }
  }

  static var script: ScriptedTransport {
    ScriptedTransport([
      "GET https://bank.example/users/*": [.json(["name": "Goran", "accountId": 42])],
      "GET https://bank.example/accounts/*": [.status(503), .json(["balance": 10.5])],
    ])
  }
}

// The code of docs/coming-from.md, word for word; ComingFromTests holds the two together.

import Foundation
import PipelineKit
import PipelineTesting

struct User: Codable, Equatable, Sendable {
  let id: Int
  let name: String
}

struct Statement: Codable, Equatable, Sendable {
  let name: String
  let balance: Double
  let transactions: [Double]
}

let people = """
  {
    "inputs": { "page": { "type": "integer", "default": 1 } },
    "defaults": { "baseURL": "https://people.example" },
    "limits": { "concurrency": 4 },
    "steps": [
      { "id": "list", "endpoint": "GET /users", "query": { "page": "{{inputs.page}}" },
        "extract": { "ids": "$.data[*].id" } },
      { "id": "user", "forEach": "$.list.ids", "as": "id", "priority": 1,
        "endpoint": "GET /users/{{id}}",
        "extract": { "id": "$.data.id", "name": "$.data.first_name" } }
    ],
    "outputs": { "users": "{{user}}" }
  }
  """

struct People: Decodable { let users: [User] }

func loadPeople(_ transport: any Transport, whileHidden: Bool) async throws -> [User] {
  let run = try Pipeline(people, transport: transport).run(inputs: ["page": 2])
  if whileHidden { run.pause() }
  run.start()
  run.resume()
  return try await run.value(of: People.self).users
}

let chain = """
  {
    "inputs": { "user": { "type": "integer" } },
    "defaults": { "baseURL": "https://bank.example", "retry": 2 },
    "steps": [
      { "id": "user", "endpoint": "GET /users/{{inputs.user}}",
        "extract": { "name": "$.name", "account": "$.accountId" } },
      { "id": "greet", "endpoint": "swift:greet", "body": { "json": { "name": "{{user.name}}" } },
        "extract": { "text": "$" } },
      { "id": "account", "endpoint": "GET /accounts/{{user.account}}",
        "extract": { "balance": "$.balance" } },
      { "id": "transactions", "endpoint": "GET /accounts/{{user.account}}/transactions",
        "extract": { "amounts": "$[*].amount" } }
    ],
    "outputs": {
      "name": "{{greet.text}}", "balance": "{{account.balance}}",
      "transactions": "{{transactions.amounts}}"
    }
  }
  """

@MainActor
final class StatementModel {
  private(set) var statement: Statement?
  private(set) var message = ""

  func load(user: Int, over transport: any Transport) async {
    do {
      var pipeline = try Pipeline(chain, transport: transport)
      pipeline.handlers["greet"] = { (input: [String: String]) in "Dear " + (input["name"] ?? "") }
      statement = try await pipeline.value(of: Statement.self, inputs: ["user": JSONValue(user)])
    } catch {
      message = error.localizedDescription
    }
  }
}

func chainMock(account: ScriptedTransport.Answer) -> ScriptedTransport {
  ScriptedTransport(steps: [
    "user": [.json(["name": "Goran", "accountId": 42])], "account": [account],
    "transactions": [.json([["amount": -4.5]])],
  ])
}

let upload = """
  {
    "inputs": {
      "images": { "type": "array" },
      "batch": { "type": "integer", "default": 1 },
      "parallel": { "type": "integer", "default": 1 }
    },
    "steps": [
      { "id": "upload", "forEach": "$.inputs.images", "as": "images",
        "batch": "{{inputs.batch}}", "concurrency": "{{inputs.parallel}}",
        "onItemError": "collect", "onError": "recover", "otherwise": { "count": 0 },
        "endpoint": "POST https://images.example/upload", "body": { "json": "{{images}}" },
        "extract": { "count": "$.count" } }
    ],
    "outputs": {
      "counts": "$.upload[*].count",
      "failed": "$.upload.error.items[*].index"
    }
  }
  """

struct Uploads: Decodable, Equatable {
  let counts: [Int]
  let failed: [Int]
}

func upload(
  _ images: [String], batch: Int, parallel: Int, _ transport: any Transport
) async throws -> Uploads {
  struct Inputs: Encodable { let images: [String], batch: Int, parallel: Int }
  return try await Pipeline(upload, transport: transport).value(
    of: Uploads.self, inputs: Inputs(images: images, batch: batch, parallel: parallel))
}

let promise = """
  {
    "defaults": { "baseURL": "https://bank.example" },
    "steps": [
      { "id": "user", "endpoint": "GET /users/7", "extract": { "account": "$.accountId" } },
      { "id": "account", "endpoint": "GET /accounts/{{user.account}}",
        "onError": { "recover": ["network", "5xx"] }, "otherwise": { "balance": 0 },
        "extract": { "balance": "$.balance" } },
      { "id": "news", "endpoint": "GET /news", "extract": { "titles": "$[*].title" } }
    ],
    "outputs": { "balance": "{{account.balance}}", "news": "{{news.titles}}" }
  }
  """

struct Home: Decodable, Equatable { let balance: Double, news: [String] }

func home(_ transport: any Transport) async -> Result<Home, any Error> {
  do {
    return .success(try await Pipeline(promise, transport: transport).value(of: Home.self))
  } catch {
    return .failure(error)
  }
}

let awaited = """
  {
    "steps": [
      { "id": "user", "endpoint": "GET https://bank.example/users/7",
        "extract": { "name": "$.name" } }
    ],
    "outputs": { "name": "{{user.name}}" }
  }
  """

func showName(
  _ pipeline: Pipeline, _ show: @escaping @MainActor @Sendable (String) -> Void
) -> Task<Void, any Error> {
  Task {
    let name = try await pipeline.run().result.output("name", as: String.self)
    await show(name)
  }
}

let stream = """
  {
    "steps": [
      { "id": "list", "endpoint": "GET https://people.example/users",
        "extract": { "ids": "$.data[*].id" } },
      { "id": "user", "forEach": "$.list.ids", "as": "id", "concurrency": 3,
        "endpoint": "GET https://people.example/users/{{id}}",
        "retry": { "attempts": 3, "delay": "100ms" }, "timeout": "5s",
        "onError": "recover", "otherwise": { "id": 0, "name": "nobody" },
        "extract": { "id": "$.data.id", "name": "$.data.first_name" } }
    ],
    "outputs": { "users": "{{user}}" }
  }
  """

func progress(of run: Run) -> AsyncStream<Double> {
  AsyncStream { continuation in
    let task = Task {
      for await event in run.events() {
        if case .itemFinished(let item) = event.kind {
          continuation.yield(Double(item.done) / Double(item.total))
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
  }
}

let produced = """
  {
    "steps": [
      { "id": "user", "endpoint": "GET https://bank.example/users/7",
        "extract": { "name": "$.name" } }
    ],
    "finally": [{ "id": "bye", "endpoint": "DELETE https://bank.example/session" }],
    "outputs": { "name": "{{user.name}}" }
  }
  """

func startWithResult(
  _ run: Run, _ observer: @escaping @Sendable (Result<RunResult, any Error>) -> Void
) -> Task<Void, Never> {
  Task {
    do {
      observer(.success(try await run.result.get()))
    } catch {
      observer(.failure(error))
    }
  }
}

#if canImport(Combine)
  import Combine

  extension Run {
    /// The events of the run, on the main actor.
    @MainActor func publisher() -> AnyPublisher<RunEvent, Never> {
      let subject = PassthroughSubject<RunEvent, Never>()
      let task = Task { @MainActor in
        for await event in events() { subject.send(event) }
        subject.send(completion: .finished)
      }
      return subject.handleEvents(receiveCancel: task.cancel).eraseToAnyPublisher()
    }

    /// The decoded outputs, or why there are none.
    func future<Value: Decodable & Sendable>(of type: Value.Type) -> Future<Value, any Error> {
      Future { promise in
        // Combine does not mark it Sendable. It is called once, by the task below alone.
        nonisolated(unsafe) let promise = promise
        Task {
          do {
            promise(.success(try await self.value(of: type)))
          } catch {
            promise(.failure(error))
          }
        }
      }
    }
  }
#endif

let grouped = """
  {
    "limits": { "concurrency": 4, "rate": "20/1s" },
    "defaults": { "baseURL": "https://people.example", "retry": 3, "timeout": "10s" },
    "steps": [
      { "id": "page", "endpoint": "GET /users",
        "paginate": { "page": "page", "pages": "$.total_pages" },
        "extract": { "ids": "$.data[*].id" } },
      { "id": "user", "forEach": "$.page.ids", "as": "id", "endpoint": "GET /users/{{id}}",
        "onItemError": "collect",
        "extract": { "id": "$.data.id", "name": "$.data.first_name" } }
    ],
    "outputs": { "users": "{{user}}" }
  }
  """

func names(_ transport: any Transport) async throws -> [String] {
  let people = try await Pipeline(grouped, transport: transport).value(of: People.self)
  return people.users.map(\.name).sorted()
}

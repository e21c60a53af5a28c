import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Items of a recording whose requests need a value of the item around them: they become a block.
@Suite(.ownThreads) struct ImportBlockTests {
  private let folder = TemporaryFolder()

  /// A recording of requests and their answers.
  private func recording(_ entries: [(endpoint: String, answer: String)]) -> String {
    let list = entries.map { entry -> JSONValue in
      let words = entry.endpoint.split(separator: " ").map(String.init)
      return [
        "time": 100,
        "request": [
          "method": .string(words[0]), "url": .string("https://shop.example" + words[1]),
          "headers": [],
        ],
        "response": [
          "status": 200, "headers": [],
          "content": ["mimeType": "application/json", "text": .string(entry.answer)],
        ],
      ]
    }
    let log: JSONValue = ["log": ["version": "1.2", "entries": .array(list)]]
    return folder.write(log.node.text, to: "a.har")
  }

  private static let users = ("GET /users", #"{"users": [{"id": 4711}, {"id": 4712}]}"#)
  private static let lists = [
    ("GET /users/4711/orders", #"{"orders": [{"id": 90001}, {"id": 90002}]}"#),
    ("GET /users/4712/orders", #"{"orders": [{"id": 90003}]}"#),
  ]
  private static let orders = [
    ("GET /users/4711/orders/90001", #"{"total": 1}"#),
    ("GET /users/4711/orders/90002", #"{"total": 2}"#),
    ("GET /users/4712/orders/90003", #"{"total": 3}"#),
  ]

  private func imported(
    _ entries: [(endpoint: String, answer: String)], _ options: [String] = []
  ) async throws -> (root: JSONNode, report: String) {
    let result = await pipeline(["import"] + options + [recording(entries)])
    #expect(result.status == .success, "\(result.error)")
    let path = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)")
    #expect(await pipeline(["format", "--check", path]).status == .success)
    return (try JSONDocument.parse(Array(result.output.utf8)).root, result.error)
  }

  @Test(arguments: [false, true])
  func anItemThatNeedsItsParentsValueIsInABlock(isInterleaved: Bool) async throws {
    let pairs =
      isInterleaved
      ? [Self.lists[0], Self.orders[0], Self.orders[1], Self.lists[1], Self.orders[2]]
      : Self.lists + Self.orders
    let (root, report) = try await imported([Self.users] + pairs)
    let block = try #require(root["steps"]?[1], "\(root.text)")
    #expect(root["steps"]?.count == 2)
    let name = try #require(block["as"]?.string, "\(block.text)")
    #expect(block["forEach"]?.string?.hasPrefix("$.users.") == true, "\(block.text)")
    #expect(block["steps"]?[0]?["endpoint"]?.string == "GET /users/{{\(name)}}/orders")
    let inner = try #require(block["steps"]?[1])
    #expect(inner["forEach"]?.string?.hasPrefix("$.orders.") == true, "\(inner.text)")
    let item = inner["as"]?.string ?? "item"
    #expect(inner["endpoint"]?.string == "GET /users/{{\(name)}}/orders/{{\(item)}}")
    #expect(report.contains("replay: 6 of 6 requests are as recorded"), "\(report)")
    #expect(report.contains("with fresh values: 6 of 6 requests follow"), "\(report)")
  }

  /// What changes something comes between the rows of the parents and those of the items.
  @Test func aWriteInBetweenIsNoPartOfABlock() async throws {
    let entries = [Self.users] + Self.lists + [("DELETE /lock", "{}")] + Self.orders
    let (root, report) = try await imported(entries)
    #expect(root["steps"]?.elements.allSatisfy { $0["steps"] == nil } == true, "\(root.text)")
    #expect(report.contains("approximated"), "\(report)")
    let relaxed = try await imported(entries, ["--relax"])
    #expect(
      relaxed.root["steps"]?.elements.contains { $0["steps"] != nil } == true,
      "\(relaxed.root.text)")
  }
}

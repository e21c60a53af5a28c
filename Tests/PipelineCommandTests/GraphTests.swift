import PipelineDrawings
import PipelineJSONText
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

struct LayeredLayoutTests {
  private func layout(_ count: Int, _ edges: [(Int, Int)], last: Set<Int> = []) -> LayeredLayout {
    LayeredLayout(
      (0..<count).map { .init(breadth: 100, depth: 40, isLast: last.contains($0)) },
      edges.map { .init(from: $0.0, to: $0.1) })
  }

  @Test func eachVertexLiesBehindAllThatItFollows() {
    let layout = layout(5, [(0, 1), (1, 2), (0, 2), (3, 2)], last: [4])
    #expect(layout.layers == [0, 1, 2, 0, 3])
    #expect(layout.routes.count == 4)
    // An edge that passes a layer has a bend in it.
    #expect(layout.routes.map(\.count) == [4, 4, 6, 6])
    for (edge, route) in zip([(0, 1), (1, 2), (0, 2), (3, 2)], layout.routes) {
      #expect(route.first?.along == layout.centers[edge.0].along + 20)
      #expect(route.last?.along == layout.centers[edge.1].along - 20)
    }
  }

  @Test func edgesThatNeedNotCrossDoNot() {
    #expect(layout(6, [(0, 5), (1, 4), (2, 3)]).crossings == 0)
    #expect(layout(4, [(0, 2), (0, 3), (1, 2), (1, 3)]).crossings == 1)
    var random = SeededGenerator(seed: 7)
    let tree = (1..<31).map { (($0 - 1) / 2, $0) }
    #expect(layout(31, tree.shuffled(using: &random)).crossings == 0)
  }

  @Test func aChainIsStraightAndAFanIsCentred() {
    let chain = layout(4, [(0, 1), (1, 2), (2, 3)])
    #expect(Set(chain.centers.map { ($0.across * 10).rounded() }).count == 1)
    let fan = layout(4, [(0, 1), (0, 2), (0, 3)])
    #expect(abs(fan.centers[0].across - fan.centers[2].across) < 1)
  }

  @Test(arguments: [5, 20, 60, 400])
  func nothingOverlaps(count: Int) {
    var random = SeededGenerator(seed: 7)
    var edges: [(Int, Int)] = []
    for to in 1..<count {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let from = Int.random(in: max(0, to - 12)..<to, using: &random)
        if !edges.contains(where: { $0 == (from, to) }) { edges.append((from, to)) }
      }
    }
    let layout = layout(count, edges)
    for one in 0..<count {
      #expect(layout.centers[one].across >= 49.9)
      #expect(layout.centers[one].across <= layout.breadth - 49.9)
      for other in 0..<one where layout.layers[one] == layout.layers[other] {
        #expect(abs(layout.centers[one].across - layout.centers[other].across) > 125)
      }
    }
    #expect(layout.depth > 0)
  }

  @Test func nothingIsLaidOut() {
    let layout = layout(0, [])
    #expect(layout.breadth == 0 && layout.depth == 0 && layout.crossings == 0)
  }
}

struct GraphTests {
  private let folder = TemporaryFolder()

  /// Every kind of step, a block within a collection, a condition, an implied edge.
  private static let text = """
    {
      "name": "orders <&>",
      "description": "Every kind of step.",
      "inputs": {
        "api": { "type": "string", "default": "https://api.example.com/v1/" },
        "page": { "type": "integer" },
        "q": { "type": "string", "default": "a b&c" },
        "key": { "type": "string", "secret": true, "default": "hidden-key", "env": "KEY" }
      },
      "defaults": { "baseURL": "{{inputs.api}}", "auth": { "bearer": "{{inputs.key}}" } },
      "steps": [
        {
          "id": "list", "endpoint": "GET /orders/{{inputs.q}}",
          "query": { "page": "{{inputs.page}}", "q": "{{inputs.q}}", "key": "{{inputs.key}}" },
          "extract": { "ids": "$.orders[*].id", "total": "$.total" }
        },
        { "id": "pause", "wait": "1s", "dependsOn": ["list"] },
        {
          "id": "each", "forEach": "$.list.ids", "as": "order", "concurrency": 2,
          "steps": [
            { "id": "get", "endpoint": "GET /orders/{{order}}", "extract": { "state": "$.state" } },
            {
              "id": "ship", "when": "$.get.state == 'paid'", "endpoint": "POST /orders/{{order}}/ship",
              "body": { "json": { "by": "{{inputs.q}}", "state": "{{get.state}}" } }
            }
          ]
        },
        { "id": "sum", "values": { "all": "{{list.total}}", "rows": "$.each" }, "dependsOn": ["pause"] }
      ],
      "finally": [{ "id": "bye", "endpoint": "DELETE /session" }],
      "outputs": { "sum": "{{sum.all}}", "page": "{{inputs.page}}" }
    }
    """

  private func file() -> String { folder.write(Self.text, to: "orders.json") }

  @Test(arguments: GraphCommand.Format.allCases)
  func theDrawingIsWhatIsRecorded(format: GraphCommand.Format) async {
    let result = await pipeline(["graph", file(), "--format", format.rawValue])
    #expect(result.status == .success, "\(result.error)")
    expectSnapshot(result.output, "graph.\(format.rawValue)")
    #expect(!result.output.contains("hidden-key"))
  }

  @Test func thePlanIsWhatIsRecorded() async {
    let result = await pipeline(["plan", file()], environment: ["KEY": "other-key"])
    #expect(result.status == .success, "\(result.error)")
    expectSnapshot(result.output, "plan.txt")
    #expect(!result.output.contains("hidden-key") && !result.output.contains("other-key"))
    let more = await pipeline(["plan", file(), "--set", "page=2"])
    #expect(
      more.output.contains("GET https://api.example.com/v1/orders/a%20b%26c?page=2&q=a%20b%26c"))
  }

  @Test func whatIsAbsentIsLeftOutOfAPlan() async {
    let path = folder.write(
      """
      {
        "inputs": {"day": {"optional": true}, "given": {"default": 1}},
        "defaults": {"baseURL": "https://api.example.com"},
        "steps": [
          {"id": "v", "values": {"day": "{{inputs.day}}", "twice": "$.inputs.day", "n": "{{inputs.given}}"}},
          {
            "id": "list", "endpoint": "POST /a", "dependsOn": ["v"],
            "query": {"day": "{{inputs.day}}", "again": "{{v.day}}", "n": "{{v.n}}", "of": ["{{inputs.day}}", 2]},
            "headers": {"X-Day": "{{inputs.day}}"}, "cookies": {"day": "{{inputs.day}}"},
            "body": {"json": {"day": "{{inputs.day}}", "days": ["{{inputs.day}}", "{{v.twice}}"], "n": 1}}
          }
        ],
        "outputs": {"day": "{{v.day}}", "text": "on {{inputs.given}}"}
      }
      """, to: "absent.json")
    let result = await pipeline(["plan", path])
    #expect(
      result.status == .success && !result.output.contains("{{inputs.day}}"), "\(result.error)")
    let lines = result.output.split(separator: "\n").map { $0.drop { $0 == " " || $0.isNumber } }
    for line in [
      "value  day is absent", "value  twice is absent", "value  n = 1",
      "POST https://api.example.com/a?n=1&of=2", "day    absent", "day   absent", "text  \"on 1\"",
    ] {
      #expect(lines.contains { $0.trimmingPrefix(" ") == line }, "\(line) in \(result.output)")
    }
    #expect(!result.output.contains("X-Day") && !result.output.contains("cookie"))
  }

  @Test func aPlanShowsWhatOnlyARunKnowsAsItIsWritten() async {
    let path = folder.write(
      """
      { "inputs": { "prices": { "type": "object", "default": { "a": 1.50 } },
                    "most": { "type": "integer", "default": 2 } },
        "steps": [
          { "id": "p", "forEach": ["a", "b"], "as": "k", "concurrency": "{{inputs.most}}",
            "values": { "price": "$.inputs.prices[{{k}}]" } },
          { "id": "list", "endpoint": "GET https://h.example/a", "extract": { "n": "$.d[*].n" },
            "paginate": { "page": "page", "by": 5, "items": "$.d" } },
          { "id": "v", "values": { "one": 1, "sum": { "$sum": "$.list.n" } } }],
        "outputs": { "p": "$.p[*].price", "v": "{{v}}" } }
      """, to: "known.json")
    let result = await pipeline(["plan", path])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("p  for each of 2 items as k, at most 2 at once"))
    #expect(result.output.contains("value  price = \"$.inputs.prices[{{k}}]\""))
    #expect(
      result.output.contains(
        "pages  by number in 'page', from 1, 5 together, until $.d is short, at most 1,000"))
    #expect(result.output.contains("v  \"{{v}}\""), "\(result.output)")
  }

  @Test func aPlanOfWrongInputsIsRefused() async {
    let result = await pipeline(["plan", file(), "--set", "page=two", "--set", "nothing=1"])
    #expect(result.status == .invalid && result.output.isEmpty)
    #expect(result.error.contains("input 'nothing' does not exist"))
    #expect(result.error.contains("input 'page' must be a whole number"))
  }

  @Test func aBrokenWorkflowIsNotDrawn() async {
    let path = folder.write("{ \"steps\": [{ \"id\": \"a\" }] }", to: "a.json")
    for command in ["plan", "graph"] {
      let result = await pipeline([command, path])
      #expect(result.status == .invalid && result.output.isEmpty)
      #expect(
        result.error.contains(
          "a.json cannot be \(command == "plan" ? "planned" : "drawn"): 1 error"))
    }
  }

  @Test func thePlanSaysThatAFollowerNeedsAllItems() async throws {
    func plan(_ keys: String) async throws -> String {
      let text = """
        {"steps": [
          {"id": "e", "forEach": [1, 2], \(keys) "endpoint": "GET https://api.example/{{item}}"},
          {"id": "after", "dependsOn": ["e"], "endpoint": "GET https://api.example/x"}]}
        """
      return await pipeline(["plan", folder.write(text, to: "collect.json")]).output
    }
    let collecting = try await plan(#""onItemError": "collect","#)
    #expect(collecting.contains("after  e: dependsOn (3:33), if no item failed\n"))
    #expect(collecting.contains("on error: the other items go on, and the run fails at its end\n"))
    for keys in ["", #""onError": "recover","#] {
      #expect(try await plan(keys).contains("after  e: dependsOn (3:33)\n"))
    }
  }

  @Test func everySampleIsDrawnAndPlanned() async throws {
    let samples = Conformance.packageRoot + "/workflows"
    for name in try FileSystem.system.names(samples)
    where name.hasSuffix(".json") && !name.hasSuffix(".test.json") {
      for arguments in [["plan"], ["graph", "--format", "svg"], ["graph", "--format", "text"]] {
        let result = await pipeline(arguments + [samples + "/" + name])
        #expect(result.status == .success, "\(name): \(result.error)")
      }
    }
  }

  @Test func theDrawingHoldsEveryStepAndHidesNone() throws {
    let linted = Linter().lint(SourceFile(name: "orders.json", bytes: Array(Self.text.utf8)))
    let plan = try #require(linted.plan)
    let graph = WorkflowGraph(plan)
    #expect(graph.stepCount == 5)
    #expect(graph.stages == [0, 1, 1, 2, 3])
    #expect(graph.edges.filter(\.isImplied).map { [$0.from, $0.to] } == [[0, 3]])
    for flow in [GraphPicture.Flow.down, .right] {
      let picture = GraphPicture(graph, flow)
      #expect(picture.boxes.count == 7)
      for box in picture.boxes {
        #expect(box.x >= 0 && box.x + box.width <= picture.width)
        #expect(box.y >= 0 && box.y + box.height <= picture.height)
      }
      let group = try #require(picture.boxes.first { $0.node.kind == .block })
      for box in picture.boxes where box.depth == 1 {
        #expect(box.x > group.x && box.x + box.width < group.x + group.width)
        #expect(box.y > group.y && box.y + box.height < group.y + group.height)
      }
    }
  }
}

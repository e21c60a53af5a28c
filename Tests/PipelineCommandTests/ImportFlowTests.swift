import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Ten flows of the sandbox, recorded in Chromium by `Tests/Distribution/flows`, against the edges
/// that their scripts have.
struct ImportFlowTests {
  private let folder = TemporaryFolder()

  private struct Edge: Hashable, CustomStringConvertible {
    let consumer: String
    let producer: String
    var description: String { "\(consumer) <- \(producer)" }
  }

  private static let flows = Conformance.packageRoot + "/Tests/Flows/"

  private func parse(_ path: String) throws -> JSONNode {
    try JSONDocument.parse(try #require(readFile(path))).root
  }

  @Test func theGraphsOfRecordedFlowsAreFound() async throws {
    let known = try parse(Self.flows + "edges.json")
    var table = ""
    var found = 0, right = 0, expected = 0, recalled = 0, requests = 0, proved = 0, fresh = 0
    var recorded = 0.0, critical = 0.0
    for flow in known.members {
      let path = Self.flows + flow.name + ".har"
      let result = await pipeline(["import", "--format", "json", path])
      try #require(result.status == .success, "\(flow.name): \(result.error)")
      let report = try JSONDocument.parse(Array(result.output.utf8)).root
      let entries = try #require(try parse(path)["log"]?["entries"]).elements.map(Self.name)
      var edges: Set<Edge> = []
      for edge in report["edges"]?.elements.map({ $0 }) ?? [] {
        guard edge["kept"]?.boolean == true, let to = Int(edge["entry"]?.text ?? ""),
          let from = Int(edge["fromEntry"]?.text ?? "")
        else { continue }
        edges.insert(Edge(consumer: entries[to], producer: entries[from]))
      }
      let truth = flow.value.elements.map { pair in
        (pair[0]?.string ?? "", Set((pair[1]?.string ?? "").split(separator: "|").map(String.init)))
      }
      func isTrue(_ edge: Edge) -> Bool {
        truth.contains { $0.0 == edge.consumer && $0.1.contains(edge.producer) }
      }
      let missing = truth.filter { consumer, producers in
        !edges.contains { $0.consumer == consumer && producers.contains($0.producer) }
      }
      found += edges.count
      right += edges.count(where: isTrue)
      expected += truth.count
      recalled += truth.count - missing.count
      requests += Int(report["proof"]?["requests"]?.text ?? "") ?? 0
      proved += Int(report["proof"]?["asRecorded"]?.text ?? "") ?? 0
      let all = report["proof"]?["requests"]?.text ?? ""
      fresh += Int(report["proof"]?["withFreshValues"]?.text ?? all) ?? 0
      recorded += Double(report["seconds"]?["recorded"]?.text ?? "") ?? 0
      critical += Double(report["seconds"]?["critical"]?.text ?? "") ?? 0
      let steps = report["workflow"]?["steps"]?.count ?? 0
      table +=
        "\(flow.name): \(truth.count - missing.count) of \(truth.count) edges, \(steps) steps\n"
      for edge in missing { table += "  lacks \(edge.0) <- \(edge.1.sorted())\n" }
      for edge in edges.filter({ !isTrue($0) }).map(\.description).sorted() {
        table += "  invents \(edge)\n"
      }
      let plain = await pipeline(["import", path])
      let target = folder.write(plain.output, to: flow.name + ".json")
      #expect(await pipeline(["lint", target]).status == .success, "\(flow.name)")
    }
    table += "all: recall \(recalled) of \(expected), precision \(right) of \(found);"
    table += " replay \(proved) of \(requests), with fresh values \(fresh) of \(requests)\n"
    table += "recall \(100 * recalled / expected) %, precision \(100 * right / found) %\n"
    try #require(recorded > 0)
    let percent = Int((100 * (1 - critical / recorded)).rounded())
    table += "as the values allow, all take \(percent) % less time than one after another\n"
    #expect(recalled * 100 >= expected * 95, "\(table)")
    #expect(right * 100 >= found * 98, "\(table)")
    #expect(proved == requests, "\(table)")
    #expect(fresh == requests, "\(table)")
    expectSnapshot(table, "import-flows.txt")
  }

  /// `GET /jobs/*` of an entry: a segment with a digit is a star.
  private static func name(_ entry: JSONNode) -> String {
    let url = entry["request"]?["url"]?.string ?? ""
    let path = url.split(separator: "?")[0].split(separator: "/").dropFirst(2).map { segment in
      segment.contains { $0.isNumber } ? "*" : String(segment)
    }
    return (entry["request"]?["method"]?.string ?? "") + " /" + path.joined(separator: "/")
  }
}

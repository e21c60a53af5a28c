@testable import PipelineLanguage
@testable import PipelineLint
@testable import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// Which steps follow which, asked in bulk, and the rule that asks.
@Suite struct UnorderedWritesTests {
  @Test(arguments: 1...60)
  func waysAreFoundAsByWalkingThemAll(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...90, using: &random)
    // Written in any order, now and then in a circle.
    let names = (0..<count).shuffled(using: &random)
    var edges: [Graph.Link] = []
    for to in 1..<max(count, 2) where count > 1 {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let from = Int.random(in: max(0, to - 9)..<to, using: &random)
        edges.append((names[from], names[to]))
      }
    }
    if seed.isMultiple(of: 5), count > 1 {
      edges.append((names[count - 1], names[0]))
    }
    edges.sort { $0.to < $1.to }
    let graph = Graph(stepCount: count, links: edges)
    let reachability = Reachability(graph)
    #expect(Set(reachability.places).count == count)
    let pairs = (0..<count).flatMap { from in (0..<count).map { (from: from, to: $0) } }
      .filter { reachability.places[$0.from] < reachability.places[$0.to] }
      .shuffled(using: &random)
    let answers = reachability.areOrdered(pairs)
    // In a circle every order is as good as another: nothing is promised.
    guard graph.topologicalOrder.count == count else { return }
    for edge in edges { #expect(reachability.places[edge.from] < reachability.places[edge.to]) }
    for (pair, answer) in zip(pairs, answers) {
      #expect(answer == Self.isReached(pair.to, from: pair.from, edges), "\(pair)")
    }
  }

  private static func isReached(_ to: Int, from: Int, _ edges: [Graph.Link]) -> Bool {
    var reached: Set<Int> = [from]
    var grows = true
    while grows {
      grows = false
      for edge in edges where reached.contains(edge.from) && reached.insert(edge.to).inserted {
        grows = true
      }
    }
    return reached.contains(to)
  }

  private struct Write {
    var address: String
    var isConditional: Bool
    var dependencies: [Int]

    func collides(with other: Write) -> Bool {
      !(isConditional && other.isConditional)
        && (address == other.address || address.hasPrefix(other.address + "/")
          || other.address.hasPrefix(address + "/"))
    }
  }

  /// A file has a finding exactly where two of its steps collide in no order, and each finding is of two
  /// that do.
  @Test(arguments: 1...120)
  func theRuleFindsWhatComparingAllPairsFinds(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let addresses = ["https://a.example/x", "https://a.example/x/1", "https://a.example/x/1/f"]
    let likelihood = [0.1, 0.5, 0.9].randomElement(using: &random) ?? 0.5
    let writes = (0..<Int.random(in: 2...9, using: &random)).map { number in
      Write(
        address: addresses[Int.random(in: 0..<3, using: &random)],
        // A writer below with a condition beside one above with none is compared with the last alone.
        isConditional: seed.isMultiple(of: 2) && Int.random(in: 0..<3, using: &random) == 0,
        dependencies: (0..<number).filter { _ in
          Double.random(in: 0..<1, using: &random) < likelihood
        })
    }
    let steps = writes.enumerated().map { number, write in
      let names = write.dependencies.map { "\"s\($0)\"" }.joined(separator: ", ")
      let condition = write.isConditional ? "\"when\": \"$.inputs.n > \(number)\", " : ""
      return "{ \"id\": \"s\(number)\", \(condition)\"dependsOn\": [\(names)], "
        + "\"endpoint\": \"PUT \(write.address)\" }"
    }
    let text =
      "{ \"inputs\": { \"n\": { \"type\": \"integer\" } }, \"steps\": [\(steps.joined(separator: ", "))] }"
    let file = SourceFile(name: "file.json", bytes: Array(text.utf8))
    let found = Linter().lint(file).diagnostics.filter { $0.code == "unordered-writes" }
    let edges = writes.enumerated().flatMap { to, write in
      write.dependencies.map { (from: $0, to: to) }
    }
    let colliding = writes.indices.filter { second in
      (0..<second).contains {
        writes[second].collides(with: writes[$0]) && !Self.isReached(second, from: $0, edges)
      }
    }
    #expect(found.isEmpty == colliding.isEmpty, "\(text)\n\(found.map(\.message))")
    for finding in found {
      let ranges = [finding.range] + finding.related.map(\.range)
      let names = ranges.map {
        String(decoding: file.bytes[$0].filter { $0 != 0x22 }, as: UTF8.self)
      }
      let numbers = try names.map { try #require(Int($0.dropFirst())) }
      #expect(writes[numbers[0]].collides(with: writes[numbers[1]]))
      #expect(!Self.isReached(numbers[0], from: numbers[1], edges))
    }
  }

  /// However large the file and however far apart the two are.
  @Test func noPairIsTooFarAway() {
    let count = 3_000
    var steps = ["{ \"id\": \"first\", \"endpoint\": \"PUT https://a.example/x\" }"]
    for number in 0..<count {
      let before = number == 0 ? [] : [number - 1] + (number > 9 ? [number - 9] : [])
      let names = before.map { "\"w\($0)\"" }.joined(separator: ", ")
      steps.append(
        "{ \"id\": \"w\(number)\", \"dependsOn\": [\(names)], \"endpoint\": \"PUT https://a.example/w/\(number)\" }"
      )
    }
    steps.append(
      "{ \"id\": \"last\", \"dependsOn\": [\"w\(count - 1)\"], \"endpoint\": \"DELETE https://a.example/x\" }"
    )
    let text = "{ \"steps\": [\(steps.joined(separator: ", "))] }"
    let found = Linter().lint(SourceFile(name: "file.json", bytes: Array(text.utf8))).diagnostics
      .filter { $0.code == "unordered-writes" }
    #expect(found.count == 1 && found[0].message.hasPrefix("'first' and 'last' both change"))
  }
}

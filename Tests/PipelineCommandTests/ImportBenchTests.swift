import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// How well the import finds the graph of a recorded flow: the samples' own recordings, without
/// what says which step asked, against the graph that the sample declares.
struct ImportBenchTests {
  private let folder = TemporaryFolder()

  /// Recorded flows in which values of responses are sent again and are not hidden.
  private static let flows = [
    "accounts", "album", "banking", "chunks", "etags", "images", "job", "overview", "pages-cursor",
    "stock", "texts", "transfer", "users",
  ]

  private struct Pair: Hashable, CustomStringConvertible {
    let consumer: String
    let producer: String
    var description: String { "\(consumer) <- \(producer)" }
  }

  @Test func theGraphsOfTheSamplesAreFound() async throws {
    var table = ""
    var found = 0, right = 0, expected = 0, recalled = 0
    for name in Self.flows {
      let root = Conformance.packageRoot + "/workflows/"
      let workflow = try parse(root + name + ".json")
      let recording = try parse(root + "tests/recordings/" + name + ".har")
      let (path, steps) = try flow(recording, workflow, name)
      let result = await pipeline(["import", "--format", "json", "--partial", path])
      try #require(result.status == .success, "\(name): \(result.error)")
      let report = try JSONDocument.parse(Array(result.output.utf8)).root
      let truth = Self.reads(workflow, steps)
      var pairs: Set<Pair> = []
      for edge in report["edges"]?.elements.map({ $0 }) ?? [] {
        guard edge["kept"]?.boolean == true, let to = Int(edge["entry"]?.text ?? ""),
          let from = Int(edge["fromEntry"]?.text ?? ""), steps[to] != steps[from]
        else { continue }
        pairs.insert(Pair(consumer: steps[to], producer: steps[from]))
      }
      found += pairs.count
      expected += truth.count
      right += pairs.intersection(truth).count
      recalled += truth.intersection(pairs).count
      let requests = report["proof"]?["requests"]?.text ?? ""
      let equal = report["proof"]?["asRecorded"]?.text ?? ""
      let fresh = report["proof"]?["withFreshValues"]?.text ?? "-"
      table +=
        "\(name): \(pairs.intersection(truth).count) of \(truth.count) edges,"
        + " \(pairs.subtracting(truth).count) others; replay \(equal) of \(requests),"
        + " fresh \(fresh)\n"
      for pair in truth.subtracting(pairs).map(\.description).sorted() {
        table += "  lacks \(pair)\n"
      }
      for pair in pairs.subtracting(truth).map(\.description).sorted() {
        table += "  invents \(pair)\n"
      }
    }
    table += "all: recall \(recalled) of \(expected), precision \(right) of \(found)\n"
    #expect(recalled * 100 >= expected * 95, "\(table)")
    #expect(right * 100 >= found * 98, "\(table)")
    expectSnapshot(table, "import-bench.txt")
  }

  private func parse(_ path: String) throws -> JSONNode {
    try JSONDocument.parse(try #require(readFile(path))).root
  }

  /// The recording as another tool would have made it: in the order of the steps, without the names
  /// of the steps.
  private func flow(
    _ recording: JSONNode, _ workflow: JSONNode, _ name: String
  ) throws -> (path: String, steps: [String]) {
    let order = Self.steps(workflow["steps"]) + Self.steps(workflow["finally"])
    let entries = try #require(recording["log"]?["entries"]).elements.map { $0 }
    func key(_ entry: JSONNode) -> [Int] {
      let own = entry["_pipeline"]
      let step = own?["step"]?.string ?? ""
      let path = own?["path"]?.elements.compactMap { Int($0.text) } ?? []
      let rest = ["item", "page", "poll", "attempt", "redirect"].map {
        Int(own?[$0]?.text ?? "") ?? 0
      }
      return [order.firstIndex(of: step) ?? -1] + path + rest
    }
    let sorted = entries.sorted { key($0).lexicographicallyPrecedes(key($1)) }
    let log = sorted.map { entry in
      JSONValue.object(
        entry.members.filter { $0.name != "_pipeline" }.map { .init($0.name, JSONValue($0.value)) })
    }
    let text = JSONValue.object([.init("log", .object([.init("entries", .array(log))]))]).node.text
    return (
      folder.write(text, to: name + ".har"), sorted.map { $0["_pipeline"]?["step"]?.string ?? "" }
    )
  }

  /// The ids of steps, those of blocks after the ids around them.
  private static func steps(_ list: JSONNode?, _ prefix: String = "") -> [String] {
    (list?.elements.map { $0 } ?? []).flatMap { step -> [String] in
      let id = prefix + (step["id"]?.string ?? "")
      return [id] + steps(step["steps"], id + ".") + steps(step["choose"], id + ".")
    }
  }

  /// Which steps with requests read which others, also through steps of values.
  private static func reads(_ workflow: JSONNode, _ recorded: [String]) -> Set<Pair> {
    var texts: [String: String] = [:]
    func collect(_ list: JSONNode?, _ prefix: String) {
      for step in list?.elements.map({ $0 }) ?? [] {
        let id = prefix + (step["id"]?.string ?? "")
        // What a block holds is read by the steps in it.
        let own = step.members.filter { !["steps", "choose", "outputs"].contains($0.name) }
        texts[id] = own.map { $0.value.text }.joined(separator: " ")
        collect(step["steps"], id + ".")
        collect(step["choose"], id + ".")
      }
    }
    collect(workflow["steps"], "")
    collect(workflow["finally"], "")
    func origins(_ id: String, _ seen: Set<String>) -> Set<String> {
      var found: Set<String> = []
      var readers = [id]
      // The items of a block are items of the steps in it.
      if let dot = id.lastIndex(of: ".") { readers.append(String(id[..<dot])) }
      for reader in readers {
        for other in texts.keys where other != id && !seen.contains(other) {
          let name = other.split(separator: ".").last.map(String.init) ?? other
          let text = texts[reader] ?? ""
          guard
            ["{{\(name).", "{{\(name)[", "$.\(name).", "$.\(name)["].contains(where: text.contains)
          else { continue }
          if recorded.contains(other) {
            found.insert(other)
          } else {
            found.formUnion(origins(other, seen.union([other])))
          }
        }
      }
      return found
    }
    var pairs: Set<Pair> = []
    for id in texts.keys where recorded.contains(id) {
      for other in origins(id, [id]) { pairs.insert(Pair(consumer: id, producer: other)) }
    }
    return pairs
  }
}

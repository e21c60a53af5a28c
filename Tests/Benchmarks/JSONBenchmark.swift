import Foundation
import PipelineJSONPaths
import PipelineJSONText
import PipelineTestSupport

/// Parsing and extracting, beside Foundation and simdjson. Every way must come to the same number.
struct JSONBenchmark {
  let rounds: Int
  private let simdjson = Simdjson()

  init(rounds: Int) { self.rounds = rounds }

  func run() {
    print("medians of \(rounds) rounds; \(simdjson?.description ?? "simdjson is not installed")")
    print("× is how much longer than JSONText it takes")
    report(on: "users", UserRecords.json(atLeast: 20_000_000), .users)
    for (name, extraction) in Extraction.ofFiles {
      guard let bytes = Conformance.read("json-benchmark-data/data/\(name).json") else {
        print("\n\(name): not measured, there are no conformance files")
        continue
      }
      report(on: name, bytes, extraction)
    }
    let response = UserRecords.response
    var parsing = parsing(response, .response)
    // It parses nothing without taking something out.
    let data = Data(response)
    parsing.enter("JSONDecoder, typed") { Extraction.response.decoded(data) == nil ? -1 : 1 }
    parsing.report("response, \(response.count) bytes: parse")
    extracting(response, .response).report(
      "response, \(response.count) bytes: parse, \(Extraction.response.query)")
    reportAllocations(response)
  }

  private func report(on name: String, _ bytes: [UInt8], _ extraction: Extraction) {
    parsing(bytes, extraction).report("\(name), \(bytes.count) bytes: parse")
    extracting(bytes, extraction).report("\(name): parse, \(extraction.query)")
    filtering(bytes, extraction).report("\(name): parse, \(extraction.filter)")
    if let tape = try? JSONDocument.parse(bytes).tape {
      let ratio = Double(tape.capacity * MemoryLayout<UInt64>.stride) / Double(bytes.count)
      print("\n\(name): the tape takes \(String(format: "%.2f", ratio)) × the text")
    }
  }

  private func parsing(_ bytes: [UInt8], _ extraction: Extraction) -> Contest {
    let data = Data(bytes)
    var contest = Contest(byteCount: bytes.count, rounds: rounds)
    contest.enter("JSONText") { (try? JSONDocument.parse(bytes)) == nil ? -1 : 1 }
    contest.enter("JSONSerialization") {
      (try? JSONSerialization.jsonObject(with: data)) == nil ? -1 : 1
    }
    if let text = simdjson?.text(bytes) {
      contest.enter("simdjson, parser reused") { text.parseReused() < 0 ? -1 : 1 }
      contest.enter("simdjson, own parser") { text.parseFresh() < 0 ? -1 : 1 }
    }
    return contest
  }

  private func extracting(_ bytes: [UInt8], _ extraction: Extraction) -> Contest {
    let data = Data(bytes)
    var contest = Contest(byteCount: bytes.count, rounds: rounds)
    let query = Self.parsed(extraction.query)
    contest.enter("JSONText, JSONPaths") {
      guard let document = try? JSONDocument.parse(bytes) else { return -1 }
      return Self.result(of: extraction, query, in: document)
    }
    contest.enter("JSONDecoder, typed") { extraction.decoded(data) ?? -1 }
    contest.enter("JSONSerialization") {
      (try? JSONSerialization.jsonObject(with: data)).flatMap(extraction.picked) ?? -1
    }
    if let list = extraction.list, let text = simdjson?.text(bytes) {
      contest.enter("simdjson, own parser") { text.sumOfIDs(in: list) }
    }
    return contest
  }

  /// As an extractor of a step takes it: a singular query for its one node, others for all of theirs.
  private static func result(
    of extraction: Extraction, _ query: Query, in document: JSONDocument
  ) -> Int {
    let context = QueryContext(document.root)
    func integer(_ node: JSONNode) -> Int { document.shortInteger(at: node.index) ?? 0 }
    if query.isSingular { return query.first(in: context).map(integer) ?? -1 }
    let nodes = query.nodes(in: context)
    switch extraction.result {
    case .count: return nodes.count
    case .sumOfIntegers: return nodes.reduce(0) { $0 &+ integer($1) }
    }
  }

  private func filtering(_ bytes: [UInt8], _ extraction: Extraction) -> Contest {
    let data = Data(bytes)
    var contest = Contest(byteCount: bytes.count, rounds: rounds)
    let query = Self.parsed(extraction.filter)
    contest.enter("JSONText, JSONPaths") {
      guard let document = try? JSONDocument.parse(bytes) else { return -1 }
      return query.nodes(in: QueryContext(document.root)).count
    }
    contest.enter("JSONSerialization") {
      (try? JSONSerialization.jsonObject(with: data)).flatMap(extraction.filtered) ?? -1
    }
    return contest
  }

  private static func parsed(_ text: String) -> Query {
    switch Query.parse(text) {
    case .success(let query): return query
    case .failure(let problem): preconditionFailure("\(text): \(problem.message)")
    }
  }

  private func reportAllocations(_ bytes: [UInt8]) {
    let parsing = AllocationCount.during {
      sink((try? JSONDocument.parse(bytes))?.root.index ?? 0)
    }
    let query = Self.parsed(Extraction.response.query)
    let document = try? JSONDocument.parse(bytes)
    let extracting = AllocationCount.during {
      if let document { sink(Self.result(of: .response, query, in: document)) }
    }
    func text(_ count: Int?) -> String { count.map { "\($0)" } ?? "not counted on this platform" }
    print("\nallocations, parsing that response: \(text(parsing))")
    print("allocations, \(query.text) of it: \(text(extracting))")
  }
}

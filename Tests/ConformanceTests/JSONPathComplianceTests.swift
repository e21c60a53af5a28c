import PipelineJSONPaths
import PipelineJSONText
import PipelineTestSupport
import Testing

/// The JSONPath Compliance Test Suite, whole.
///
/// Skipped where the suite is not on this machine: it is found in `$CONFORMANCE_DIR` or in
/// `../shared/conformance` and is never part of this repository.
@Suite(.enabled(if: Conformance.directory != nil, "the conformance suites are not here"))
struct JSONPathComplianceTests {
  /// How many cases the suite has: fewer would mean that some were not run.
  static let count = 703

  @Test func everyCaseOfTheSuitePasses() throws {
    let bytes = try #require(Conformance.read("jsonpath-cts/cts.json"))
    let suite = try JSONDocument.parse(bytes)
    let cases = try #require(suite.root["tests"]).elements.map(ComplianceCase.init)
    #expect(cases.count == Self.count)
    let failures = cases.compactMap { $0.failure }
    for failure in failures { Issue.record("\(failure)") }
    #expect(failures.isEmpty, "\(cases.count - failures.count) of \(cases.count) pass")
  }
}

/// One case: a selector, and either what it selects from a document or that it is no query.
struct ComplianceCase {
  let test: JSONNode

  init(_ test: JSONNode) { self.test = test }

  private var name: String { test["name"]?.string ?? "?" }
  private var selector: String { test["selector"]?.string ?? "" }

  /// What went wrong; `nil` where the case passes.
  var failure: String? {
    let parsed = Query.parse(selector)
    if test["invalid_selector"]?.boolean == true {
      guard case .success = parsed else { return nil }
      return "\(name): '\(selector)' should be refused"
    }
    guard let document = test["document"] else { return "\(name): no document" }
    switch parsed {
    case .failure(let problem):
      return "\(name): '\(selector)' is refused: \(problem.message) \(problem.range)"
    case .success(let query): return failure(of: query, on: document)
    }
  }

  /// The document is a part of the suite's own: a query's root need not be a document's.
  private func failure(of query: Query, on document: JSONNode) -> String? {
    let context = QueryContext(document)
    let nodes = query.nodes(in: context)
    let located = query.located(in: context)
    let results = alternatives("result", "results")
    guard
      let match = results.firstIndex(where: { expected in
        expected.count == nodes.count && zip(expected, nodes).allSatisfy { $0.isEqual(to: $1) }
      })
    else { return "\(name): '\(selector)' selects \(nodes.map(\.text))" }
    let paths = alternatives("result_paths", "results_paths")[match].map { $0.string ?? "" }
    guard paths == located.map(\.path) else {
      return "\(name): '\(selector)' has the paths \(located.map(\.path)), not \(paths)"
    }
    guard located.map(\.node.index) == nodes.map(\.index) else {
      return "\(name): located nodes are not the nodes"
    }
    guard query.first(in: context)?.index == nodes.first?.index else {
      return "\(name): the first node is not the first of the nodes"
    }
    return nil
  }

  /// Where the order of members leaves several results, all of them.
  private func alternatives(_ one: String, _ many: String) -> [[JSONNode]] {
    if let only = test[one] { return [Array(only.elements)] }
    return test[many]?.elements.map { Array($0.elements) } ?? []
  }
}

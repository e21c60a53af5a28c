import PipelineJSONText
import Testing

@testable import PipelineJSONPaths

/// What evaluating takes, counted and not timed.
struct CostTests {
  private func rows(_ count: Int) throws -> JSONNode {
    let rows = (0..<count).map { #"{"id":\#($0),"name":"n\#($0 % 3)","tags":["a","b","c"]}"# }
    return try JSONDocument.parse(Array("[\(rows.joined(separator: ","))]".utf8)).root
  }

  /// How many nodes the filters of a query judge.
  private func judged(_ text: String, in root: JSONNode) throws -> Int {
    let query = try Query.parse(text).get()
    var evaluation = Evaluation(QueryContext(root))
    _ = evaluation.nodes(of: query, limit: .max)
    return evaluation.judgedCount
  }

  @Test(arguments: [
    ("$[?@.id > 10]", 1), ("$[?@.name == 'n1' && @.id != 4]", 1), ("$[?@.tags]", 1),
    ("$[?!@.none || @.id < 3].name", 1), ("$[?count(@.tags[*]) > 2]", 1),
    ("$[?match(@.name, 'n[12]')]", 1), ("$[?@.name == $[0].name]", 1),
    ("$[*].tags[?@ == 'b']", 3), ("$[?count(@.tags[?@ != 'a']) > 1]", 4),
    ("$[?@.tags[?@ == 'c']].id", 4), ("$[?@.tags[?@ == 'a']].id", 2),
  ])
  func aFilterJudgesEachNodeOnce(_ query: String, _ perRow: Int) throws {
    for count in [10, 100, 1000] {
      #expect(try judged(query, in: rows(count)) == count * perRow)
    }
  }

  /// `$` in a filter is the same for every node: its own filter judges once.
  @Test func anAbsoluteQueryInAFilterAddsToTheCostAndDoesNotMultiplyIt() throws {
    for count in [10, 100, 1000] {
      #expect(try judged("$[?count($[?@.id < 5]) == 5]", in: rows(count)) == count * 2)
    }
  }

  /// A part that is the same for every node is computed for the first one only.
  @Test(arguments: [
    ("$.rows[?length($.outer) > 3]", 2), ("$.rows[?length($.outer) > 3 && @.id < 5]", 2),
    ("$.rows[?@.id < length($.outer)]", 1), ("$.rows[?match($.text, 'a+') || @.id]", 1),
    ("$.rows[?$.outer == $.rows]", 1), ("$.rows[?@.id < 5]", 0),
    ("$.rows[?@.tags[?length($.outer) > 5]]", 2),
  ])
  func aPartWithoutANodeIsComputedOnce(_ text: String, _ count: Int) throws {
    for size in [10, 100, 1000] {
      let rows = try rows(size).text
      let root = try JSONDocument.parse(
        Array(#"{"outer": \#(rows), "text": "aaa", "rows": \#(rows)}"#.utf8)
      ).root
      let query = try Query.parse(text).get()
      var evaluation = Evaluation(QueryContext(root))
      _ = evaluation.nodes(of: query, limit: .max)
      #expect(evaluation.computedCount == count)
    }
  }

  @Test func aFilterStopsWhereOneNodeIsEnough() throws {
    let query = try Query.parse("$[?@.id > 10]").get()
    var evaluation = Evaluation(QueryContext(try rows(1000)))
    #expect(evaluation.nodes(of: query, limit: 1).count == 1)
    #expect(evaluation.judgedCount == 12)
  }

  /// Comparing recurses as deep as values nest, and no value nests deeper than a parser lets it.
  @Test func theDeepestValuesAreComparedAndWalked() throws {
    let depth = 1024
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let pair = Array(
      #"{"a":\#(text.dropFirst(2).dropLast(2)),"b":\#(text.dropFirst(2).dropLast(2))}"#.utf8)
    let root = try JSONDocument.parse(
      Array("[\(String(decoding: pair, as: UTF8.self))]".utf8), depthLimit: depth
    ).root
    let context = QueryContext(root)
    #expect(try Query.parse("$[?@.a == @.b]").get().nodes(in: context).count == 1)
    #expect(try Query.parse("$..[?@ == 1]").get().nodes(in: context).isEmpty)
    #expect(try Query.parse("$..*").get().nodes(in: context).count == 2 * (depth - 2) + 1)
  }
}

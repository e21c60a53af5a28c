import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineJSONPaths

/// A filter that compares a member with a value finds by an index what it would find by a walk.
@Suite struct LookupTests {
  /// Values of which many are equal, and are not written alike.
  private static let values = [
    "1", "1.0", "1e0", "10e-1", "2", "0", "-0", "0.10", "0.1", "9007199254740993",
    "9007199254740992", "123456789012345678901234567890", "123456789012345678901234567890.0",
    "123456789012345678901234567891", "1e400", "null", "true", "false", "\"1\"", "\"\"", "\"a\"",
    #""\u0061""#, "\"\u{E9}\"", "\"e\u{301}\"", #""\u00e9""#, #""a\"b""#, "\"𝄞\"",
    #""\ud834\udd1e""#, "[]", "{}", "[1,2]", "[1.0,2e0]", #"{"a":1,"b":2}"#,
    #"{"b":2.0,"a":1}"#, #"{"a":1,"a":2}"#, #"{"a":1}"#,
  ]

  static let queries = [
    "$[?@.id == {{x}}]", "$[?{{x}} == @.id]", "$[?@.id == {{x}}].n", "$[?@ == {{x}}]",
    "$[?@.id == {{x}} && @.n > 20]", "$[?@.n > 20 && {{y}} == @.a.b && @.id == {{x}}]",
    "$[?@.id == {{x}} || @.a.b == {{y}}]", "$[?@.id == {{x}} || @.n == 3]",
    "$[?(@.id == {{x}} || @.a.b == {{y}}) && @.k[0] == {{x}}]", "$[?@.a.b == {{x}}]",
    "$[?@['id'] == {{x}}]", "$[?@.k[0] == {{x}}]", "$[?@.k[-1] == {{x}}]", "$[?@.k == {{x}}]",
    "$[?!(@.id == {{x}})].n", "$[?@.id != {{x}}].n", "$[?@.id == $[3].id]",
    "$[?@.id == length({{y}})]", "$[?@.id == count($[0].k[*])]", "$[?@.id == @.a.b]",
    "$[?@.none == {{x}}].n", "$..[?@.id == {{x}}]", "$[?@['\u{E9}'] == {{x}}]",
    "$[?@['e\u{301}'] == {{x}}]", "$[?@.id == 1].a", "$[?@.id == null].n",
    "$[?@.a[?@ == {{x}}]].n", "$[?@.id == 'a', ?@.a.b == {{x}}]", "$[40:0:-1][?@ == {{x}}]",
  ]

  private func rows(_ generator: inout SeededGenerator) -> String {
    var rows: [String] = []
    for number in 0..<60 {
      func value() -> String { Self.values.randomElement(using: &generator) ?? "0" }
      func member(_ name: String, _ value: String) -> [String] {
        Bool.random(using: &generator) || number % 3 == 0 ? ["\"\(name)\":\(value)"] : []
      }
      let members =
        ["\"n\":\(number)"] + member("id", value()) + member("id", value())
        + member("a", #"{"b":\#(value()),"c":\#(value())}"#)
        + member("k", "[\(value()),\(value())]") + member("\u{E9}", value())
        + member("e\u{301}", value())
      rows.append(number % 10 == 9 ? value() : "{\(members.joined(separator: ","))}")
    }
    // Now and then a container whose children are members.
    return Bool.random(using: &generator)
      ? "[\(rows.joined(separator: ","))]"
      : "{\(rows.enumerated().map { #""m\#($0)":\#($1)"# }.joined(separator: ","))}"
  }

  @Test(arguments: queries) func anIndexFindsWhatAWalkFinds(_ text: String) throws {
    let query = try Query.parse(text, in: .template).get()
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<4 {
      let bytes = Array(rows(&generator).utf8)
      let kept = try JSONDocument.parse(bytes)
      for turn in 0..<40 {
        var bound: [String: JSONNode] = [:]
        for name in ["x", "y"] where Int.random(in: 0..<6, using: &generator) > 0 {
          let value = Self.values.randomElement(using: &generator) ?? "0"
          bound[name] = try JSONDocument.parse(Array(value.utf8)).root
        }
        func found(in document: JSONDocument) -> [Int] {
          let context = QueryContext(root: .node(document.root)) { binding in
            binding.query.firstName.flatMap { bound[$0] }
          }
          let nodes = query.nodes(in: context)
          #expect(query.first(in: context)?.index == nodes.first?.index)
          return nodes.map(\.index)
        }
        // A document that is new has no index.
        let fresh = try JSONDocument.parse(bytes)
        #expect(found(in: kept) == found(in: fresh), "turn \(turn)")
      }
    }
  }

  /// How many nodes filters judge when each of `count` rows is looked up once.
  private func judged(_ text: String, _ count: Int) throws -> Int {
    let rows = (0..<count).map { #"{"id":"k\#($0)","at":{"n":\#($0)},"on":true}"# }
    let root = try JSONDocument.parse(Array("[\(rows.joined(separator: ","))]".utf8)).root
    let query = try Query.parse(text, in: .template).get()
    var judged = 0
    for row in root.elements {
      var evaluation = Evaluation(
        QueryContext(root: .node(root)) { binding in row[binding.query.firstName ?? ""] })
      #expect(evaluation.nodes(of: query, limit: .max).map(\.index) == [row.index])
      judged += evaluation.judgedCount
    }
    return judged
  }

  @Test(arguments: [
    "$[?@.id == {{id}}]", "$[?{{id}} == @.id]", "$[?@.on == true && @.id == {{id}}]",
    "$[?@.at == {{at}}]", "$[?@.id == {{id}} || @.at == {{at}}]",
    "$[?@.at.n >= 0 && (@.id == {{id}} && @.on == {{on}})]",
  ])
  func lookingUpEachRowCostsAFewWalks(_ query: String) throws {
    // Two walks until there is an index of each part, then next to nothing.
    for count in [100, 1000] { #expect(try judged(query, count) < 8 * count) }
  }

  @Test func theIndexesOfADocumentHoldLittle() throws {
    let rows = (0..<100).map { row in
      "{" + (0..<40).map { #""m\#($0)":\#(row)"# }.joined(separator: ",") + "}"
    }
    let document = try JSONDocument.parse(Array("[\(rows.joined(separator: ","))]".utf8))
    let context = QueryContext(document.root)
    for turn in 0..<3 {
      for member in 0..<40 {
        let query = try Query.parse("$[?@.m\(member) == \(turn)]").get()
        #expect(query.nodes(in: context).count == 1)
      }
      // What it takes to look for thousands of paths is bounded too.
      for path in 0..<300 {
        let query = try Query.parse("$[?@.none\(path) == 1]").get()
        #expect(query.nodes(in: context).isEmpty)
      }
    }
    #expect(document.bytesOfIndexes <= 16 * document.tape.count)
  }
}

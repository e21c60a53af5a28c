import PipelineJSONPaths
import PipelineJSONText
import Testing

@Suite struct QueryParsingTests {
  private func parse(_ text: String, in mode: Query.Mode = .standard) throws -> Query {
    try Query.parse(text, in: mode).get()
  }

  @Test func everySegmentAndSelectorKnowsItsPlace() throws {
    let text = "$.käse[0, 'b'] ..[?@.c > 1].*"
    let query = try parse(text)
    #expect(
      query.segments.map { slice(text, $0.range) }
        == [".käse", "[0, 'b']", "..[?@.c > 1]", ".*"])
    #expect(
      query.segments.flatMap(\.selectors).map { slice(text, $0.range) }
        == ["käse", "0", "'b'", "?@.c > 1", "*"])
    #expect(query.segments.map(\.reach) == [.child, .child, .descendant, .child])
  }

  @Test(arguments: [
    ("$", true), ("$.a", true), ("$['a'][0].b", true), ("$[-1]", true), ("$.*", false),
    ("$..a", false), ("$['a','b']", false), ("$[0:1]", false), ("$[?@.a]", false),
  ])
  func singularQueriesAreKnownFromTheText(_ text: String, _ isSingular: Bool) throws {
    #expect(try parse(text).isSingular == isSingular)
  }

  @Test(arguments: [
    ("$.list.ids", ["list"]), ("$['a','b'].x", ["a", "b"]), ("$", []), ("$..x", []), ("$[*]", []),
    ("$['a',0]", []), ("$[?@.a]", []),
  ])
  func firstNamesOfAScopeQueryAreLiteral(_ text: String, _ names: [String]) throws {
    let query = try parse(text)
    #expect(query.firstNames == names)
    #expect(query.firstName == (names.count == 1 ? names[0] : nil))
  }

  @Test func referencesAreAllAbsoluteQueriesAndBindings() throws {
    let text = "$.a[?@.x == $.b.c && count($.d[?@.e == {{f.g}}]) > 1].h"
    let query = try parse(text, in: .template)
    #expect(query.references.map(\.query.firstName) == ["a", "b", "d", "f"])
    #expect(
      query.references.dropFirst().map { slice(text, $0.range) }
        == ["$.b.c", "$.d[?@.e == {{f.g}}]", "{{f.g}}"])
    #expect(query.references.absoluteQueries.map(\.firstName) == ["a", "b", "d"])
    #expect(query.references.filter(\.isBinding).map(\.query.text) == ["f.g"])
    #expect(query.references.filter(\.isBinding).map { slice(text, $0.query.range) } == ["f.g"])
  }

  @Test func comparisonsGiveBothSidesWithTheirPlaces() throws {
    let text = "@.status == 200 || 'a' != length($.x)"
    let condition = try Condition.parse(text).get()
    guard case .or(let parts) = condition.expression, case .comparison(let first) = parts[0],
      case .comparison(let second) = parts[1], case .query(let status) = first.left,
      case .literal(let code) = first.right, case .literal(let letter) = second.left,
      case .function(let call) = second.right
    else {
      Issue.record("parsed as \(condition.expression)")
      return
    }
    #expect(status.isSingular && status.anchor == .current)
    #expect(code.value == .number("200") && code.kind == .number)
    #expect(slice(text, code.range) == "200")
    #expect(letter.value == .string("a"))
    #expect(call.function == .length && slice(text, call.range) == "length($.x)")
    #expect(first.comparator == .equal && slice(text, first.range) == "@.status == 200")
    #expect(slice(text, condition.expression.range) == text)
  }

  @Test func aConditionGivesItsReferencesInTheOrderOfTheText() throws {
    let text = "$.a.b == {{c.d}} && !$.e[?@.f == $.g] || match(@.h, {{i}})"
    let condition = try Condition.parse(text, in: .template).get()
    #expect(condition.references.map(\.query.firstName) == ["a", "c", "e", "g", "i"])
    #expect(
      condition.references.absoluteQueries.map(\.text) == ["$.a.b", "$.e[?@.f == $.g]", "$.g"])
    #expect(
      condition.references.filter(\.isBinding).map { slice(text, $0.range) } == [
        "{{c.d}}", "{{i}}",
      ])
  }

  @Test func partsAreEqualWhenTheySayTheSameAtTheSamePlace() throws {
    let conditions = try ["@.a == 1", "@.a == 1", "@.a == 1.0", "@.a", "match(@.a, 'b')"].map {
      try Condition.parse($0).get()
    }
    #expect(Set(conditions).count == 4)
    #expect(Set(conditions.map(\.expression)).count == 4)
    #expect(conditions.map(\.expression.range) == conditions.map { 0..<$0.text.utf8.count })
  }

  @Test func queriesAreEqualWhenTheirTextsAre() throws {
    #expect(try parse("$.a") == parse("$.a"))
    #expect(try parse("$.a") != parse("$['a']"))
    // Unicode's equivalent spellings are different names.
    #expect(try parse("$.\u{E9}") != parse("$.e\u{301}"))
    #expect(MemberName("\u{E9}") != MemberName("e\u{301}"))
  }

  @Test func aPatternThatIsNoIRegexpIsReportedAtItsPlace() throws {
    let text = #"$[?match(@.a, 'x\\d+')]"#
    let query = try parse(text)
    guard case .filter(.test(.function(let call))) = query.segments[0].selectors[0].kind else {
      Issue.record("parsed as \(query)")
      return
    }
    let problem = try #require(call.patternProblem)
    #expect(slice(text, problem.range) == #"\\d"#)
    #expect(problem.fix == "[0-9]")
    #expect(problem.message.contains("write '[0-9]'"))
    // RFC 9535 §2.4.6: such a call is a valid query that holds for nothing.
    let document = try JSONDocument.parse(Array(#"[{"a":"x1"}]"#.utf8))
    #expect(query.nodes(in: QueryContext(document.root)).isEmpty)
  }
}

import PipelineJSONPaths
import PipelineJSONText
import Testing

@Suite struct TemplateModeTests {
  static let refusals = [
    Refusal("$.a[?@.a == '{{x}}']", "'{{x}}'", "needs no quotes", fix: "{{x}}"),
    Refusal("$.a[?@.a == 'ab {{x}}']", "'ab {{x}}'", "cannot be part of a text"),
    Refusal("$.a[?@.a == '{{{{{{x}}']", "'{{{{{{x}}'", "cannot be part of a text"),
    Refusal("$.a['{{x}}']", "'{{x}}'", "a computed key has no quotes; write [{{x}}]", fix: "{{x}}"),
    Refusal("$.a['b{{x}}']", "'b{{x}}'", "a template cannot be part of a key"),
    Refusal("$.a[{{m[{{k}}]}}]", "{{", "a template cannot hold another"),
    Refusal("$.a[{{m[*]}}]", "[*]", "selects many and a template inserts one value", fix: "[0]"),
    Refusal("$.a[?@.a == {{}}]", "", "the template is empty"),
    Refusal(
      "$.a[?@.a == {{x[*]}}]", "[*]", "selects many and a template inserts one value", fix: "[0]"),
    Refusal("$.a[?@.a == {{x", "{{", "'{{' is not closed"),
    Refusal("$.a[?@.a == {{x|lower}}]", "|", "a template has no filters"),
    Refusal("$.a[?{{x}}]", "{{x}}", "alone is not a test", fix: "{{x}} == true"),
    Refusal("$.a[?@.a == {{+x}}]", "+", "is for URL paths", fix: ""),
    Refusal("$.a[?count({{x}}) == 1]", "{{x}}", "takes a query, not a value"),
    Refusal("$.a[?@.a == {{ $.x }}]", "$.", "drop '$.'", fix: ""),
  ]

  @Test(arguments: [
    Refusal(
      "$.a[?datetime(@.at) > '2026-01-01T00:00:00Z']", "'2026-01-01T00:00:00Z'",
      "'datetime' is compared with 'datetime'", fix: "datetime('2026-01-01T00:00:00Z')"),
    Refusal(
      "$.a[?{{since}} <= datetime(@.at)]", "{{since}}", "'datetime' is compared with 'datetime'",
      fix: "datetime({{since}})"),
    Refusal("$.a[?datetime(@.at) > datetime('now')]", "'now'", "takes a moment such as"),
    Refusal("$.a[?datetime(@.at)]", "datetime(@.at)", ""),
    Refusal("$.a[?date(@.at) > date('x')]", "date", "is written 'datetime'", fix: "datetime"),
  ])
  func whatIsNotAMomentIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text, in: .template))
  }

  @Test(arguments: [
    ("datetime(@.at) >= datetime({{since}})", "[1,2,4]"),
    ("datetime(@.at) < datetime({{since}})", "[3]"),
    ("datetime(@.at) == datetime({{since}})", "[1,2]"),
    ("datetime(@.at) > datetime('2026-01-31T08:00:00.4Z')", "[4]"),
    ("datetime(@.gone) == datetime({{since}})", "[]"),
  ])
  func momentsAreCompared(condition: String, ids: String) throws {
    let body = try JSONDocument.parse(
      Array(
        #"""
        [{"id":1,"at":"2026-01-31T08:00:00Z"},{"id":2,"at":"2026-01-31T09:00:00.000+01:00"},
         {"id":3,"at":"2026-01-31T08:59:59.999+01:00"},{"id":4,"at":"2026-01-31T08:00:00.45Z"},
         {"id":5,"at":"2026-02-30T08:00:00Z"},{"id":6,"at":"2027-01-31"},{"id":7,"at":7}]
        """#.utf8))
    let since = try JSONDocument.parse(Array(#""2026-01-31T10:00:00+02:00""#.utf8))
    let query = try Query.parse("$[?\(condition)].id", in: .template).get()
    let context = QueryContext(root: .node(body.root)) { _ in since.root }
    let found = query.nodes(in: context).map(\.text).joined(separator: ",")
    #expect("[\(found)]" == ids)
  }

  @Test(arguments: [
    ("$[0:{{n}}]", "2", "[0,1]"), ("$[{{n}}:]", "2", "[2,3,4]"), ("$[ {{n}} : 4 ]", "2", "[2,3]"),
    ("$[::{{n}}]", "2", "[0,2,4]"), ("$[{{n}}::-1]", "2", "[2,1,0]"),
    ("$[:{{n}}]", "-2", "[0,1,2]"),
    ("$[{{n}}:{{n}}]", "2", "[]"), ("$[0:{{n}}]", "9007199254740993", "[]"),
    ("$[0:{{n}}]", "99", "[0,1,2,3,4]"), ("$[0:{{n}}]", "1.5", "[]"), ("$[0:{{n}}]", #""2""#, "[]"),
    ("$[0:{{n}}]", "null", "[]"), ("$[0:{{n}},4]", "1", "[0,4]"), ("$[{{n}}]", "3", "[3]"),
  ])
  func aBoundMayBeATemplate(text: String, number: String, wanted: String) throws {
    let list = try JSONDocument.parse(Array("[0,1,2,3,4]".utf8))
    let value = try JSONDocument.parse(Array(number.utf8))
    let query = try Query.parse(text, in: .template).get()
    #expect(query.text == text && !query.references.filter(\.isBinding).isEmpty)
    let context = QueryContext(root: .node(list.root)) { _ in value.root }
    #expect("[\(query.nodes(in: context).map(\.text).joined(separator: ","))]" == wanted)
  }

  @Test(arguments: [
    Refusal("$[0:{{x", "{{", "'{{' is not closed"),
    Refusal("$[0:{{x[*]}}]", "[*]", "selects many and a template inserts one value", fix: "[0]"),
  ])
  func aBoundIsOneValue(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text, in: .template))
  }

  @Test func aQueryWithoutTemplatesHasNoneInItsBounds() {
    guard case .failure = Query.parse("$[0:{{x}}]") else {
      Issue.record("it is parsed")
      return
    }
  }

  @Test(arguments: refusals) func aTemplateOutOfPlaceIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parse(refusal.text, in: .template))
  }

  @Test func aTemplateIsBoundAsAValue() throws {
    let body = try JSONDocument.parse(
      Array(#"{"data":[{"id":1,"name":"a' || true || 'b"},{"id":2,"name":"c"}]}"#.utf8))
    let query = try Query.parse("$.data[?@.name == {{ inputs.name }}].id", in: .template).get()
    func ids(_ name: String) throws -> [String] {
      let scope = try JSONDocument.parse(Array(name.utf8))
      let context = QueryContext(root: .node(body.root)) { _ in scope.root }
      return query.nodes(in: context).map(\.text)
    }
    #expect(try ids(#""c""#) == ["2"])
    // What would be code if it were pasted is a text like any other.
    #expect(try ids(#""a' || true || 'b""#) == ["1"])
    #expect(try ids("7").isEmpty)
  }

  @Test func fourBracesBetweenQuotesAreTwo() throws {
    let body = try JSONDocument.parse(Array(#"[{"a":"{{x}}"},{"a":"{{{{x}}"},{"{{b":1}]"#.utf8))
    func texts(_ query: String, in mode: Query.Mode) throws -> [String] {
      let context = QueryContext(root: .node(body.root)) { _ in nil }
      return try Query.parse(query, in: mode).get().nodes(in: context).map(\.text)
    }
    #expect(try texts("$[?@.a == '{{{{x}}']", in: .template) == [#"{"a":"{{x}}"}"#])
    #expect(try texts("$[?@.a == '{{{{{{{{x}}']", in: .template) == [#"{"a":"{{{{x}}"}"#])
    #expect(try texts("$[*]['{{{{b']", in: .template) == ["1"])
    // RFC 9535 alone has no templates.
    #expect(try texts("$[?@.a == '{{{{x}}']", in: .standard) == [#"{"a":"{{{{x}}"}"#])
  }

  @Test(arguments: [
    ("$.map[{{k}}]", #""b""#, "[2]"), ("$.map[{{k}}]", #""x""#, "[]"), ("$.map[{{k}}]", "1", "[]"),
    ("$.map[{{k}}]", "null", "[]"), ("$.map[{{k}}]", "true", "[]"),
    ("$.map[{{k}}]", "absent", "[]"),
    ("$.list[{{k}}]", "1", "[7]"), ("$.list[{{k}}]", "-1", "[8]"), ("$.list[{{k}}]", "1.0", "[7]"),
    ("$.list[{{k}}]", "0.5", "[]"), ("$.list[{{k}}]", #""1""#, "[]"),
    ("$.list[{{k}}]", "99999999999999999999", "[]"),
    ("$.rows[*][{{k}}].n", #""b""#, "[2,4]"), ("$.rows[?@[{{k}}]].a.n", #""b""#, "[1]"),
    ("$.rows[?@[{{k}}].n == 4].b.n", #""b""#, "[4]"), ("$..[{{k}}]", #""n""#, "[1,2,4]"),
    ("$.map[{{k}}, 'a']", #""b""#, "[2,1]"), ("$.map[ {{ k }} ]", #""é""#, "[3]"),
    ("$[{{k}}][{{k}}]", #""map""#, "[]"), ("$.rows[?@.b.n == $.map[{{k}}]].a.n", #""b""#, "[1]"),
  ])
  func aKeyIsANameOrAnIndexByItsType(query: String, key: String, nodes: String) throws {
    let body = try JSONDocument.parse(
      Array(
        #"""
        {"map": {"a": 1, "b": 2, "é": 3}, "list": [6, 7, 8],
         "rows": [{"a": {"n": 1}, "b": {"n": 2}}, {"b": {"n": 4}}]}
        """#.utf8))
    let value = key == "absent" ? nil : try JSONDocument.parse(Array(key.utf8)).root
    let context = QueryContext(root: .node(body.root)) { _ in value }
    let parsed = try Query.parse(query, in: .template).get()
    let found = parsed.nodes(in: context).map(\.text)
    #expect("[" + found.joined(separator: ",") + "]" == nodes)
    #expect(parsed.first(in: context)?.text == found.first)
    #expect(parsed.located(in: context).map(\.node.text) == found)
    #expect(parsed.references.map(\.query.text).contains("k"))
  }

  @Test func aKeySelectsAtMostOneNode() throws {
    let query = try Query.parse("$.a[{{k}}].b", in: .template).get()
    #expect(query.isSingular && query.hasKey)
    #expect(try !Query.parse("$.a[{{k}}][*]", in: .template).get().isSingular)
  }

  @Test func anAbsentBindingEqualsNothing() throws {
    let body = try JSONDocument.parse(Array(#"[{"a":null},{"b":1}]"#.utf8))
    let query = try Query.parse("$[?@.a == {{x}}]", in: .template).get()
    let context = QueryContext(root: .node(body.root)) { _ in nil }
    #expect(query.nodes(in: context).map(\.text) == [#"{"b":1}"#])
  }

  @Test func aBindingIsResolvedOnceAnEvaluation() throws {
    let body = try JSONDocument.parse(Array("[1,2,3,2]".utf8))
    let two = try JSONDocument.parse(Array("2".utf8))
    let query = try Query.parse("$[?@ == {{x}} || @ == {{x}}]", in: .template).get()
    var asked = 0
    let context = QueryContext(root: .node(body.root)) { _ in
      asked += 1
      return two.root
    }
    #expect(query.nodes(in: context).count == 2)
    #expect(asked == 2, "two bindings stand in the text")
  }

  @Test func aPatternMayBeBound() throws {
    let body = try JSONDocument.parse(Array(#"["ab","b","c"]"#.utf8))
    let query = try Query.parse("$[?search(@, {{pattern}})]", in: .template).get()
    for (pattern, expected) in [(#""b""#, 2), (#""[a-c]+""#, 3), (#""(""#, 0), ("1", 0)] {
      let value = try JSONDocument.parse(Array(pattern.utf8))
      let context = QueryContext(root: .node(body.root)) { _ in value.root }
      #expect(query.nodes(in: context).count == expected, "\(pattern)")
    }
  }
}

@Suite struct ReferenceTests {
  static let refusals = [
    Refusal("", "", "the template is empty"),
    Refusal("  ", "", "the template is empty"),
    Refusal("list.rows[*]", "[*]", "write an index such as '[0]'", fix: "[0]"),
    Refusal("list..x", "..x", "selects many and a template inserts one value"),
    Refusal("list[?@.a]", "[?@.a]", "select it with a query"),
    Refusal("list[1:2]", "[1:2]", "selects many"),
    Refusal("list['a','b']", "['a','b']", "selects many"),
    Refusal("$", "$", "begins with a name, not with '$'"),
    Refusal("x}", "}", "is closed by '}}'"),
    Refusal("$.list", "$.", "drop '$.'", fix: ""),
    Refusal(".x", ".", "drop '.'", fix: ""),
    Refusal("@.x", "@", "begins with a name"),
    Refusal("'a'", "'", "a text needs no template"),
    Refusal("1", "1", "a number needs no template"),
    Refusal("#if x", "#", "'{{#' is not in this language"),
    Refusal("x | upper", "|", "no filters"),
    Refusal("x || y", "||", "give the extractor or input a 'default'"),
    Refusal("x ?? y", "??", "has no default"),
    Refusal("x()", "(", "cannot call functions"),
    Refusal("x + 1", "+", "cannot compute"),
    Refusal("x == 1", "=", "conditions belong in 'when'"),
    Refusal("first-step.id", "first-step", "letters, digits and '_'"),
    Refusal("list.first-name", ".first-name", "write '['first-name']'", fix: "['first-name']"),
    Refusal("x y", "y", "continues with '.', '[' or its end"),
    Refusal("x[i]", "i", "a name in brackets is quoted", fix: "'i'"),
    Refusal("x.0.y", ".0", "an index is written '[0]'", fix: "[0]"),
    Refusal("über", "ü", "not with 'ü'"),
  ]

  @Test(arguments: refusals) func whatIsNoReferenceIsNamed(_ refusal: Refusal) {
    refusal.check(Query.parseReference(refusal.text))
  }

  @Test func aReferenceIsASingularQueryOfTheScope() throws {
    let text = " list.rows[0]['first-name'] "
    let query = try Query.parseReference(text).get()
    #expect(query.isSingular && query.anchor == .root)
    #expect(query.text == "list.rows[0]['first-name']")
    #expect(slice(text, query.range) == query.text)
    #expect(query.firstName == "list")
    #expect(
      query.segments.map { slice(text, $0.range) } == ["list", ".rows", "[0]", "['first-name']"])
  }
}

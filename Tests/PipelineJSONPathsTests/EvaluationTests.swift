import PipelineJSONPaths
import PipelineJSONText
import Testing

@Suite struct EvaluationTests {
  private func select(_ query: String, in text: String) throws -> [String] {
    let document = try JSONDocument.parse(Array(text.utf8))
    return try Query.parse(query).get().nodes(in: QueryContext(document.root)).map(\.text)
  }

  @Test func descendantsComeInTheOrderOfRFC9535() throws {
    let text = #"{"a":[5,3,[{"j":4},{"k":6}]],"o":{"j":1,"k":2}}"#
    #expect(try select("$..j", in: text) == ["4", "1"])
    #expect(
      try select("$..[0]", in: text) == ["5", #"{"j":4}"#])
    #expect(
      try select("$..[0,1]", in: "[[1,2],[3]]") == ["[1,2]", "[3]", "1", "2", "3"])
    #expect(try select("$..a..b", in: #"{"a":{"a":{"b":1}}}"#) == ["1", "1"])
  }

  @Test func numbersCompareByTheirExactValue() throws {
    let text =
      "[1, 1.0, 1e0, 10e-1, 9007199254740993, 9007199254740992, 0.1000000000000000000000000001, 0.1]"
    #expect(try select("$[?@ == 1]", in: text) == ["1", "1.0", "1e0", "10e-1"])
    #expect(try select("$[?@ == 9007199254740993]", in: text) == ["9007199254740993"])
    #expect(try select("$[?@ > 9007199254740992]", in: text) == ["9007199254740993"])
    #expect(
      try select("$[?@ > 0.1 && @ < 1]", in: text) == ["0.1000000000000000000000000001"])
    #expect(try select("$[?@ == -0]", in: "[0, -0, 0.0, 0e99]").count == 4)
  }

  @Test func stringsCompareDecodedAndByScalars() throws {
    let text = #"["\u0061b", "ab", "\#u{E9}", "e\#u{301}", "z", "𝄞", "a\"b"]"#
    #expect(try select("$[?@ == 'ab']", in: text).count == 2)
    #expect(try select("$[?@ == 'é']", in: text).count == 1)
    // By UTF-16 units U+1D11E would come before U+FF5A.
    #expect(try select("$[?@ > '\u{FF5A}']", in: text) == ["\"𝄞\""])
    #expect(try select(#"$[?@ == 'a"b']"#, in: text) == [#""a\"b""#])
    #expect(try select(#"$['\u0061']"#, in: #"{"\u0061": 1}"#) == ["1"])
  }

  @Test func objectsAndArraysCompareAsAWhole() throws {
    let text = #"{"x": {"b": [1.0], "a": 2}, "all": [{"a": 2, "b": [1]}, {"a": 2}, 3]}"#
    #expect(try select("$.all[?@ == $.x]", in: text) == [#"{"a": 2, "b": [1]}"#])
    #expect(try select("$.all[?@ <= $.x]", in: text) == [#"{"a": 2, "b": [1]}"#])
    #expect(try select("$.all[?@ < $.x]", in: text).isEmpty)
  }

  @Test(arguments: [
    ("$[1:3]", ["1", "2"]), ("$[5:]", ["5"]), ("$[1:5:2]", ["1", "3"]), ("$[5:1:-2]", ["5", "3"]),
    ("$[::-1]", ["5", "4", "3", "2", "1", "0"]), ("$[-2:]", ["4", "5"]), ("$[:-4]", ["0", "1"]),
    ("$[0:3:0]", []), ("$[-9007199254740991:9007199254740991:9007199254740991]", ["0"]),
    ("$[9007199254740991::-9007199254740991]", ["5"]), ("$[2:2]", []), ("$[-1]", ["5"]),
    ("$[-7]", []), ("$[6]", []),
  ])
  func slicesPickByTheirBounds(_ query: String, _ expected: [String]) throws {
    #expect(try select(query, in: "[0,1,2,3,4,5]") == expected)
  }

  @Test func everyNodeHasItsNormalizedPath() throws {
    let text = #"{"a":[{"b'c":1},[2,{"\n\u0001é":3}]],"":{"\\":4}}"#
    let document = try JSONDocument.parse(Array(text.utf8))
    let context = QueryContext(document.root)
    let located = try Query.parse("$..*").get().located(in: context)
    #expect(
      located.map(\.path) == [
        "$['a']", "$['']", "$['a'][0]", "$['a'][1]", "$['a'][0]['b\\'c']", "$['a'][1][0]",
        "$['a'][1][1]", "$['a'][1][1]['\\n\\u0001é']", "$['']['\\\\']",
      ])
    for (path, node) in located {
      #expect(try Query.parse(path).get().first(in: context)?.index == node.index)
    }
    let twice = try Query.parse("$['a','a'][0]").get().located(in: context)
    #expect(twice.map(\.path) == ["$['a'][0]", "$['a'][0]"])
  }

  @Test func aScopeGivesEachNameItsOwnDocument() throws {
    let scope = ScopeOfTexts([
      "list": #"{"ids":[1,2,3]}"#, "user": #"[{"id":2,"name":"b"},{"id":9,"name":"c"}]"#,
    ])
    let context = QueryContext(root: .scope(scope))
    func select(_ text: String) throws -> [String] {
      try Query.parse(text).get().nodes(in: context).map(\.text)
    }
    #expect(try select("$.list.ids[*]") == ["1", "2", "3"])
    #expect(try select("$.user[?@.id == $.list.ids[1]].name") == [#""b""#])
    #expect(try select("$.list.ids[?@ == $.user[0].id]") == ["2"])
    #expect(try select("$['list','user'][0]") == [#"{"id":2,"name":"b"}"#])
    #expect(try select("$['list','user']['ids',1]") == ["[1,2,3]", #"{"id":9,"name":"c"}"#])
    // What does not begin with literal names selects nothing: its edges would be unknown.
    #expect(try select("$..id").isEmpty && select("$[*]").isEmpty && select("$").isEmpty)
    let reference = try Query.parseReference("user[0].name").get()
    #expect(reference.first(in: context)?.string == "b")
    #expect(
      try Query.parse("$.user[*].id").get().located(in: context).map(\.path)
        == ["$['user'][0]['id']", "$['user'][1]['id']"])
  }

  @Test func aNestedAbsoluteQueryIsEvaluatedOnce() throws {
    /// Counts how often a name is looked up.
    final class CountingScope: QueryScope {
      var lookups = 0
      let scope = ScopeOfTexts(["a": "[1,2,3,4,5,6,7,8]", "b": "[2,3]"])
      func value(named name: String) -> JSONNode? {
        lookups += 1
        return scope.value(named: name)
      }
    }
    let scope = CountingScope()
    let query = try Query.parse("$.a[?@ == $.b[0] || count($.b[*]) == @]").get()
    let nodes = query.nodes(in: QueryContext(root: .scope(scope)))
    #expect(nodes.map(\.text) == ["2"])
    #expect(scope.lookups == 3, "one for each query in the text")
  }

  @Test func theFirstNodeNeedsNoOther() throws {
    let document = try JSONDocument.parse(Array(#"{"a":[1,2,{"b":3}]}"#.utf8))
    let context = QueryContext(document.root)
    #expect(try Query.parse("$.a[2].b").get().first(in: context)?.text == "3")
    #expect(try Query.parse("$.a[*]").get().first(in: context)?.text == "1")
    #expect(try Query.parse("$.a[3]").get().nodes(in: context).isEmpty)
  }

  @Test func deepDocumentsAreWalkedWithoutRecursion() throws {
    let depth = 500
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try select("$..[0]", in: text).count == depth - 1)
    let path = "$" + String(repeating: "[*]", count: 128)
    #expect(try select(path, in: text).count == 1)
  }

  @Test func lengthCountsScalarsElementsAndMembers() throws {
    let text = #"["é\n𝄞", [1,2], {"a":1}, 5, null, true]"#
    #expect(try select("$[?length(@) == 3]", in: text) == [#""é\n𝄞""#])
    #expect(try select("$[?length(@) == 2]", in: text) == ["[1,2]"])
    #expect(try select("$[?length(@) <= 1]", in: text) == [#"{"a":1}"#])
    #expect(try select("$[?length(@) == length('abc')]", in: text).count == 1)
    #expect(try select("$[?3 == length(@)]", in: text).count == 1)
  }
}

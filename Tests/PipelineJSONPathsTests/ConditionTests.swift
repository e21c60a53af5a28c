import PipelineJSONPaths
import PipelineJSONText
import Testing

@Suite struct ConditionTests {
  private let response = #"{"status":200,"body":{"ok":false,"items":[1,2],"none":null}}"#

  private func holds(_ text: String) throws -> Bool {
    let document = try JSONDocument.parse(Array(response.utf8))
    let scope = ScopeOfTexts(["list": #"{"total":2,"on":true,"off":false}"#])
    let context = QueryContext(root: .scope(scope), current: document.root)
    return try Condition.parse(text, in: .template).get().holds(in: context)
  }

  @Test(arguments: [
    ("@.status == 200", true),
    (" $.list.total > 0 && @.status == 200 ", true),
    ("$.list.total == length(@.body.items)", true),
    ("{{list.total}} == 2", true),
    ("@.status == 404 || @.body.items[?@ == $.list.total]", true),
    ("!(@.status == 404)", true),
    ("$.list.nothing", false),
    ("!$.list.nothing", true),
    ("$.nothing.at.all", false),
    ("@.body.none", true),
    ("@.body.none == null", true),
    ("$.list.on", true),
    ("@.body.items[?@ == false]", false),
    ("$.nothing == @.nothing", true),
    ("$.nothing == null", false),
  ])
  func aConditionHoldsOrNot(_ text: String, _ expected: Bool) throws {
    #expect(try holds(text) == expected)
  }

  @Test(arguments: [
    "@.body.ok", "!@.body.ok", "$.list.off && @.status == 200", "@.status == 404 || $.list.off",
    "!(!$.list.off)",
  ])
  func aBareTestThatFindsFalseIsAnError(_ text: String) throws {
    #expect(throws: ConditionError.self) { try holds(text) }
  }

  @Test func theErrorNamesTheQueryAndTheWayOut() throws {
    let text = "@.status == 200 && @.body.ok"
    let document = try JSONDocument.parse(Array(response.utf8))
    let condition = try Condition.parse(text).get()
    let error = #expect(throws: ConditionError.self) {
      try condition.holds(in: QueryContext(root: .node(document.root), current: document.root))
    }
    #expect(error?.message.contains("'@.body.ok == true'") == true)
    #expect(error.map { slice(text, $0.range) } == "@.body.ok")
  }

  @Test func whatDecidesBeforehandIsNotJudged() throws {
    #expect(try holds("@.status == 404 && @.body.ok") == false)
    #expect(try holds("@.status == 200 || @.body.ok") == true)
  }

  @Test func aTestWithinAFilterAsksForExistenceAlone() throws {
    #expect(try holds("@[?@.ok]") == true)
    #expect(try holds("$.list.total == 2 && @.body[?@ == false]") == true)
  }

  static let refusals = [
    Refusal("", "", "the condition is empty"),
    Refusal("true", "true", "alone is not a test"),
    Refusal("?@.a", "?", "drop it", fix: ""),
    Refusal("[?@.a]", "[?", "write a condition without"),
    Refusal("{{x}}", "{{x}}", "write '{{x}} == true'", fix: "{{x}} == true"),
    Refusal("@.status = 200", "=", "written '=='", fix: "=="),
    Refusal("status == 200", "status", "'@.status' or '$.status'"),
    Refusal("@.headers.content-type == 'a'", ".content-type", "write", fix: "['content-type']"),
    Refusal("$.a b", "b", "'&&', '||' or the end"),
    Refusal("$.a)", ")", "closes nothing"),
    Refusal("(@.a == 1", "(", "'(' is not closed"),
  ]

  @Test(arguments: refusals) func whatIsNoConditionIsNamed(_ refusal: Refusal) {
    refusal.check(Condition.parse(refusal.text, in: .template))
  }
}

import PipelineLint
import PipelineSourceText
import Testing

/// What lint knows of values that rounds and pages carry, seen through its findings.
@Suite struct CarriedShapeTests {
  /// The messages of a block whose rounds carry `x`. Its steps are `get`, and these.
  private func messages(carry: String, extract: String = "{}", _ steps: String) -> [String] {
    Fixtures.lint(
      """
      {
        "inputs": {"any": {}},
        "steps": [
          {
            "id": "loop",
            "repeat": {"carry": {"x": \(carry)}, "until": "@.get.end", "maxRounds": 9},
            "steps": [
              {"id": "get", "endpoint": "GET https://a.example/?any={{inputs.any}}", "query": {"x": "{{x}}"},
               "extract": {"end": {"body": "$.end", "optional": true}, "v": \(extract)}},
              \(steps)
            ]
          }
        ],
        "outputs": {"loop": "{{loop}}"}
      }
      """
    ).map(\.message)
  }

  private static let isText = #"{"id": "w", "when": "$.x == 7", "wait": "1s"}"#
  private static let neverText =
    "this never holds: $.x is a text, 7 is a number; write '7' in single quotes"

  @Test(arguments: [
    (#""{{get.v}}""#, #"{"body": "$.v", "type": "string"}"#),
    (#""{{get.v}}""#, #"{"header": "X-V", "optional": true}"#),
    (#"{"next": "page {{get.v}}"}"#, #"{"body": "$.v"}"#),
    (#"{"$first": ["{{get.v}}", "{{x}}"]}"#, #"{"header": "X-V", "optional": true}"#),
    (#"{"$lower": "{{get.v}}"}"#, #"{"body": "$.v"}"#),
    (#"{"default": null, "next": "{{get.v}}"}"#, #"{"header": "X-V"}"#),
  ])
  func aNextValueHasTheTypeOfWhatGivesIt(carry: String, extract: String) {
    #expect(messages(carry: carry, extract: extract, Self.isText) == [Self.neverText])
  }

  @Test(arguments: [
    // A body's value may have any type.
    (#""{{get.v}}""#, #""$.v""#), (#"{"default": "a", "next": "{{get.v}}"}"#, #""$.v""#),
    (#"{"$first": ["{{get.v}}", "{{x}}"]}"#, #""$.v""#),
    (#"{"default": null, "next": "{{get.v}}"}"#, #"{"body": "$.v", "type": "integer"}"#),
    // Nothing gives it a value.
    (#"{"$first": ["{{x}}"]}"#, #"{"body": "$.v", "type": "string"}"#),
  ])
  func ofOtherValuesNothingIsClaimed(carry: String, extract: String) {
    let found = messages(
      carry: carry, extract: extract,
      Self.isText + #", {"id": "u", "values": {"v": "{{get.v}}"}}"#)
    #expect(found == [])
  }

  @Test func aListOfTheRoundBeforeIsOneInTheNext() {
    let found = messages(
      carry: #""$.get.v""#, extract: #""$.v[*].id""#,
      #"{"id": "one", "endpoint": "GET https://a.example/{{x}}"}"#)
    #expect(
      found.contains {
        $0.hasPrefix("'x' is a list, but a URL path takes one value")
      }, "\(found)")
  }

  @Test func oneValueIsNoCollection() {
    let found = messages(
      carry: #""{{get.v}}""#, extract: #"{"body": "$.v", "type": "integer"}"#,
      #"{"id": "each", "forEach": "$.x", "endpoint": "GET https://a.example/{{item}}"}"#)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("number") == true, "\(found)")
  }

  @Test func anObjectHasTheMembersThatNextGives() {
    let found = messages(
      carry: #"{"next": {"id": "{{get.v}}", "last": "{{get.end}}"}}"#, extract: #""$.v""#,
      #"{"id": "one", "endpoint": "GET https://a.example/", "query": {"a": "{{x.id}}", "b": "{{x.idd}}"}}"#
    )
    #expect(
      found == [
        "step 'one' reads 'idd' of 'x', which does not have it; did you mean 'id'?"
      ])
  }

  /// Two values that hand each other on, and a type that both only have in the second round.
  @Test func valuesThatAreHandedOnInTurnKeepTheirType() {
    let found = Fixtures.lint(
      """
      {"steps": [{"id": "loop",
        "repeat": {"carry": {"a": "{{get.v}}", "b": "{{a}}"}, "until": "@.get.end", "maxRounds": 9},
        "steps": [
          {"id": "get", "endpoint": "GET https://a.example/", "query": {"a": "{{a}}", "b": "{{b}}"},
           "extract": {"v": {"header": "X-V"}, "end": {"body": "$.end", "optional": true}}},
          {"id": "w", "when": "$.b > 7", "wait": "1s"}
        ]}], "outputs": {"loop": "{{loop}}"}}
      """
    ).map(\.message)
    #expect(found == ["this never holds: $.b is a text, 7 is a number"])
  }

  /// A value that is a deeper list each time is given up.
  @Test func aValueThatGrowsIsUnknown() {
    let found = messages(
      carry: #"{"default": [], "next": [["{{x}}"], "{{get.v}}"]}"#, extract: #""$.v""#,
      #"{"id": "w", "when": "$.x[0] == 7", "wait": "1s"}"#)
    #expect(found == [])
  }

  /// The number of passes is no power of the depth.
  @Test func nestedRoundsAreJudgedInTime() {
    var text = #"{"id": "in", "endpoint": "GET https://a.example/{{c0}}", "extract": {"v": "$.v"}}"#
    for depth in (0..<20).reversed() {
      let inner = depth == 19 ? "in.v" : "b\(depth + 1)[-1].v"
      text = """
        {"id": "b\(depth)", "repeat": {"carry": {"c\(depth)": {"default": null, "next": "{{\(inner)}}"}},
          "until": "@.v", "maxRounds": 9}, "steps": [\(text)], "outputs": {"v": "{{\(inner)}}"}}
        """
    }
    let clock = ContinuousClock()
    let time = clock.measure { _ = Fixtures.lint(#"{"steps": [\#(text)]}"#) }
    #expect(time < .seconds(5))
  }

  // MARK: - Pages

  private func pages(_ carry: String, _ more: String, query: String = "{{n}}") -> [String] {
    Fixtures.lint(
      """
      {"steps": [{"id": "list", "endpoint": "GET https://a.example/", "query": {"n": "\(query)"},
        "paginate": {"carry": {"n": \(carry)}, "maxPages": 9}, \(more)"extract": {"v": "$.v[*]"}}],
       "outputs": {"v": "{{list.v}}"}}
      """
    ).map(\.message)
  }

  @Test func aPagesListIsNoPartOfAText() {
    let wanted = "'n' is a list"
    let found = pages(#""$.ids[*]""#, "", query: "after {{n}}")
    #expect(found.contains { $0.hasPrefix(wanted) }, "\(found)")
    #expect(!pages(#""$.id""#, "").contains { $0.hasPrefix(wanted) })
    #expect(!pages(#""$.ids[*]""#, "").contains { $0.hasPrefix(wanted) })
  }

  @Test func aPagesValueHasTheTypeOfItsSchema() {
    let schema =
      #""expect": {"schema": {"type": "object", "required": ["next"], "properties": {"next": {"type": ["object", "null"], "properties": {"id": {"type": "string"}}}}}}, "#
    let found = pages(#"{"default": {"id": "a"}, "next": "$.next"}"#, schema, query: "x{{n}}")
    #expect(found.contains { $0.hasPrefix("'n' is an object") }, "\(found)")
    #expect(pages(#"{"default": {"id": "a"}, "next": "$.next"}"#, schema, query: "{{n.id}}") == [])
  }

  @Test func aHeaderIsNoNumber() {
    let found = Fixtures.lint(
      """
      {"steps": [{"id": "list", "endpoint": "GET https://a.example/",
        "query": {"n": {"$sum": ["{{n}}", 1]}},
        "paginate": {"carry": {"n": {"default": "0", "next": {"header": "X-N"}}}, "maxPages": 9},
        "extract": {"v": "$.v[*]"}}], "outputs": {"v": "{{list.v}}"}}
      """
    ).map(\.message)
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("'$sum' takes a list of numbers, but an element is a text") == true)
  }

  @Test func aDefaultThatReadsItselfIsNoTrap() {
    _ = pages(#"{"default": "{{n}}", "next": "$.next"}"#, "")
  }
}

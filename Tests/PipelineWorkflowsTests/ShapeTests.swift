import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import Testing

/// What lint knows of types before a run, seen through its findings.
@Suite struct ShapeTests {
  /// The messages of a workflow with two inputs and these steps.
  private func messages(_ steps: String, outputs: String = "{}") -> [String] {
    Fixtures.lint(
      """
      {
        "inputs": {
          "count": {"type": "integer", "default": 1},
          "name": {"type": "string", "optional": true},
          "any": {}
        },
        "steps": [
          {"id": "used", "values": {"a": "{{inputs.count}}", "b": "{{inputs.name}}", "c": "{{inputs.any}}"}},
          \(steps)
        ],
        "outputs": {"used": "{{used}}", "more": \(outputs)}
      }
      """
    ).map(\.message)
  }

  @Test func anInputsTypeIsCarriedThroughValues() {
    let found = messages(
      """
      {"id": "v", "values": {"copy": "{{inputs.count}}", "text": "n {{inputs.count}}"}},
      {"id": "w", "when": "$.v.copy == '1'", "wait": "1s"},
      {"id": "x", "when": "$.v.text > 3", "wait": "1s"}
      """)
    #expect(
      found == [
        "this never holds: $.v.copy is a number, '1' is a text; write 1 without quotes",
        "this never holds: $.v.text is a text, 3 is a number",
      ])
  }

  @Test func anOptionalInputMayBeTestedAndARequiredOneNot() {
    let found = messages(
      """
      {"id": "w", "when": "$.inputs.name", "wait": "1s"},
      {"id": "x", "when": "$.inputs.count", "wait": "1s"},
      {"id": "y", "when": "$.inputs.any", "wait": "1s"}
      """)
    #expect(
      found == [
        "'$.inputs.count' is always there, so the test has no effect; "
          + "compare it, as in \"$.inputs.count > 0\"",
        "'$.inputs.any' is always there, so the test has no effect; "
          + "compare it, as in \"$.inputs.any == true\"",
      ])
  }

  @Test func aStepThatMayBeSkippedMayBeTested() {
    let found = messages(
      """
      {"id": "a", "when": "$.inputs.count > 1", "endpoint": "GET https://a.example/",
       "extract": {"x": "$.x"}},
      {"id": "b", "endpoint": "GET https://a.example/{{a.x}}", "extract": {"y": "$.y"}},
      {"id": "c", "when": "$.a.x && $.b.y", "wait": "1s"},
      {"id": "d", "onError": "recover", "endpoint": "GET https://a.example/"},
      {"id": "e", "when": "$.d.error", "wait": "1s"}
      """)
    #expect(found == [])
  }

  @Test func aLoopNameHasTheTypeOfItsElements() {
    let found = messages(
      """
      {"id": "a", "forEach": {"from": 1, "to": 3}, "as": "n", "indexAs": "i", "when": "$.n == 'x'",
       "endpoint": "GET https://a.example/{{n}}/{{i}}"},
      {"id": "b", "forEach": [{"id": 1}, {"id": 2}], "as": "user",
       "endpoint": "GET https://a.example/{{user.id}}/{{user.ids}}"},
      {"id": "c", "forEach": [1, 2, 3], "batch": 2, "as": "ids",
       "endpoint": "GET https://a.example/{{ids}}"}
      """)
    #expect(
      found == [
        "this never holds: $.n is a number, 'x' is a text",
        "step 'b' reads 'ids' of 'user', which does not have it; did you mean 'id'?",
        "'ids' is a list, but a URL path takes one value; write {{ids[0]}} for its first element",
      ])
  }

  @Test func rowsAreReadByNumberOrQuery() {
    let found = messages(
      """
      {"id": "a", "forEach": [1], "endpoint": "GET https://a.example/{{item}}",
       "extract": {"x": "$.x"}}
      """, outputs: #"["{{a.x}}", "{{a[0].x}}", "{{a[0].y}}"]"#)
    #expect(
      found == [
        "an output reads 'x' of 'a', which is a list of rows; "
          + "write 'a[0].x', or the query '$.a[*].x'",
        "an output reads 'y' of 'a[0]', which does not have it",
      ])
  }

  @Test func aResponseHasTheMembersThatItHas() {
    let found = messages(
      """
      {"id": "a", "endpoint": "GET https://a.example/",
       "expect": {"where": ["@.stauts == 200", "@.status == '200'", "@.body.x == 1", "@.headers.etag"]}}
      """)
    #expect(
      found == [
        "a response has no 'stauts'; did you mean 'status'?",
        "this never holds: @.status is a number, '200' is a text; write 200 without quotes",
      ])
  }

  @Test func whatIsInFinallySeesThatStepsMayBeMissing() {
    let text = """
      {
        "steps": [{"id": "a", "endpoint": "GET https://a.example/", "extract": {"x": "$.x"}}],
        "finally": [
          {"id": "b", "steps": [
            {"id": "c", "when": "$.a.x", "endpoint": "DELETE https://a.example/"}
          ]}
        ]
      }
      """
    #expect(Fixtures.lint(text).map(\.message) == [])
  }
}

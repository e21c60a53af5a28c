import PipelineJSONText
import PipelineKit
import Testing

/// Choices, failures on purpose, and what a step recovers from (docs/language.md).
@Suite struct ChoiceStatementTests {
  private static let inputs =
    #""inputs": {"email": {"optional": true}, "phone": {"optional": true}}, "#
  private static let contact =
    #"{"id": "contact", "choose": [{"when": "$.inputs.email", "endpoint": "GET https://api.example/people", "query": {"email": "{{inputs.email}}"}, "extract": {"id": "$.id"}}, {"when": "$.inputs.phone", "steps": [{"id": "find", "endpoint": "GET https://api.example/phones", "extract": {"id": "$.id"}}], "outputs": {"id": "{{find.id}}", "by": "phone"}}, {"fail": "neither e-mail nor phone was given"}]}"#

  private static func contact(_ rest: String = "") -> String {
    inputs + #""steps": [\#(contact)\#(rest)], "outputs": {"c": "{{contact}}"}"#
  }

  private static func fails(_ onError: String, _ path: String = "/404", _ more: String = "")
    -> String
  {
    #""steps": [{"id": "a", "endpoint": "GET https://api.example\#(path)", "onError": \#(onError)\#(more)}], "outputs": {"k": "{{a.error.kind}}", "s": "{{a.error.status}}"}"#
  }

  static let choices: [Statement] = [
    Statement(
      "The first branch whose condition holds is carried out, and its values are the step's",
      contact(), inputs: ["email": "a@b.c", "phone": "1"], gives: #"{"c":{"id":1}}"#,
      sends: ["GET | /people?email=a%40b.c"]),
    Statement(
      "A branch may be a block, whose outputs are the values",
      contact(), inputs: ["phone": "1"], gives: #"{"c":{"id":2,"by":"phone"}}"#,
      sends: ["GET | /phones"]),
    Statement(
      "The last branch may lack a condition", contact(),
      gives: "!neither e-mail nor phone was given", sends: []),
    Statement(
      "Without a match the step is skipped, and otherwise applies",
      #""inputs": {"x": {"default": 3}}, "steps": [{"id": "a", "choose": [{"when": "$.inputs.x == 1", "values": {"v": 1}}, {"when": "$.inputs.x == 2", "values": {"v": 2}}], "otherwise": {"v": 0}}, {"id": "b", "choose": [{"when": "$.inputs.x == 1", "values": {"v": 1}}]}, {"id": "c", "values": {"v": "{{b.v}}"}}], "outputs": {"a": "{{a.v}}", "b": "{{b}}", "c": "{{c}}"}"#,
      gives: #"{"a":0}"#),
    Statement(
      "forEach outside chooses for each item",
      #""steps": [{"id": "a", "forEach": [1, 2, 3, 4], "as": "n", "indexAs": "i", "choose": [{"when": "$.n == 2", "values": {"even": "{{n}}"}}, {"when": "$.n == 4", "steps": [{"id": "s", "values": {"n": "{{n}}"}}]}, {"when": "$.i < 2", "values": {"first": "{{n}}"}}], "otherwise": {"none": "{{n}}"}}], "outputs": {"a": "{{a}}"}"#,
      gives: #"{"a":[{"first":1},{"even":2},{"none":3},{"s":{"n":4}}]}"#),
    Statement(
      "A branch waits for what any branch reads, and is skipped with what it needs",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "p", "when": "$.inputs.x == 2", "values": {"v": 1}}, {"id": "a", "choose": [{"when": "$.inputs.x == 1", "values": {"v": "{{p.v}}"}}, {"values": {"v": 2}}], "otherwise": {"v": 3}}, {"id": "b", "choose": [{"when": "$.inputs.x == 2", "values": {"v": "{{p.v}}"}}, {"values": {"v": 2}}]}], "outputs": {"a": "{{a.v}}", "b": "{{b.v}}"}"#,
      gives: #"{"a":3,"b":2}"#),
    Statement(
      "A step's own expectation judges what its branch gives",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "a", "choose": [{"when": "$.inputs.x == 1", "values": {"v": 1}}], "expect": {"where": ["@.v == 2"]}, "onError": "recover", "otherwise": {"v": 9}}], "outputs": {"a": "{{a.v}}"}"#,
      gives: #"{"a":9}"#),
    Statement(
      "A failed branch fails the step, which may recover",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "a", "choose": [{"when": "$.inputs.x == 1", "endpoint": "GET https://api.example/404"}, {"values": {"v": 1}}], "onError": {"recover": [404]}, "otherwise": {"v": 9}}], "outputs": {"a": "{{a.v}}", "k": "{{a.error.kind}}"}"#,
      gives: #"{"a":9,"k":"status"}"#),
    Statement(
      "A condition that cannot be judged fails the step",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "a", "choose": [{"when": "$.inputs.x", "values": {"v": 1}}, {"when": "$.inputs.y", "values": {"v": 2}}]}]"#
        .replacing(
          #""x": {"default": 1}"#, with: #""x": {"optional": true}, "y": {"optional": true}"#),
      inputs: ["y": false],
      gives:
        "!'$.inputs.y' tests whether there is a value, but found false; write '$.inputs.y == true'"),
  ]

  static let failures: [Statement] = [
    Statement(
      "fail fails with its message, and details are in error.details",
      #""inputs": {"job": {"default": {"id": 7, "state": "lost"}}}, "steps": [{"id": "a", "when": "$.inputs.job.state == 'lost'", "fail": {"message": "job {{inputs.job.id}} ended as {{inputs.job.state}}", "details": {"job": "{{inputs.job}}", "gone": "$x"}}, "onError": "recover"}], "outputs": {"e": "{{a.error}}"}"#,
      gives:
        #"{"e":{"kind":"fail","message":"job 7 ended as lost","details":{"job":{"id":7,"state":"lost"},"gone":"$x"}}}"#
    ),
    Statement(
      "A step whose condition does not hold does not fail",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "a", "when": "$.inputs.x == 2", "fail": "no"}], "outputs": {"x": "{{inputs.x}}"}"#,
      gives: #"{"x":1}"#),
    Statement(
      "It fails although what its message reads is missing",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "p", "when": "$.inputs.x == 2", "values": {"v": 1}}, {"id": "a", "fail": "no {{p.v}}"}]"#,
      gives: "!'p.v' is absent, but a text needs a value; give its source a 'default'"),
    Statement(
      "A status and a class of them are recovered from", fails(#"{"recover": [410, "4xx"]}"#),
      gives: #"{"k":"status","s":404}"#),
    Statement(
      "and another status is not", fails(#"{"recover": [410, "5xx"]}"#),
      gives: "!answered 404 Not Found"),
    Statement(
      "A status is one that was not expected",
      fails(#"{"recover": [200, "network"]}"#, "/ok", #", "expect": {"where": ["@.body.x == 1"]}"#),
      gives: "!the condition '@.body.x == 1' does not hold"),
    Statement(
      "A kind of failure is recovered from",
      fails(#"{"recover": ["expect"]}"#, "/ok", #", "expect": {"where": ["@.body.x == 1"]}"#),
      gives: #"{"k":"expect","s":200}"#),
    Statement(
      "defaults may say it, and a step another",
      #""defaults": {"onError": {"recover": [404]}}, "steps": [{"id": "a", "endpoint": "GET https://api.example/404"}, {"id": "b", "endpoint": "GET https://api.example/404", "onError": "recover"}, {"id": "c", "dependsOn": ["a", "b"], "endpoint": "GET https://api.example/404", "onError": null}], "outputs": {"a": "{{a.error.status}}"}"#,
      gives: "!answered 404 Not Found"),
    Statement(
      "In a collection a failure that is not named ends the step",
      #""steps": [{"id": "a", "forEach": ["404", "ok", "404"], "as": "p", "concurrency": 1, "endpoint": "GET https://api.example/{{p}}", "onError": {"recover": [404]}, "otherwise": {"p": "{{p}}"}, "extract": {"p": {"value": "fine"}}}, {"id": "b", "dependsOn": ["a"], "forEach": ["404", "410", "ok"], "as": "p", "concurrency": 1, "endpoint": "GET https://api.example/{{p}}", "onError": {"recover": [404]}}], "outputs": {"a": "$.a[*].p"}"#,
      gives: "!answered 404 Not Found"),
    Statement(
      "and one that is named gives a row",
      #""steps": [{"id": "a", "forEach": ["404", "ok"], "as": "p", "endpoint": "GET https://api.example/{{p}}", "onError": {"recover": [404]}, "otherwise": {"p": "{{p}}"}, "extract": {"p": {"value": "fine"}}}], "outputs": {"a": "$.a[*].p"}"#,
      gives: #"{"a":["404","fine"]}"#),
  ]

  static let collections: [Statement] = [
    Statement(
      "until ends a collection after the first row for which it holds, and keeps the rows so far",
      #""steps": [{"id": "a", "forEach": [1, 2, 3, 4], "as": "n", "concurrency": 1, "until": "@.id == 2", "endpoint": "GET https://api.example/n", "query": {"n": "{{n}}"}, "extract": {"id": {"value": "{{n}}"}}}], "outputs": {"a": "$.a[*].id", "count": {"$count": "{{a}}"}, "last": "{{a[-1].id}}"}"#,
      gives: #"{"a":[1,2],"count":2,"last":2}"#, sends: ["GET | /n?n=1", "GET | /n?n=2"]),
    Statement(
      "It may read the item and other steps, and need not hold",
      #""steps": [{"id": "v", "values": {"stop": 9}}, {"id": "a", "forEach": [1, 2], "as": "n", "concurrency": 1, "until": "$.n == $.v.stop || @.n == 5", "values": {"n": "{{n}}"}}], "outputs": {"a": "$.a[*].n"}"#,
      gives: #"{"a":[1,2]}"#),
    Statement(
      "The row of a skipped item is null, or what otherwise gives",
      #""steps": [{"id": "a", "forEach": [1, 2, 3], "as": "n", "concurrency": 1, "when": "$.n == 1", "until": "@ == null", "values": {"n": "{{n}}"}}, {"id": "b", "forEach": [1, 2, 3], "as": "n", "concurrency": 1, "when": "$.n == 1", "until": "@.none", "values": {"n": "{{n}}"}, "otherwise": {"none": "{{n}}"}}], "outputs": {"a": "{{a}}", "b": "{{b}}"}"#,
      gives: #"{"a":[{"n":1},null],"b":[{"n":1},{"none":2}]}"#),
    Statement(
      "A condition on a row that cannot be judged fails the step",
      #""steps": [{"id": "a", "forEach": [1, 2, 3], "concurrency": 1, "until": "@.b", "endpoint": "GET https://api.example/flag", "extract": {"b": {"body": "$.b", "optional": true}}}]"#,
      gives: "!'@.b' tests whether there is a value, but found false; write '@.b == true'"),
    Statement(
      "concurrency and batch may be templates",
      #""inputs": {"n": {"default": 2}}, "steps": [{"id": "a", "forEach": [1, 2, 3], "batch": "{{inputs.n}}", "concurrency": "{{inputs.n}}", "as": "some", "values": {"s": "{{some}}"}}], "outputs": {"a": "$.a[*].s"}"#,
      gives: #"{"a":[[1,2],[3]]}"#),
    Statement(
      "of a whole number that is at least 1",
      #""inputs": {"n": {"default": 0}}, "steps": [{"id": "a", "forEach": [1, 2, 3], "concurrency": "{{inputs.n}}", "values": {"s": 1}}]"#,
      gives: "!'concurrency' must be a whole number, at least 1"),
    Statement(
      "and with until exactly 1",
      #""inputs": {"n": {"default": 2}}, "steps": [{"id": "a", "forEach": [1, 2, 3], "concurrency": "{{inputs.n}}", "until": "@.s == 1", "values": {"s": 1}}]"#,
      gives: "!'until' looks at one row after another, so 'concurrency' must be 1"),
  ]

  private static let answers: [String: ScriptedTransport.Answer] = [
    "/people?email=a%40b.c": .json(["id": 1]), "/phones": .json(["id": 2]), "/404": .status(404),
    "/410": .status(410), "/ok": .json(["x": 2]), "/flag": .json(["b": false]),
  ]

  @Test(arguments: choices) func aChoiceDoesWhatIsSaid(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: failures) func aFailureDoesWhatIsSaid(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: collections)
  func aCollectionDoesWhatIsSaid(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test func aSecretIsHiddenInDetails() async throws {
    let plan = try plan(
      #"{"inputs": {"key": {"secret": true}}, "steps": [{"id": "a", "fail": {"message": "no {{inputs.key}}", "details": {"n": "{{inputs.key}}", "m": [1, 8675309]}}}]}"#
    )
    let report = try await Pipeline(plan, transport: ScriptedTransport([:]))
      .run(inputs: ["key": 8_675_309]).result.report
    let failure = try #require(report.failures.first?.failure)
    #expect(failure.kind == .fail)
    #expect(failure.message == "no •••")
    #expect(failure.details == #"{"n":"•••","m":[1,"•••"]}"#)
  }
}

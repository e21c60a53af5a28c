import PipelineJSONText
import PipelineKit
import Testing

/// Steps, collections and failure (docs/language.md).
@Suite struct StepStatementTests {
  private static func request(_ id: String, _ path: String, _ rest: String = "") -> String {
    #"{"id": "\#(id)", "endpoint": "GET https://api.example\#(path)"\#(rest.isEmpty ? "" : ", " + rest)}"#
  }

  private static let answers: [String: ScriptedTransport.Answer] = [
    "/bad": .text("no", status: 500), "/ok": .json(["v": 1, "list": [1, 2, 3]]),
    "/3": .text("no", status: 500),
  ]

  static let steps: [Statement] = [
    Statement(
      "A template needs what it reads: after a skipped step this one is skipped too",
      #""steps": [{"id": "a", "when": "$.run.id == 'no'", "values": {"x": 1}}, {"id": "b", "values": {"x": "{{a.x}}"}}, {"id": "c", "values": {"x": "$.a.x"}}, {"id": "d", "values": {"x": "$.a[*]", "y": 1}}], "outputs": {"b": "{{b.x}}", "c": "{{c.x}}", "d": "{{d}}"}"#,
      gives: #"{"d":{"x":[],"y":1}}"#),
    Statement(
      "What when, otherwise, expect and outputs read is absent, and they go on",
      #""steps": [{"id": "a", "when": "$.run.id == 'no'", "values": {"x": 1}}, {"id": "b", "when": "!$.a.x", "values": {"x": 1}, "expect": {"where": ["!$.a.x"]}}, {"id": "c", "when": "$.a.x == 1", "values": {"x": 1}, "otherwise": {"x": "{{a.x}}", "y": 2}}], "outputs": {"a": "{{a.x}}", "b": "{{b.x}}", "c": "{{c}}"}"#,
      gives: #"{"b":1,"c":{"y":2}}"#),
    Statement(
      "dependsOn waits for a skipped step, and skips after a failed one",
      #""steps": [{"id": "a", "when": "$.run.id == 'no'", "values": {"x": 1}}, {"id": "b", "dependsOn": ["a"], "values": {"x": 1}}, "#
        + request("c", "/bad", #""onError": "recover""#)
        + #", {"id": "d", "dependsOn": ["c"], "values": {"x": 1}}, "#
        + #"{"id": "e", "values": {"x": 1}, "expect": {"where": ["@.x == 2"]}, "onError": "recover"}], "outputs": {"b": "{{b.x}}", "d": "{{d.x}}"}"#,
      gives: #"{"b":1,"d":1}"#),
    Statement(
      "A block's steps are read through it, or its outputs are",
      #""steps": [{"id": "b", "steps": [{"id": "s", "values": {"x": 1}}, {"id": "t", "values": {"y": "{{s.x}}"}}]}, {"id": "c", "steps": [{"id": "s", "values": {"x": 2}}], "outputs": {"z": "{{s.x}}", "b": "{{b.t.y}}"}}], "outputs": {"b": "{{b}}", "c": "{{c}}"}"#,
      gives: #"{"b":{"s":{"x":1},"t":{"y":1}},"c":{"z":2,"b":1}}"#),
    Statement(
      "order listed lets each step follow the one before it",
      #""order": "listed", "steps": [\#(request("a", "/1")), \#(request("b", "/2")), \#(request("c", "/4"))]"#,
      gives: "{}", sends: ["GET | /1", "GET | /2", "GET | /4"]),
    Statement(
      "A wait gives nothing",
      #""steps": [{"id": "w", "wait": "2s"}, {"id": "v", "dependsOn": ["w"], "values": {"x": 1}}], "outputs": {"v": "{{v.x}}"}"#,
      gives: #"{"v":1}"#),
    Statement(
      "Without a method a request is GET, or POST where there is a body",
      #""steps": [{"id": "a", "endpoint": "https://api.example/a"}, {"id": "b", "dependsOn": ["a"], "endpoint": "https://api.example/b", "body": {"text": ["one", "two"]}}]"#,
      gives: "{}",
      sends: ["GET | /a", "POST | /b | Content-Type: text/plain; charset=utf-8 | one\ntwo"]),
  ]

  static let collections: [Statement] = [
    Statement(
      "The items of a query, a list or a range; as, indexAs, and rows in their order",
      #""steps": [{"id": "a", "forEach": ["x", "y"], "as": "n", "indexAs": "i", "values": {"v": "{{i}}{{n}}"}}, {"id": "b", "forEach": "$.a[*].v", "values": {"v": "{{item}}"}}, {"id": "c", "forEach": {"from": 3, "to": 1, "by": -1}, "values": {"v": "{{item}}"}}], "outputs": {"b": "$.b[*].v", "c": "$.c[*].v"}"#,
      gives: #"{"b":["0x","1y"],"c":[3,2,1]}"#),
    Statement(
      "distinct leaves out what equals an earlier item",
      #""steps": [{"id": "a", "forEach": [1, 1.0, "1", {"b": 1, "a": 2}, {"a": 2, "b": 1}], "distinct": true, "values": {"v": "{{item}}"}}], "outputs": {"v": "$.a[*].v"}"#,
      gives: #"{"v":[1,"1",{"b":1,"a":2}]}"#),
    Statement(
      "batch takes several items together, of those that are distinct",
      #""steps": [{"id": "a", "forEach": [1, 2, 2, 3, 4, 5], "distinct": true, "batch": 2, "as": "some", "indexAs": "i", "values": {"v": "{{some}}", "i": "{{i}}"}}], "outputs": {"v": "{{a}}"}"#,
      gives: #"{"v":[{"v":[1,2],"i":0},{"v":[3,4],"i":1},{"v":[5],"i":2}]}"#),
    Statement(
      "A when that reads the loop name is judged for each item; its row is null, or otherwise's",
      #""steps": [{"id": "a", "forEach": [1, 2, 3], "when": "$.item != 2", "values": {"v": "{{item}}"}}, {"id": "b", "forEach": [1, 2, 3], "when": "$.item != 2", "values": {"v": "{{item}}"}, "otherwise": {"v": "none"}}], "outputs": {"a": "{{a}}", "b": "{{b}}", "one": "{{a[0].v}}"}"#,
      gives: #"{"a":[{"v":1},null,{"v":3}],"b":[{"v":1},{"v":"none"},{"v":3}],"one":1}"#),
    Statement(
      "A wholly skipped forEach with otherwise is an empty list",
      #""steps": [{"id": "a", "forEach": [1], "when": "$.run.id == 'no'", "values": {"v": 1}, "otherwise": {"v": 2}}], "outputs": {"a": "{{a}}"}"#,
      gives: #"{"a":[]}"#),
    Statement(
      "collect runs every item; under recover the run goes on, with null or otherwise for who failed",
      #""steps": [{"id": "a", "forEach": [1, 3, 2], "endpoint": "GET https://api.example/{{item}}", "onItemError": "collect", "onError": "recover", "extract": {"n": {"value": "{{item}}"}}}, {"id": "b", "forEach": [1, 3], "endpoint": "GET https://api.example/{{item}}", "onItemError": "collect", "onError": "recover", "extract": {"n": {"value": "{{item}}"}}, "otherwise": {"n": "lost {{item}}"}}], "outputs": {"a": "$.a[*].n", "rows": "{{a}}", "b": "{{b}}", "kind": "{{a.error.kind}}", "at": "$.a.error.items[*].index"}"#,
      gives:
        #"{"a":[1,2],"rows":[{"n":1},null,{"n":2}],"b":[{"n":1},{"n":"lost 3","error":{"kind":"status","status":500,"message":"answered 500 Internal Server Error","body":"no"}}],"kind":"status","at":[1]}"#
    ),
    Statement(
      "forEach of what is no list says what to write",
      #""inputs": {"n": {}}, "steps": [{"id": "a", "forEach": "$.inputs.n", "values": {"x": 1}}]"#,
      inputs: ["n": 3],
      gives:
        #"!'$.inputs.n' is a number, but 'forEach' needs a list; to count up to it write {"from": 1, "to": "{{inputs.n}}"}"#
    ),
  ]

  static let failures: [Statement] = [
    Statement(
      "continue skips what depends on the step, and the others go on",
      #""steps": [\#(request("a", "/bad", #""onError": "continue""#)), {"id": "b", "dependsOn": ["a"], "values": {"x": 1}}, \#(request("c", "/ok", #""extract": {"v": "$.v"}"#))], "outputs": {"c": "{{c.v}}"}"#,
      gives: "!answered 500 Internal Server Error"),
    Statement(
      "recover goes on with otherwise, and the error is read",
      #""steps": [\#(request("a", "/bad", #""onError": "recover", "otherwise": {"v": 0}"#)), {"id": "b", "values": {"v": "{{a.v}}", "k": "{{a.error.kind}}", "s": "{{a.error.status}}", "m": "{{a.error.message}}", "b": "{{a.error.body}}"}}], "outputs": {"b": "{{b}}"}"#,
      gives:
        #"{"b":{"v":0,"k":"status","s":500,"m":"answered 500 Internal Server Error","b":"no"}}"#),
    Statement(
      "recover without otherwise skips who needs the values",
      #""steps": [\#(request("a", "/bad", #""onError": "recover", "extract": {"v": "$.v"}"#)), {"id": "b", "values": {"v": "{{a.v}}"}}], "outputs": {"a": "{{a.v}}", "b": "{{b}}", "c": 1}"#,
      gives: #"{"c":1}"#),
    Statement(
      "otherwise that leaves a value out skips who needs it, unless it is optional anyway",
      #""steps": [\#(request("a", "/bad", #""onError": "recover", "extract": {"v": "$.v", "w": "$.w", "o": {"body": "$.o", "optional": true}}, "otherwise": {"w": 0}"#)), {"id": "b", "values": {"v": "{{a.v}}"}}, {"id": "c", "values": {"w": "{{a.w}}", "o": "{{a.o}}"}}, {"id": "d", "when": "!$.a.v", "values": {"x": "$.a.v[*]"}}], "outputs": {"b": "{{b}}", "c": "{{c}}", "d": "{{d}}"}"#,
      gives: #"{"c":{"w":0},"d":{"x":[]}}"#),
    Statement(
      "What a block or a values step passes on is missing where its source is",
      #""steps": [{"id": "a", "steps": [\#(request("get", "/bad", #""onError": "recover", "extract": {"v": "$.v"}"#))], "outputs": {"v": "{{get.v}}", "all": "{{get}}", "w": 1}}, {"id": "b", "steps": [{"id": "s", "when": "$.run.id == 'no'", "values": {"v": 1}}, {"id": "t", "values": {"v": 2}}]}, {"id": "c", "values": {"all": "{{a.all}}"}}, {"id": "d", "values": {"v": "{{a.v}}"}}, {"id": "e", "values": {"v": "{{a.all.v}}"}}, {"id": "f", "values": {"v": "{{c.all.v}}"}}, {"id": "g", "values": {"v": "{{b.s.v}}"}}, {"id": "h", "values": {"v": "{{b.t.v}}", "w": "{{a.w}}", "k": "{{c.all.error.kind}}"}}], "outputs": {"d": "{{d}}", "e": "{{e}}", "f": "{{f}}", "g": "{{g}}", "h": "{{h}}"}"#,
      gives: #"{"h":{"v":2,"w":1,"k":"status"}}"#),
    Statement(
      "An item whose row is missing is skipped by who needs a member of it",
      #""steps": [{"id": "a", "forEach": [1, 3, 2], "endpoint": "GET https://api.example/{{item}}", "onError": "recover", "extract": {"n": {"value": "{{item}}"}}}, {"id": "b", "forEach": "$.a", "as": "row", "values": {"n": "{{row.n}}"}}, {"id": "c", "forEach": "$.a[1:]", "as": "row", "steps": [{"id": "s", "values": {"n": "{{row.n}}"}}]}, {"id": "d", "forEach": "$.a[*]", "as": "row", "values": {"all": "{{row}}"}}], "outputs": {"b": "{{b}}", "c": "{{c}}", "d": "{{d}}"}"#,
      gives:
        #"{"b":[{"n":1},null,{"n":2}],"c":[{},{"s":{"n":2}}],"d":[{"all":{"n":1}},{"all":null},{"all":{"n":2}}]}"#
    ),
    Statement(
      "An otherwise that fails is a failure, from which nothing recovers",
      #""inputs": {"u": {}}, "steps": [{"id": "a", "when": "$.run.id == 'no'", "onError": "recover", "values": {"x": 1}, "otherwise": {"x": "n{{inputs.u}}"}}, {"id": "b", "forEach": [1], "when": "$.item == 2", "onError": "recover", "values": {"x": 1}, "otherwise": {"x": "n{{inputs.u}}"}}], "outputs": {"b": "{{b}}"}"#,
      inputs: ["u": [1]],
      gives:
        "!'inputs.u' is a list, but a text takes one value; run the step for each with 'forEach', or name one: '{{inputs.u[0]}}'"
    ),
    Statement(
      "A body member named values is no value of the step: the condition fails first",
      #""steps": [\#(request("a", "/ok", #""expect": {"where": ["@.body.values == 1", "@.body.values == 2"]}, "extract": {"x": "$.x"}"#))]"#,
      gives: "!the condition '@.body.values == 1' does not hold"),
    Statement(
      "A file that cannot be read is a failure of kind file",
      #""steps": [{"id": "a", "values": {"x": {"$file": "gone.json"}}, "onError": "recover"}], "outputs": {"kind": "{{a.error.kind}}"}"#,
      gives: #"{"kind":"file"}"#),
    Statement(
      "finally sees run.ok and run.errors, and outputs may read it",
      #""steps": [{"id": "a", "values": {"x": 1}}], "finally": [{"id": "f", "values": {"ok": "{{run.ok}}", "n": "$.run.errors[*].step", "x": "{{a.x}}"}}], "outputs": {"f": "{{f}}"}"#,
      gives: #"{"f":{"ok":true,"n":[],"x":1}}"#),
    Statement(
      "A failure in finally fails the run",
      #""steps": [{"id": "a", "values": {"x": 1}}], "finally": [\#(request("f", "/bad"))], "outputs": {"x": "{{a.x}}"}"#,
      gives: "!answered 500 Internal Server Error"),
    Statement(
      "A finally step whose needs are missing is skipped",
      #""steps": [\#(request("a", "/ok", #""when": "$.run.id == 'no'", "extract": {"v": "$.v"}"#))], "finally": [\#(request("f", "/{{a.v}}")), \#(request("g", "/g"))]"#,
      gives: "{}", sends: ["GET | /g"]),
  ]

  @Test(arguments: steps + collections + failures) func aStatementHolds(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }
}

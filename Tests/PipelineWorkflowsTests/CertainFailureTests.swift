import PipelineSourceText
import Testing

@testable import PipelineLint

/// What is known before a run and does not fail, or may not.
@Suite struct CertainFailureTests {
  @Test(arguments: [
    // A day is a moment in a zone.
    #"{"id": "a", "forEach": {"from": "2026-01-01", "to": "2026-02-01T00:00:00Z", "by": "12h", "zone": "UTC"}, "endpoint": "GET https://a.example/{{item.start}}"}"#,
    #"{"id": "a", "values": {"v": {"$date": {"of": "{{run.startedAt}}", "add": "12h"}}}}"#,
    // What is not known decides.
    #"{"id": "a", "values": {"v": {"$quotient": {"of": ["{{inputs.n}}", 2], "places": 1}}}}"#,
    #"{"id": "a", "values": {"v": {"$sort": ["{{inputs.s}}", "a"]}}}"#,
    #"{"id": "a", "values": {"v": {"$first": ["{{inputs.s}}", "b"]}}}"#,
    #"{"id": "a", "values": {"v": {"$hmac": {"of": "x", "key": {"$uuid": "k"}}}}}"#,
    #"{"id": "a", "values": {"v": {"$json": {"$file": "missing.json"}}}}"#,
    // A condition asks for the default.
    #"{"id": "a", "when": "$.inputs.empty != ''", "endpoint": "GET https://a.example/{{inputs.empty}}"}"#,
    #"{"id": "a", "when": "$.inputs.s == 'x'", "steps": [{"id": "b", "endpoint": "GET https://a.example/{{inputs.empty}}"}]}"#,
    // Places that take an empty text.
    #"{"id": "a", "endpoint": "GET https://a.example/x?y={{inputs.empty}}"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "query": {"y": ["a", 1, null, true]}}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "headers": {"Y": "a\tb"}}"#,
    // Items that are lists where lists are taken, that a condition chooses, or of which some are taken
    // together.
    #"{"id": "a", "forEach": [[1, 2], null], "endpoint": "GET https://a.example/x", "query": {"y": "{{item}}"}}"#,
    #"{"id": "a", "forEach": ["", "b"], "when": "$.item != ''", "endpoint": "GET https://a.example/{{item}}"}"#,
    #"{"id": "a", "forEach": [1, 2], "batch": 2, "endpoint": "GET https://a.example/{{item[0]}}"}"#,
    #"{"id": "a", "forEach": ["", "b"], "until": "@.n == 1", "concurrency": 1, "endpoint": "GET https://a.example/{{item}}", "extract": {"n": "$.n"}}"#,
    // As many items as there may be: batches count.
    #"{"id": "a", "forEach": {"from": 1, "to": 100}, "endpoint": "GET https://a.example/{{item}}"}"#,
    #"{"id": "a", "forEach": {"from": 1, "to": 200}, "batch": 2, "endpoint": "GET https://a.example/{{item[0]}}"}"#,
    #"{"id": "a", "forEach": {"from": "2026-01-01", "to": "2034-05-01", "by": "1mo"}, "endpoint": "GET https://a.example/{{item.start}}"}"#,
    #"{"id": "a", "forEach": {"from": "2026-01-01", "to": "{{inputs.day}}", "by": "1h", "zone": "UTC"}, "endpoint": "GET https://a.example/{{item.start}}"}"#,
    // Values of an extractor's type.
    #"{"id": "a", "endpoint": "GET https://a.example/x", "extract": {"n": {"value": "5", "type": "integer"}, "u": {"url": true, "type": "url"}, "p": {"url": true, "param": "n", "type": "integer"}}}"#,
    // A day that is given may be any.
    #"{"id": "a", "workflow": "certain-failure/orders.json", "inputs": {"day": "{{inputs.day}}", "state": "{{inputs.s}}"}}"#,
    // The first round is the last one.
    #"{"id": "a", "repeat": {"carry": {"n": {"default": 1, "next": {"$quotient": {"of": [1, 0], "places": 1}}}}, "until": "@.b.n == 1", "maxRounds": 1}, "steps": [{"id": "b", "endpoint": "GET https://a.example/{{n}}", "extract": {"n": "$.n"}}]}"#,
    // Items of a block that a condition of a step leaves out, or that a skipped step keeps from one.
    #"{"id": "a", "forEach": ["", "b"], "as": "x", "steps": [{"id": "g", "when": "$.x != ''", "endpoint": "GET https://a.example/{{x}}"}]}"#,
    #"{"id": "a", "forEach": ["", "b"], "as": "x", "steps": [{"id": "f", "when": "$.x != ''", "values": {"v": 1}}, {"id": "g", "endpoint": "GET https://a.example/{{x}}?v={{f.v}}"}]}"#,
    #"{"id": "a", "forEach": ["", "b"], "as": "x", "choose": [{"when": "$.x != ''", "endpoint": "GET https://a.example/{{x}}"}, {"values": {}}]}"#,
    // A run reads a text by the type of the input.
    #"{"id": "a", "workflow": "missing-input/account.json", "inputs": {"id": "5"}}"#,
    #"{"id": "a", "workflow": "missing-input/account.json", "inputs": {"id": "{{inputs.s}}"}}"#,
    // Lists of cookies, and keys of several texts.
    #"{"id": "a", "forEach": [["b", "c"]], "endpoint": "GET https://a.example/x", "cookies": {"c": "{{item}}"}}"#,
    #"{"id": "a", "forEach": [["b", "c"]], "values": {"v": {"$hmac": {"of": "x", "key": "{{item}}"}}}}"#,
    // Proxies as curl takes them.
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "proxy.example.com:3128"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "socks5h://[::1]:1080/"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "HTTPS://proxy"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "http://{{inputs.s}}:{{inputs.n}}"}"#,
  ])
  func aValueThatMayBeGoodHasNoFinding(_ step: String) {
    let text = """
      {"inputs": {"s": {"type": "string"}, "n": {"type": "number"}, "empty": {"default": ""},
         "day": {"type": "date", "default": "2026-01-31"}},
       "limits": {"items": 100},
       "steps": [\(step)], "outputs": {}}
      """
    let found = Linter(loader: FixtureLoader())
      .lint(SourceFile(name: "example.json", bytes: Array(text.utf8))).diagnostics
      .filter { $0.code == "certain-failure" || $0.severity == .error }
    #expect(found.isEmpty, "\(found.map(\.message))")
  }

  @Test func oneCauseHasOneFinding() {
    let text = """
      {"steps": [{"id": "a", "endpoint": "GET https://a.example/x", "headers": {"X": "a\\nb"}}],
       "outputs": {}}
      """
    #expect(Fixtures.lint(text).filter { $0.severity == .error }.count == 1)
  }
}

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
    // Proxies as curl takes them.
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "proxy.example.com:3128"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "socks5h://[::1]:1080/"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "HTTPS://proxy"}"#,
    #"{"id": "a", "endpoint": "GET https://a.example/x", "proxy": "http://{{inputs.s}}:{{inputs.n}}"}"#,
  ])
  func aValueThatMayBeGoodHasNoFinding(_ step: String) {
    let text = """
      {"inputs": {"s": {"type": "string"}, "n": {"type": "number"}, "empty": {"default": ""}},
       "steps": [\(step)], "outputs": {}}
      """
    let found = Fixtures.lint(text).filter { $0.code == "certain-failure" || $0.severity == .error }
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

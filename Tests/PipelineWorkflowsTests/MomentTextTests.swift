import PipelineLint
import PipelineSourceText
import Testing

/// Moments that are compared as texts, wherever lint knows that they are moments.
@Suite struct MomentTextTests {
  private func findings(_ steps: String, outputs: String = "{}") -> [Diagnostic] {
    Fixtures.lint(
      """
      {
        "inputs": {"from": {"type": "datetime"}, "day": {"type": "date"}, "any": {}},
        "state": {"since": {"type": "datetime", "default": "now", "next": "{{run.startedAt}}"}},
        "steps": [
          {"id": "list", "endpoint": "GET https://a.example/",
           "query": {"a": "{{inputs.from}}", "b": "{{state.since}}", "c": "{{inputs.day}}", "d": "{{inputs.any}}"},
           "extract": {"rows": "$.rows", "at": {"body": "$.at", "type": "datetime"}}},
          {"id": "made", "values": {
            "early": {"$date": {"of": "{{inputs.from}}", "add": "-3m"}},
            "start": {"$date": {"of": "{{inputs.day}}", "zone": "UTC"}},
            "day": {"$date": {"of": "{{inputs.from}}", "format": "date"}},
            "before": {"$date": {"of": "{{inputs.day}}", "add": "-3d"}}}}\(steps)
        ],
        "outputs": {"list": "{{list}}", "made": "{{made}}", "more": \(outputs)}
      }
      """
    ).filter { $0.code == "moment-as-text" }
  }

  @Test(arguments: [
    ("$.list.at > $.state.since", "datetime($.list.at) > datetime($.state.since)"),
    ("$.run.startedAt <= {{list.at}}", "datetime($.run.startedAt) <= datetime({{list.at}})"),
    ("$.made.early < $.inputs.any", "datetime($.made.early) < datetime($.inputs.any)"),
    ("$.made.start < $.list.at", "datetime($.made.start) < datetime($.list.at)"),
    (
      "$.list.at >= '2026-01-01T00:00:00Z'",
      "datetime($.list.at) >= datetime('2026-01-01T00:00:00Z')"
    ),
  ])
  func bothSidesAreWrittenAsMoments(when: String, meant: String) {
    let found = findings(#", {"id": "w", "when": "\#(when)", "wait": "1s"}"#)
    #expect(found.map(\.message) == ["moments compare as texts here; write \"\(meant)\""])
    #expect(found.first?.severity == .warning)
    #expect(found.first?.fix?.edits.map(\.replacement) == [meant])
    #expect(found.first?.fix?.isSafe == false)
  }

  @Test func filtersAndWindowsAreSeen() {
    let filter = findings("", outputs: #""$.list.rows[?@.at >= {{state.since}}]""#)
    #expect(
      filter.map(\.message) == [
        "moments compare as texts here; write \"datetime(@.at) >= datetime({{state.since}})\""
      ])
    let window = findings(
      """
      , {"id": "w", "forEach": {"from": "{{inputs.from}}", "to": "{{run.startedAt}}", "by": "1d"},
         "as": "day", "when": "$.day.end > $.list.at", "endpoint": "GET https://a.example/{{day.start}}"}
      """)
    #expect(window.count == 1)
    let until = findings(
      """
      , {"id": "u", "forEach": [1, 2], "concurrency": 1, "until": "@.at > $.state.since",
         "endpoint": "GET https://a.example/{{item}}",
         "extract": {"at": {"body": "$.at", "type": "datetime"}}}
      """)
    #expect(until.count == 1)
  }

  @Test(arguments: [
    "datetime($.list.at) > datetime($.state.since)", "$.list.at == $.state.since",
    // Days are ordered as their texts are, and a day is no moment.
    "$.inputs.day > $.made.day", "$.list.at >= $.inputs.day", "$.list.at > '2026-01-01'",
    "$.made.before < $.made.day", "$.inputs.any > 'a'", "$.list.at > 7",
  ])
  func othersAreNot(when: String) {
    #expect(findings(#", {"id": "w", "when": "\#(when)", "wait": "1s"}"#) == [])
  }

  /// `@.since` of a response is not the step of that name.
  @Test func theCurrentNodeIsNoStep() {
    let found = Fixtures.lint(
      """
      {"inputs": {"since": {"type": "datetime"}}, "steps": [
        {"id": "inputs_", "values": {"a": "{{inputs.since}}"}},
        {"id": "a", "endpoint": "GET https://a.example/", "expect": {"where": ["@.body.run > 'a'"]}}]}
      """
    ).filter { $0.code == "moment-as-text" }
    #expect(found == [])
  }
}

import PipelineJSONText
import PipelineTemplates
import Testing

/// The windows of time of `forEach`.
struct WindowsTests {
  private static func windows(_ json: String) throws -> String {
    let node = try JSONDocument.parse(Array(json.utf8)).root
    let (data, problems) = DataTemplate.parse(windows: node)
    if let problem = problems.first { return "problem: " + problem.message }
    let scope = try Scope(
      #"{"since": "2026-01-30T12:00:00+01:00", "now": "2026-02-01T00:00:00.500Z", "day": "2026-01-31", "n": 3}"#
    )
    do throws(DataError) {
      let list = try data.value(from: DataFixture(scope: scope))
      return (list.map { Array($0.elements) } ?? []).map { window in
        "\(window["start"]?.text ?? "")…\(window["end"]?.text ?? "")"
      }.joined(separator: " ").replacing("\"", with: "")
    } catch {
      return "error: " + error.message
    }
  }

  @Test(arguments: [
    (
      #"{"from": "2026-01-30", "to": "2026-02-02", "by": "1d"}"#,
      "2026-01-30…2026-01-31 2026-01-31…2026-02-01 2026-02-01…2026-02-02"
    ),
    // The last window ends at the end.
    (
      #"{"from": "{{since}}", "to": "{{now}}", "by": "1d"}"#,
      "2026-01-30T12:00:00+01:00…2026-01-31T12:00:00+01:00 2026-01-31T12:00:00+01:00…2026-02-01T01:00:00.500+01:00"
    ),
    // Windows are counted from the first start, so that the 31st comes back.
    (
      #"{"from": "{{day}}", "to": "2026-04-15", "by": "1mo"}"#,
      "2026-01-31…2026-02-28 2026-02-28…2026-03-31 2026-03-31…2026-04-15"
    ),
    (#"{"from": "{{day}}", "to": "{{day}}", "by": "1d"}"#, ""),
    (#"{"from": "2026-02-01", "to": "{{day}}", "by": "1d"}"#, ""),
    (
      #"{"from": "{{day}}", "to": "2026-02-02", "by": "1d", "format": "dd.MM."}"#,
      "31.01.…01.02. 01.02.…02.02."
    ),
    (
      #"{"from": {"$date": {"of": "{{since}}", "startOf": "hour", "add": "36h"}}, "to": "{{now}}", "by": "2h", "zone": "UTC", "format": "unix"}"#,
      "1769900400…1769904000"
    ),
    (
      #"{"from": "{{day}}", "to": "{{now}}", "by": "12h", "zone": "UTC"}"#,
      "2026-01-31T00:00:00Z…2026-01-31T12:00:00Z 2026-01-31T12:00:00Z…2026-02-01T00:00:00Z 2026-02-01T00:00:00Z…2026-02-01T00:00:00.500Z"
    ),
    (
      #"{"from": "{{day}}", "to": "{{now}}", "by": "1d"}"#,
      "error: one of 'from' and 'to' is a date, and the other a moment; write 'zone', in which the day begins"
    ),
    (
      #"{"from": "{{n}}", "to": "{{now}}", "by": "1d"}"#,
      "error: 'from' must be a date such as 2026-01-31 or a moment such as 2026-01-31T09:00:00Z, because 'by' is an amount of time"
    ),
    (
      #"{"from": "{{day}}", "to": "2026-03-01", "by": "0d"}"#,
      "error: 'by' must be more than nothing: the windows would never end"
    ),
    (
      #"{"from": "{{day}}", "to": "2026-03-01", "by": "1h"}"#,
      #"error: the windows cannot be made: a date has no time of day, which "by": "1h" needs; with "zone" it is the moment at which the day begins there"#
    ),
    (
      #"{"from": "{{day}}", "to": "2026-03-01", "by": "1w"}"#,
      #"problem: 'by' takes an amount such as "1d", "-3mo" or "24h"; did you mean "7d"?"#
    ),
  ])
  func windowsAreCountedFromTheirStart(json: String, wanted: String) throws {
    #expect(try Self.windows(json) == wanted)
  }
}

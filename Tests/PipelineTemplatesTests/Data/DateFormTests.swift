import PipelineTemplates
import Testing

struct DateFormTests {
  @Test(arguments: [
    (#"{"$date": {"of": "2026-01-31", "add": "1mo"}}"#, #""2026-02-28""#),
    (
      #"{"$date": {"of": "2026-01-31T09:05:07Z", "add": "-3d", "format": "date"}}"#,
      #""2026-01-28""#
    ),
    (#"{"$date": {"of": "2026-01-31T09:05:07Z", "startOf": "month"}}"#, #""2026-01-01T00:00:00Z""#),
    (#"{"$date": {"of": "2026-01-31T09:05:07Z", "format": "unix"}}"#, "1769850307"),
    (#"{"$date": {"of": 1769850307, "parse": "unix"}}"#, #""2026-01-31T09:05:07Z""#),
    (
      #"{"$date": {"of": "1769850307250", "parse": "unixMilliseconds"}}"#,
      #""2026-01-31T09:05:07.250Z""#
    ),
    (#"{"$date": {"of": "31.01.2026", "parse": "dd.MM.yyyy"}}"#, #""2026-01-31""#),
    (
      #"{"$date": {"of": "31.01.2026 09:05", "parse": "dd.MM.yyyy HH:mm", "zone": "UTC"}}"#,
      #""2026-01-31T09:05:00Z""#
    ),
    (#"{"$date": {"of": "2026-01-31", "zone": "UTC"}}"#, #""2026-01-31T00:00:00Z""#),
    (#"{"$date": {"of": "2026-01-31", "add": "{{id}}d"}}"#, #""2026-02-07""#),
    (#"{"$date": {"of": "{{gone}}", "add": "1d"}}"#, "absent"),
    (#"{"$date": {"of": "{{gone}}", "add": "1d", "default": "{{id}}"}}"#, "7"),
    (#"{"$date": {"of": "{{name}}", "add": "1d"}}"#, "error: dataForm"),
    (#"{"$date": {"of": "{{id}}", "add": "1d"}}"#, "error: dataForm"),
    (#"{"$date": {"of": "2026-01-31", "add": "{{name}}"}}"#, "error: dataForm"),
    (#"{"$date": {"of": "2026-01-31", "add": "3h"}}"#, "error: dataForm"),
    (#"{"$date": {"of": "2026-01-31", "zone": "{{gone}}"}}"#, "error: absent"),
    (#"{"$date": {"of": "2026-01-31", "zone": "{{name}}"}}"#, "error: dataForm"),
    (
      #"{"$date": "{{name}}"}"#,
      #"problem: '$date' without options changes nothing; to send the object unchanged, write {"$literal": …}"#
    ),
    (
      #"{"$date": {"of": "now", "add": "-1d"}}"#,
      #"problem: 'now' is only a default of inputs and state; write "{{run.startedAt}}""#
    ),
    (
      #"{"$date": {"of": "31.1.2026", "add": "-1d"}}"#,
      "problem: '31.1.2026' is not a date such as 2026-01-31 or 2026-01-31T09:00:00Z; 'parse' explains other texts"
    ),
    (
      #"{"$date": {"of": "{{name}}", "format": "%Y-%m-%d"}}"#,
      #"problem: '%Y-%m-%d' is a pattern of strftime; write "yyyy-MM-dd""#
    ),
    (
      #"{"$date": {"of": "{{name}}", "format": "YYYY-MM-DD"}}"#,
      #"problem: 'YYYY' in 'YYYY-MM-DD' is not one of yyyy MM dd HH mm ss SSS XXX; other letters are in single quotes; write "yyyy-MM-dd""#
    ),
    (
      #"{"$date": {"of": "{{name}}", "format": "iso8601"}}"#,
      #"problem: 'iso8601' is not a format of dates; did you mean "rfc3339"?"#
    ),
    (
      #"{"$date": {"of": "{{name}}", "parse": "HH:mm", "zone": "UTC"}}"#,
      "problem: 'parse' of '$date' has no year: yyyy"
    ),
    (
      #"{"$date": {"of": "{{name}}", "parse": "yyyy-MM-dd HH:mm"}}"#,
      #"problem: the text has a time without an offset; write the zone of its clocks, such as "zone": "UTC""#
    ),
    (
      #"{"$date": {"of": "{{name}}", "add": "1 month"}}"#,
      #"problem: 'add' takes an amount such as "1d", "-3mo" or "24h"; did you mean "1mo"?"#
    ),
    (
      #"{"$date": {"of": "{{name}}", "add": "-2w"}}"#,
      #"problem: 'add' takes an amount such as "1d", "-3mo" or "24h"; did you mean "-14d"?"#
    ),
    (
      #"{"$date": {"of": "{{name}}", "startOf": "weeks"}}"#,
      #"problem: 'startOf' must be one of "year", "month", "week", "day", "hour", "minute"; did you mean "week"?"#
    ),
    (
      #"{"$date": {"of": "{{name}}", "startOf": "isoweek"}}"#,
      #"problem: 'startOf' must be one of "year", "month", "week", "day", "hour", "minute"; did you mean "week"?"#
    ),
    (
      #"{"$date": {"of": "2026-01-31", "add": 3}}"#,
      #"problem: 'add' takes an amount such as "1d", "-3mo" or "24h""#
    ),
  ])
  func datesAreReadMovedAndWritten(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func extendedJSONOfMongoDBIsNamed() throws {
    let problems = try DataFixture.parse(#"{"$date": {"$numberLong": "1"}}"#).problems
    #expect(problems.count == 1 && problems[0].message.contains("$literal"))
  }
}

import PipelineTestSupport
import Testing

@testable import PipelineDates

struct DateTests {
  private static func text(
    _ text: String, zone: String? = nil, start: CalendarUnit? = nil, add: String? = nil,
    format: String? = nil
  ) throws -> String {
    guard var value = DateValue(text) else { return "not a date" }
    if let zone { value = value.inZone(try ZoneDatabase.system.zone(zone)) }
    do throws(DateProblem) {
      if let start { value = try value.start(of: start) }
      if let add, let amount = DateAmount(add) { value = try value.adding(amount) }
      var written = DateFormat.rfc3339
      if case .day = value { written = .date }
      if let format { written = DateFormat(named: format) ?? .date }
      return try written.text(of: value)
    } catch {
      return error.message
    }
  }

  @Test(
    arguments: [
      ("2026-01-31", nil, "1mo", "2026-02-28"), ("2024-01-31", nil, "1mo", "2024-02-29"),
      ("2024-02-29", nil, "1y", "2025-02-28"), ("2026-03-31", nil, "-1mo", "2026-02-28"),
      ("2026-01-31", nil, "-3d", "2026-01-28"), ("0000-01-01", nil, "0d", "0000-01-01"),
      ("2026-01-15", CalendarUnit.month, nil, "2026-01-01"),
      ("2026-11-22", .week, nil, "2026-11-16"), ("2026-11-23", .week, nil, "2026-11-23"),
      ("2026-11-23", .year, "-1d", "2025-12-31"),
      ("2026-01-31T23:30:00-02:00", .day, nil, "2026-01-31T00:00:00-02:00"),
      ("2026-01-31T09:05:07.25+01:00", nil, "1mo", "2026-02-28T09:05:07.250+01:00"),
      ("2026-01-31T09:05:07.25Z", .hour, nil, "2026-01-31T09:00:00Z"),
      ("2026-01-31T09:05:07.25Z", nil, "-500ms", "2026-01-31T09:05:06.750Z"),
      ("2026-01-31T23:59:59.999999Z", nil, "1ms", "2026-02-01T00:00:00.000999Z"),
      ("2026-01-31T09:05:60Z", nil, nil, "2026-01-31T09:06:00Z"),
      ("9999-12-31", nil, "1d", "the result would lie outside of the years 0 to 9999"),
      (
        "2026-01-01T00:00:00Z", nil, "999999999999y",
        "the result would lie outside of the years 0 to 9999"
      ),
      (
        "2026-01-01T00:00:00Z", nil, "999999999999999h",
        "the result would lie outside of the years 0 to 9999"
      ),
      ("2026-1-1", nil, nil, "not a date"), ("2026-02-30", nil, nil, "not a date"),
    ] as [(String, CalendarUnit?, String?, String)])
  func datesAreMoved(text: String, start: CalendarUnit?, add: String?, wanted: String) throws {
    #expect(try Self.text(text, start: start, add: add) == wanted)
  }

  private static let hasZones = (try? ZoneDatabase.system.zone("Europe/Berlin")) != nil

  @Test(
    .enabled(if: hasZones, "this system has no tzdata"),
    arguments: [
      ("2026-03-28T12:00:00Z", "1d", "2026-03-29T13:00:00+02:00"),
      ("2026-03-28T12:00:00Z", "24h", "2026-03-29T14:00:00+02:00"),
      // 02:30 is skipped on that day.
      ("2026-03-28T01:30:00Z", "1d", "2026-03-29T03:30:00+02:00"),
      // 02:30 comes twice on that day.
      ("2026-10-24T00:30:00Z", "1d", "2026-10-25T02:30:00+02:00"),
      ("2026-01-31", nil, "2026-01-31T00:00:00+01:00"),
      ("2026-06-30", "1mo", "2026-07-30T00:00:00+02:00"),
      ("2500-07-01T00:00:00Z", nil, "2500-07-01T02:00:00+02:00"),
    ] as [(String, String?, String)])
  func daysAreThoseOfTheZone(text: String, add: String?, wanted: String) throws {
    #expect(try Self.text(text, zone: "Europe/Berlin", add: add) == wanted)
  }

  /// Before there were zones, clocks differed from UTC by seconds, too. Texts with an offset have
  /// minutes of it; others are what the clocks showed.
  @Test(
    .enabled(if: hasZones, "this system has no tzdata"),
    arguments: [
      ("yyyy-MM-dd HH:mm", "1890-01-01 00:00", "1890-01-01 00:00"),
      ("yyyy-MM-dd HH:mm:ss", "1890-01-01 00:00:07", "1890-01-01 00:00:07"),
      ("yyyy-MM-dd HH:mm:ssXXX", "1890-01-01 00:00:07+00:53", "1890-01-01 00:00:07+00:53"),
    ])
  func localTimeIsWrittenAsItWasRead(pattern: String, text: String, wanted: String) throws {
    let format = DateFormat.pattern(try DatePattern(pattern))
    let berlin = try ZoneDatabase.system.zone("Europe/Berlin")
    let value = try #require(format.value(of: text, in: berlin))
    #expect(try format.text(of: value.inZone(berlin)) == wanted)
  }

  @Test(arguments: [
    ("2026-01-31T09:05:07.25+01:00", "unix", "1769846707"),
    ("2026-01-31T09:05:07.25+01:00", "unixMilliseconds", "1769846707250"),
    ("1969-12-31T23:59:59.5Z", "unixMilliseconds", "-500"),
    ("1994-11-06T09:49:37+01:00", "http", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ("2026-01-31T23:05:07-02:00", "date", "2026-01-31"),
  ])
  func datesAreWritten(text: String, format: String, wanted: String) throws {
    #expect(try Self.text(text, format: format) == wanted)
  }

  @Test(arguments: ["unix", "rfc3339", "http"])
  func aDayHasNoTime(format: String) throws {
    #expect(try Self.text("2026-01-31", format: format).hasPrefix("a date has no time of day"))
    #expect(try Self.text("2026-01-31", add: "3h").hasPrefix("a date has no time of day"))
  }

  @Test(
    arguments: [
      ("dd.MM.yyyy", "31.01.2026", "2026-01-31"), ("yyyyMMdd", "20260131", "2026-01-31"),
      ("yyyy-MM", "2026-01", "2026-01-01"), ("yyyy'W'MM''dd", "2026W01'31", "2026-01-31"),
      ("yyyy-MM-dd HH:mm:ss", "2026-01-31 09:05:07", "2026-01-31T09:05:07Z"),
      (
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-01-31T09:05:07.250+05:30",
        "2026-01-31T09:05:07.250+05:30"
      ),
      ("yyyy年MM月dd日", "2026年01月31日", "2026-01-31"), ("dd·MM·yyyy", "31·01·2026", "2026-01-31"),
      ("dd.MM.yyyy", "31.02.2026", nil), ("dd.MM.yyyy", "1.2.2026", nil),
      ("dd.MM.yyyy", "31.01.2026 ", nil), ("HH:mm yyyy", "24:00 2026", nil),
    ] as [(String, String, String?)])
  func patternsAreReadAndWritten(pattern: String, text: String, wanted: String?) throws {
    let format = DateFormat.pattern(try DatePattern(pattern))
    let value = format.value(of: text, in: .utc)
    let written = try value.map { value in
      if case .day = value { return try DateFormat.date.text(of: value) }
      return try DateFormat.rfc3339.text(of: value)
    }
    #expect(written == wanted)
    if let value, pattern != "yyyy-MM" { #expect(try format.text(of: value) == text) }
  }

  @Test(
    arguments: [
      ("%Y-%m-%d", "yyyy-MM-dd"), ("YYYY-MM-DD", "yyyy-MM-dd"),
      ("yyyy-MM-ddTHH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ssXXX"),
      ("%Y-%m-%dT%H:%M:%S", "yyyy-MM-dd'T'HH:mm:ss"),
      ("d/M/yy", nil), ("'open", nil), ("--", nil),
    ] as [(String, String?)])
  func patternsOfOtherToolsAreProposed(pattern: String, meant: String?) {
    let problem = #expect(throws: DatePattern.Problem.self) { try DatePattern(pattern) }
    #expect(problem?.meant == meant)
  }

  @Test(
    arguments: [
      ("1769846707", "2026-01-31T08:05:07Z"), ("1769846707.25", "2026-01-31T08:05:07.250Z"),
      ("-0.5", "1969-12-31T23:59:59.500Z"), ("0", "1970-01-01T00:00:00Z"), ("1e9", nil), ("", nil),
      ("99999999999999", nil), ("1.", nil),
    ] as [(String, String?)])
  func secondsAreRead(text: String, wanted: String?) throws {
    let value = DateFormat.unix.value(of: text, in: nil)
    #expect(try value.map { try DateFormat.rfc3339.text(of: $0) } == wanted)
  }

  @Test func millisecondsAndHeadersAreRead() throws {
    let value = try #require(DateFormat.unixMilliseconds.value(of: "1769846707250", in: nil))
    #expect(try DateFormat.rfc3339.text(of: value) == "2026-01-31T08:05:07.250Z")
    let small = try #require(DateFormat.unixMilliseconds.value(of: "7", in: nil))
    #expect(try DateFormat.rfc3339.text(of: small) == "1970-01-01T00:00:00.007Z")
    let header = try #require(
      DateFormat.http.value(of: "Sun, 06 Nov 1994 08:49:37 GMT", in: nil))
    #expect(try DateFormat.rfc3339.text(of: header) == "1994-11-06T08:49:37Z")
  }

  @Test(arguments: ["../etc/passwd", "/etc/passwd", "", "Europe/", "a b", ".", "Europe//Berlin"])
  func aNameIsNotAPath(name: String) {
    #expect(throws: ZoneDatabase.Problem.unknown(name)) { try ZoneDatabase.system.zone(name) }
  }

  @Test func aSystemWithoutZonesNamesThePackage() throws {
    let database = ZoneDatabase(folders: [TemporaryFolder().path])
    #expect(throws: ZoneDatabase.Problem.missing) { try database.zone("Europe/Berlin") }
    #expect(ZoneDatabase.Problem.missing.message.contains("'tzdata'"))
    #expect(try database.zone("UTC").offset(at: 0) == 0)
  }

  /// Rules as files have them, also for what few zones do.
  @Test(arguments: [
    // America/Nuuk: the change is on the day before.
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_745_999, -7200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_774_746_000, -3600),
    // Europe/Dublin: "summer" is the winter.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_783_000_000, 3600),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_767_300_000, 0),
    ("XXX3EDT4,0/0,J365/23", 1_783_000_000, -14_400),
    ("XXX3EDT4,0/0,J365/23", 1_767_236_400, -14_400),
    ("<+0330>-3:30", 0, 12_600), ("EST5EDT,M3.2.0,M11.1.0", 1_783_000_000, -14_400),
  ])
  func rulesForLaterYearsAreFollowed(rule: String, seconds: Int, offset: Int) throws {
    #expect(try #require(YearlyRule(Array(rule.utf8))).offset(at: seconds) == offset)
  }

  @Test(arguments: [
    "", "E5", "EST", "EST5EDT", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.2.0", "EST5x",
  ])
  func otherRulesAreRefused(rule: String) {
    #expect(YearlyRule(Array(rule.utf8)) == nil)
  }

  /// No damaged file does more than be refused.
  @Test func damagedFilesAreRefused() {
    var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 200)
    #expect(ZoneFile.read([]) == nil && ZoneFile.read(bytes) == nil)
    for place in 20..<44 {
      bytes[place] = 0xFF
      #expect(ZoneFile.read(bytes) == nil)
    }
    for count in 0..<44 { #expect(ZoneFile.read(Array(bytes.prefix(count))) == nil) }
  }
}

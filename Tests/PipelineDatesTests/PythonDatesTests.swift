import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineDates

/// Dates beside those of Python's `zoneinfo` and `dateutil`, which other people wrote.
struct PythonDatesTests {
  private static let hasPython = Tool.hasModule("zoneinfo") && Tool.hasModule("dateutil")

  /// Each line: zone, seconds, nanosecond, operation, and what Python makes of it.
  private static let script = """
    import datetime as d, random, sys, zoneinfo
    from dateutil.relativedelta import relativedelta
    random.seed(39)
    utc = d.timezone.utc
    names = sorted(n for n in zoneinfo.available_timezones()
      if not n.startswith(("right/", "posix/", "posixrules", "localtime", "Factory")))
    def show(t):
      u = t.astimezone(utc)
      return "%d|%s" % ((u - d.datetime(1970, 1, 1, tzinfo=utc)) // d.timedelta(seconds=1), t.strftime("%d.%m.%Y %H:%M:%S"))
    def settled(t, zone):
      # A skipped time moves forward; of a repeated one the first counts.
      return t.replace(fold=0).astimezone(utc).astimezone(zone)
    def line(name, zone, at):
      t = d.datetime.fromtimestamp(at, utc).astimezone(zone)
      out = [name, str(at), show(t)]
      midnight = dict(hour=0, minute=0, second=0, microsecond=0)
      start = {"year": dict(month=1, day=1, **midnight), "month": dict(day=1, **midnight), "day": midnight}
      unit = random.choice(["year", "month", "week", "day", "none"])
      s = t
      if unit == "week": s = settled((t - d.timedelta(days=t.weekday())).replace(**midnight), zone)
      elif unit != "none": s = settled(t.replace(**start[unit]), zone)
      out += [unit, show(s)]
      count = random.choice([1, -1, 2, 5, -13, random.randint(-400, 400)])
      kind = random.choice(["d", "mo", "y", "h", "m"])
      if kind == "y": count = count % 40
      if kind == "mo": count = count % 300
      if kind == "h": r = (s.astimezone(utc) + d.timedelta(hours=count)).astimezone(zone)
      elif kind == "m": r = (s.astimezone(utc) + d.timedelta(minutes=count)).astimezone(zone)
      else:
        step = {"d": relativedelta(days=count), "mo": relativedelta(months=count), "y": relativedelta(years=count)}[kind]
        r = settled((s.replace(tzinfo=None) + step).replace(tzinfo=zone), zone)
      out += ["%d%s" % (count, kind), show(r)]
      print("\\t".join(out))
    first, last = 0, 2145916800
    for _ in range(COUNT):
      name = random.choice(names)
      line(name, zoneinfo.ZoneInfo(name), random.randint(first, last))
    # Around each change of the clocks from 1970 to 2037.
    for name in names[OFFSET::STEP]:
      zone = zoneinfo.ZoneInfo(name)
      at, before = first, None
      while at < last:
        offset = d.datetime.fromtimestamp(at, zone).utcoffset()
        if before is not None and offset != before:
          low, high = at - 86400 * 4, at
          while high - low > 1:
            middle = (low + high) // 2
            if d.datetime.fromtimestamp(middle, zone).utcoffset() == before: low = middle
            else: high = middle
          for near in (-1, 0, -86400, 86399, 3600, -3601): line(name, zone, high + near)
        before = offset
        at += 86400 * 4
    """

  @Test(.enabled(if: hasPython, "Python has no zoneinfo or no dateutil"))
  func datesAreThoseOfPython() throws {
    let script = Self.script
      .replacing("COUNT", with: "\(LongTests.count(3_000, long: 100_000))")
      .replacing("STEP", with: "\(LongTests.count(60, long: 1))")
      .replacing("OFFSET", with: "\(LongTests.count(7, long: 0))")
    let outcome = Tool.run(["python3", "-c", script], in: TemporaryFolder())
    try #require(outcome.status == 0, "\(outcome.error)")
    let pattern = DateFormat.pattern(try DatePattern("dd.MM.yyyy HH:mm:ss"))
    var count = 0
    for line in outcome.output.split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      let zone = try ZoneDatabase.system.zone(fields[0])
      let seconds = try #require(Int(fields[1]))
      func isSame(_ value: DateValue, _ wanted: String) throws -> Bool {
        let unix = try DateFormat.unix.text(of: value)
        guard case .moment(let moment, let zone) = value else { return false }
        // Python writes offsets to a second, and texts have minutes.
        if zone.offset(at: moment.seconds) % 60 != 0 { return wanted.hasPrefix(unix + "|") }
        return try unix + "|" + pattern.text(of: value) == wanted
      }
      let moment = DateValue.moment(Moment(seconds: seconds), zone)
      #expect(try isSame(moment, fields[2]), "\(line)")
      let start = try CalendarUnit(rawValue: fields[3]).map { try moment.start(of: $0) } ?? moment
      #expect(try isSame(start, fields[4]), "\(line)")
      let amount = try #require(DateAmount(fields[5]))
      #expect(try isSame(start.adding(amount), fields[6]), "\(line)")
      count += 1
    }
    #expect(count >= 3_000)
  }
}

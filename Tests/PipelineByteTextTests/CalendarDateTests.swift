import Testing

@testable import PipelineByteText

@Suite struct CalendarDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2100, 3, 1, 47_541),
    (0, 1, 1, -719_528), (0, 2, 29, -719_469), (0, 3, 1, -719_468), (9999, 12, 31, 2_932_896),
  ])
  func daysAreCountedBothWays(year: Int, month: Int, day: Int, days: Int) {
    #expect(CalendarDate.days(year: year, month: month, day: day) == days)
    let date = CalendarDate(unixSeconds: days * 86_400)
    #expect([date.year, date.month, date.day] == [year, month, day])
  }

  /// Each day of a cycle of the calendar, and of the years before and after it, follows the last.
  @Test func eachDayHasItsNumber() {
    var next = -719_528
    for year in 0...410 {
      for month in 1...12 {
        for day in 1...CalendarDate.length(ofMonth: month, year: year) {
          guard CalendarDate.days(year: year, month: month, day: day) == next else {
            Issue.record("\(year)-\(month)-\(day) is not day \(next)")
            return
          }
          next += 1
        }
      }
    }
    #expect(next == -719_528 + 146_097 + 11 * 365 + 3)
  }

  @Test(arguments: [
    (-1, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32),
    (2026, 2, 29), (2100, 2, 29), (2026, 11, 31),
  ])
  func otherDatesDoNotExist(year: Int, month: Int, day: Int) {
    #expect(CalendarDate.days(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"),
    (-1, "1969-12-31T23:59:59.999Z"), (1_769_860_800_250, "2026-01-31T12:00:00.250Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
  ])
  func millisecondsAreWrittenIfThereAreAny(milliseconds: Int, text: String) {
    #expect(CalendarDate.timestamp(unixMilliseconds: milliseconds) == text)
  }
}

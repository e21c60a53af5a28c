import Testing

@testable import PipelineByteText

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("1970-01-01t00:00:00.25z", 0.25),
    ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:30:00.5-00:30", 0.5),
    ("1998-12-31T23:59:60Z", 915_148_800), ("0000-01-01T00:00:00Z", -62_167_219_200),
    ("9999-12-31T23:59:59.9990Z", 253_402_300_799.999),
    ("2026-01-31T12:00:00.123456789012345678901234567890Z", 1_769_860_800.123456789),
  ])
  func aDateTimeIsAMoment(text: String, seconds: Double) throws {
    #expect(try #require(RFC3339.DateTime(text)).secondsSince1970 == seconds)
    #expect(RFC3339.isDateTime(text))
    #expect(RFC3339.isDate(String(text.prefix(10))))
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-02-29T12:00:00Z",
    "2026-13-01T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z",
    "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00,5Z", "2026-01-31T12:00Z", "2026-01-31T12:00:00+1",
    "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00+0100",
    "2026-01-31T12:00:00Z ", "2026-01-31T12:00:00ZZ", "26-01-31T12:00:00Z", "2026-1-31T012:00:00Z",
    "+026-01-31T12:00:00Z", "２026-01-31T12:00:00Z", "2026-01-31T12:00:00\u{0}",
  ])
  func otherTextsAreNone(text: String) {
    #expect(RFC3339.DateTime(text) == nil)
  }

  @Test func aSpaceIsASeparatorIfItIsAllowed() {
    #expect(RFC3339.DateTime("2026-01-31 12:00:00Z", separators: ASCIISet("T ")) != nil)
    #expect(RFC3339.DateTime("2026-01-31t12:00:00Z", separators: ASCIISet("T ")) == nil)
  }

  @Test func momentsAreComparedExactly() throws {
    func moment(_ text: String) throws -> RFC3339.DateTime {
      try #require(RFC3339.DateTime("2026-01-31T" + text))
    }
    #expect(try moment("12:00:00.10Z") == moment("13:00:00.1+01:00"))
    #expect(try moment("12:00:00.00000000000000000001Z") > moment("12:00:00Z"))
    #expect(try moment("12:00:00.9Z") < moment("11:00:01-01:00"))
  }

  @Test(arguments: [
    Double.infinity, -.infinity, .nan, 1e300, 253_402_300_800, -62_167_219_200.1,
  ])
  func noTextNamesOtherMoments(time: Double) {
    #expect(RFC3339.text(secondsSince1970: time) == nil)
  }

  @Test(arguments: [
    (-62_167_219_200.0, "0000-01-01T00:00:00Z"),
    (253_402_300_799.5, "9999-12-31T23:59:59.500Z"), (0, "1970-01-01T00:00:00Z"),
  ])
  func aMomentIsWrittenInUTC(time: Double, text: String) {
    #expect(RFC3339.text(secondsSince1970: time) == text)
  }
}

import PipelineHTTPTerms
import Testing

struct RetryAfterTests {
  /// 1994-11-06T08:49:00Z.
  private let now = 784_111_740.0

  private func seconds(_ text: String) -> Int64? {
    RetryAfter.parse(text, now: now)?.components.seconds
  }

  @Test(
    arguments: [
      ("0", 0), ("120", 120), ("007", 7), ("1000000000", 1_000_000_000),
      ("99999999999999999999999999", 1_000_000_000_000),
      ("2.0", 2), ("2.000", 2), ("1.5", 2), ("0.001", 1),
      ("99999999999999999999.9", 1_000_000_000_000),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sunday, 06-Nov-94 08:49:37 GMT", 37),
      ("Sun Nov  6 08:49:37 1994", 37), ("Sun Nov 06 08:49:37 1994", 37),
      ("Sun, 06 Nov 1994 08:48:00 GMT", 0), ("Sat, 31 Dec 1994 23:59:60 GMT", 4_806_660),
      // More than 50 years ahead is the century before.
      ("Sunday, 06-Nov-45 08:49:37 GMT", 0), ("Sunday, 06-Nov-44 08:49:37 GMT", 1_577_923_237),
    ] as [(String, Int64)])
  func secondsAndDatesAreRead(text: String, expected: Int64) {
    #expect(seconds(text) == expected)
  }

  @Test(arguments: [
    "", " ", "-1", "+2", "0x2", "0x1p1", "1e1", "1.", ".5", ".", "1.5.0", "1,5", "2 s", "inf",
    "nan", "\u{662}",
    "2\u{301}", "1_0", "Fri, 30 Feb 2099 08:49:37 GMT", "Sun, 29 Feb 2099 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    "Foo, 06 Nov 1994 08:49:37 GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
    "Sunday, 31-Feb-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
    "Sun Nov 31 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT\u{301}",
  ])
  func allElseIsNeither(text: String) {
    #expect(seconds(text) == nil)
  }

  @Test(
    arguments: [
      ("", nil), ("a", nil), ("a\tb c", nil), ("\u{85}\u{E9}", nil), ("a ", "blank"),
      ("\ta", "blank"),
      (" ", "blank"), ("a\nb", "control"), ("a\0", "control"), ("\u{7F}", "control"),
      ("\u{301}\r", "control"),
    ] as [(String, String?)])
  func aFieldsValueIsWhatRFC9110Says(text: String, problem: String?) {
    let found = FieldValue.problem(in: text)?.phrase
    #expect(problem.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "")")
  }
}

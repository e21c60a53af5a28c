import Testing

@testable import PipelineTemplates

@Suite struct ForeignPlaceholderTests {
  /// The text that was searched from each opening mark ends at the next one, so that a text of
  /// opening marks takes linear time.
  @Test(arguments: ["{a{b}", "<a<b>", "<%= a <%= b %>", "%(a%(b)s", "{{{{{{{{"])
  func noPlaceholderHoldsAnOpeningMark(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(ForeignPlaceholder(bytes, at: 0, in: 0..<bytes.count) == nil)
  }

  @Test(arguments: [
    ("{a.b} c", 0..<5), ("<a>", 0..<3), ("<%= a %>", 0..<8), ("%a%", 0..<3), ("%(a)s", 0..<5),
  ])
  func aPlaceholderEndsAtItsClosingMark(_ text: String, _ range: Range<Int>) {
    let bytes = Array(text.utf8)
    #expect(ForeignPlaceholder(bytes, at: 0, in: 0..<bytes.count)?.range == range)
  }
}

import PipelineKit
import Testing

@testable import PipelineEngine

/// The moments of an app's clock.
@Suite struct TimestampTests {
  @Test(arguments: [
    (1_769_860_800.25, "2026-01-31T12:00:00.250Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
    (.infinity, "9999-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"),
    (-.infinity, "0000-01-01T00:00:00Z"), (-1e300, "0000-01-01T00:00:00Z"),
    (.nan, "1970-01-01T00:00:00Z"),
  ])
  func everyMomentHasAText(time: Double, text: String) {
    let moment = Timestamp(secondsSince1970: time)
    #expect(moment.text == text)
    #expect(moment.date == String(text.prefix(10)))
  }
}

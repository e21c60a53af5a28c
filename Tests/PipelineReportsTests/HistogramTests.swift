import PipelineTestSupport
import Testing

@testable import PipelineReports

@Suite struct HistogramTests {
  @Test func quantilesAreExactToThreePercent() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      var histogram = Histogram()
      let most = 1 << Int.random(in: 0...40, using: &generator)
      let times = (0..<Int.random(in: 1...2_000, using: &generator)).map { _ in
        Int.random(in: 0...most, using: &generator)
      }
      for time in times { histogram.add(time) }
      let sorted = times.sorted()
      for share in [0.01, 0.5, 0.95, 0.99, 1] {
        let exact = sorted[max(1, Int((share * Double(times.count)).rounded(.up))) - 1]
        let found = histogram.quantile(share)
        #expect(found >= exact && Double(found) <= Double(exact) * 1.032 + 1)
      }
      #expect(histogram.max == sorted.last && histogram.count == times.count)
      #expect(histogram.quantile(1) == sorted.last)
    }
  }

  @Test func bucketsFollowEachOtherWithoutGaps() {
    for bucket in 0..<1_500 {
      #expect(Histogram.end(of: bucket) + 1 == Histogram.start(of: bucket + 1))
      #expect(Histogram.end(of: bucket) >= Histogram.start(of: bucket))
    }
  }

  @Test func aDensityKeepsEveryCountHoweverLongTheRun() {
    var density = Density()
    for second in 0..<10_000 { density.add(at: second * 1_000_000, isGood: second % 10 != 0) }
    #expect(density.good.count <= RunTrace.Most.columns)
    #expect(density.good.reduce(0, +) == 9_000 && density.bad.reduce(0, +) == 1_000)
    #expect(density.good.count * density.width >= 9_999_000_000)
  }
}

import PipelineKit
import PipelineLanguage
import Testing

@testable import PipelineEngine

struct QuotaWindowTests {
  @Test func noSpanHasMoreThanTheQuota() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      let limit = Int.random(in: 1...50, using: &random)
      let span = Double(Int.random(in: 60...5000, using: &random))
      var window = QuotaWindow(span: .seconds(span))
      var time = 1_700_000_000.0
      var sent: [Double] = []
      for _ in 0..<400 {
        time += Double.random(in: 0...(span / 30), using: &random)
        switch window.take(Int.random(in: 1...3, using: &random), of: limit, at: time) {
        case .taken(let count, _):
          sent += Array(repeating: time, count: count)
        case .none(let next):
          #expect(next > time)
          #expect(next <= time + span * (1 + 1.0 / 128) + 0.001)
          // At that time one is free, and just before none is.
          var later = window
          if case .none = later.take(1, of: limit, at: next) { Issue.record("nothing is free") }
          var earlier = window
          if case .taken = earlier.take(1, of: limit, at: next - span / 1000) {
            Issue.record("one was free before")
          }
        }
      }
      for (index, start) in sent.enumerated() {
        #expect(sent[index...].prefix { $0 < start + span }.count <= limit)
      }
      #expect(window.slices.count <= 130)
    }
  }

  @Test func whatIsGivenBackIsFreeAgain() {
    var window = QuotaWindow(span: .seconds(86_400))
    guard case .taken(10, let slice) = window.take(10, of: 10, at: 1_700_000_000) else {
      Issue.record("nothing was taken")
      return
    }
    #expect(!window.isEnded(at: 1_700_000_000 + 86_400))
    #expect(window.isEnded(at: 1_700_000_000 + 86_400 * 1.01))
    window.giveBack(3, to: slice)
    #expect(window.take(5, of: 10, at: 1_700_000_000) == .taken(3, slice: slice))
  }
}

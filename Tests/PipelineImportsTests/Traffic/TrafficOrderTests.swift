import PipelineTestTraits
import Testing

@testable import PipelineImports

struct TrafficOrderTests {
  /// Steps of a second each: `GET` or `POST`, and what they read.
  private func order(
    _ steps: [(method: String, reads: Set<Int>)], isRelaxed: Bool = false
  ) -> TrafficOrder {
    TrafficOrder(
      steps.map { .init(isSafe: $0.method == "GET", time: 1, reads: $0.reads) },
      isRelaxed: isRelaxed)
  }

  @Test func readsStayBetweenTheWritesBesideThem() {
    let order = order([
      ("GET", []), ("GET", []), ("POST", []), ("GET", []), ("POST", []), ("GET", []),
    ])
    #expect(order.waits == [[], [], [0, 1], [2], [3], [4]])
    #expect(order.criticalTime == 5)
  }

  @Test func whatAReadStepWaitsForIsNotRepeated() {
    // 2 reads 1, which reads 0; 4 reads the write 3.
    let order = order([
      ("GET", []), ("GET", [0]), ("GET", [1]), ("POST", []), ("GET", [3]), ("POST", [4]),
    ])
    #expect(order.waits == [[], [], [], [2], [], []])
    #expect(order.criticalTime == 6)
  }

  @Test func onlyValuesOrderRelaxedSteps() {
    let order = order([("POST", []), ("POST", []), ("GET", [1])], isRelaxed: true)
    #expect(order.waits == [[], [], []])
    #expect(order.criticalTime == 2)
  }

  @Test func aLongChainNeedsNoMoreThanItsSteps() {
    // With all steps before each one in memory, this would be gigabytes.
    let steps = (0..<50_000).map { (method: "GET", reads: $0 > 0 ? Set([$0 - 1]) : []) }
    #expect(order(steps).criticalTime == 50_000)
  }
}

import Testing

@testable import PipelineKit

/// Which of the steps that wait for nothing comes first.
@Suite struct FreedStepsTests {
  @Test func theFirstWrittenComesFirst() {
    var freed = FreedSteps(of: 200)
    for step in [130, 5, 199, 64, 63, 5, 0] { freed.insert(step) }
    #expect(freed.removeFirst() == 0)
    #expect(freed.removeFirst() == 5)
    #expect(freed.removeFirst() == 63)
    freed.insert(7)
    #expect(freed.removeFirst() == 7)
    #expect(freed.removeFirst() == 64)
    #expect(freed.removeFirst() == 130)
    #expect(!freed.isEmpty)
    #expect(freed.removeFirst() == 199)
    #expect(freed.isEmpty && freed.removeFirst() == nil)
  }

  @Test func aBlockMayHaveNoSteps() {
    var freed = FreedSteps(of: 0)
    #expect(freed.isEmpty && freed.removeFirst() == nil)
  }
}

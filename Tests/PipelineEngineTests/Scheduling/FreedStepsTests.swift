import PipelineKit
import Testing

@testable import PipelineEngine

/// Which of the steps that wait for nothing comes first.
@Suite struct FreedStepsTests {
  @Test func theFirstWrittenComesFirst() {
    var freed = FreedSteps(Array(repeating: 1, count: 200))
    freed.release([130, 5, 199, 64, 63, 0], of: 0..<200, after: 0)
    #expect(freed.removeFirst() == 0)
    #expect(freed.removeFirst() == 5)
    #expect(freed.removeFirst() == 63)
    freed.release([7], of: 0..<200, after: 0)
    #expect(freed.removeFirst() == 7)
    #expect(freed.removeFirst() == 64)
    #expect(freed.removeFirst() == 130)
    #expect(!freed.isEmpty)
    #expect(freed.removeFirst() == 199)
    #expect(freed.isEmpty && freed.removeFirst() == nil)
  }

  @Test func aStepWaitsForAllThatItFollowsAndForItsPhase() {
    var freed = FreedSteps([0, 2, 0, 1])
    freed.begin(0..<2)
    #expect(freed.removeFirst() == 0)
    freed.release([1, 3], of: 0..<2, after: 0)
    #expect(freed.isEmpty)
    freed.release([1], of: 0..<2, after: 0)
    #expect(freed.removeFirst() == 1)
    freed.begin(2..<4)
    #expect(freed.removeFirst() == 2)
    #expect(freed.removeFirst() == 3)
    #expect(freed.isEmpty)
  }

  @Test func theStepThatEndedLastIsWhatFreedAnother() {
    var freed = FreedSteps([0, 0, 2, 1])
    freed.release([2], of: 0..<3, after: 1)
    #expect(freed.releaser(of: 2) == nil)
    freed.release([2, 3], of: 0..<3, after: 0)
    #expect(freed.releaser(of: 2) == 0)
    #expect(freed.releaser(of: 0) == nil)
    #expect(freed.removeFirst() == 2)
    // Freed by a main step, it begins with its own phase.
    freed.begin(3..<4)
    #expect(freed.removeFirst() == 3 && freed.releaser(of: 3) == 0)
  }

  @Test func aBlockMayHaveNoSteps() {
    var freed = FreedSteps([])
    freed.begin(0..<0)
    #expect(freed.isEmpty && freed.removeFirst() == nil)
  }
}

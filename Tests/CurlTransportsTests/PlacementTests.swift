import Testing

@testable import CurlTransports

@Suite struct PlacementTests {
  private func counts(_ tasks: Int, threads: Int) -> [Int] {
    let placement = Placement(threadCount: threads)
    var counts = [Int](repeating: 0, count: threads)
    for task in 0..<tasks { counts[placement.thread(ofTask: task)] += 1 }
    return counts
  }

  @Test func fewTasksShareTheFirstThread() {
    #expect(counts(16, threads: 2) == [16, 0])
    #expect(counts(17, threads: 4) == [16, 1, 0, 0])
    #expect(counts(1_000, threads: 1) == [1_000])
  }

  @Test func theFirstThreadGetsASmallerShareOfMoreTasks() {
    #expect(counts(16 + 6, threads: 2) == [17, 5])
    #expect(counts(64, threads: 2) == [24, 40])
    #expect(counts(64, threads: 4) == [19, 15, 15, 15])
  }

  @Test func theFirstThreadGetsNoneOfVeryManyTasks() {
    #expect(counts(1_024, threads: 2) == [24, 1_000])
    #expect(counts(64 + 300, threads: 4) == [19, 115, 115, 115])
  }

  @Test func aRequestIsServedWhereItsTaskRuns() {
    let placement = Placement(threadCount: 3)
    let load = { (thread: Int) in [100, 0, 0][thread] }
    #expect(placement.thread(isSecure: false, caller: { 2 }, load: load) == 2)
    #expect(placement.thread(isSecure: true, caller: { 2 }, load: load) == 2)
  }

  @Test func aRequestFromElsewhereGoesToTheThreadWithTheLeastLoad() {
    let placement = Placement(threadCount: 3)
    let serve = { (load: [Int]) in
      placement.thread(isSecure: false, caller: { nil }, load: { load[$0] })
    }
    #expect(serve([15, 0, 0]) == 0)
    #expect(serve([16, 4, 3]) == 2)
    #expect(serve([16, 16, 16]) == 0)
  }

  @Test func requestsOverTLSShareTheFirstThreadForLonger() {
    let placement = Placement(threadCount: 2)
    let serve = { (load: Int) in
      placement.thread(isSecure: true, caller: { 1 }, load: { [load, 0][$0] })
    }
    #expect(serve(63) == 0)
    #expect(serve(64) == 1)
  }
}

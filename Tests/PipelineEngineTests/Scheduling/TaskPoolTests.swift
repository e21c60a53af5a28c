import PipelineKit
import PipelineLanguage
import PipelinePlanning
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// The tasks of a run are few, and carry out one unit after the other.
@Suite struct TaskPoolTests {
  /// Counts the tasks that units are given.
  private final class CountingTransport: Transport {
    let inner = ScriptedTransport { _ in .json(["n": 1]) }
    let started = Mutex<[Int: Int]>([:])

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try await inner.send(request)
    }

    func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
      if let task { started.withLock { $0[task, default: 0] += 1 } }
      return nil
    }
  }

  private func run(_ step: String) async throws -> (tasks: [Int: Int], report: RunReport) {
    let transport = CountingTransport()
    let workflow = """
      {"limits": {"concurrency": 4}, "steps": [{"id": "each", "forEach": {"from": 1, "to": 500},
        "endpoint": "GET https://api.example/{{item}}", "extract": {"n": "$.n"}\(step)}]}
      """
    let result = try await Pipeline(workflow, transport: transport).run().result
    return (transport.started.withLock { $0 }, result.report)
  }

  @Test(arguments: ["", #", "onError": "continue""#])
  func eachIDHasOneTask(_ step: String) async throws {
    let (tasks, report) = try await run(step)
    #expect(report.counts.requests == 500)
    #expect(tasks == [0: 1, 1: 1, 2: 1, 3: 1])
  }

  @Test func aLimitThatIsNeverReachedCostsNothing() async throws {
    let workflow = """
      {"limits": {"concurrency": \(Int.max)}, "steps": [
        {"id": "a", "endpoint": "GET https://api.example/a"}]}
      """
    let transport = ScriptedTransport { _ in .json([:]) }
    let result = try await Pipeline(workflow, transport: transport).run().result
    #expect(result.status == .succeeded)
  }

  @Test func aTaskThatWaitsKeepsNothing() async throws {
    final class Weak {
      weak var unit: Unit?
      init(_ unit: Unit) { self.unit = unit }
    }
    let plan = try plan(
      """
      {"limits": {"concurrency": 4}, "steps": [
        {"id": "each", "forEach": {"from": 1, "to": 9}, "endpoint": "GET https://api.example/{{item}}"}]}
      """)
    let inputs = ScopeValue(text: Array("{}".utf8))
    let context = RunContext(
      transport: ScriptedTransport { _ in .json([:]) }, options: RunOptions(),
      limits: plan.workflow.limits, redactor: Redactor(),
      trust: Trust(plan: plan, inputs: inputs, sandboxOrigin: nil), sink: nil,
      controls: RunControls())
    var state = RunState(
      plan: plan, inputs: inputs, identity: RunIdentity(id: "1", startedAt: 0), concurrency: 4,
      isObserved: false)
    var actions: [Action] = []
    var units: [Weak] = []
    state.start()
    await withDiscardingTaskGroup { group in
      var tasks = TaskPool(context)
      for _ in 0..<2 {
        state.takeActions(into: &actions)
        for case .start(let unit) in actions {
          units.append(Weak(unit))
          tasks.start(unit, in: &group)
        }
        actions = []
        for _ in 0..<4 {
          guard case .done(let unit, let outcome, _)? = await tasks.next() else { return }
          state.finish(unit, outcome, at: .zero)
        }
      }
      // The ninth is held by the state, which has not been asked for it yet.
      #expect(units.count == 8)
      #expect(units.allSatisfy { $0.unit == nil })
      tasks.close()
    }
  }

  @Test func messagesAreReadInTheirOrder() async {
    let mailbox = Mailbox<Int>()
    var messages: [Int] = []
    #expect(mailbox.post(1) && mailbox.post(2))
    await mailbox.receive(into: &messages)
    #expect(messages == [1, 2])
  }

  @Test(.timeLimit(.minutes(5))) func aReaderWaitsForAMessage() async {
    let (there, back) = (Mailbox<Int>(), Mailbox<Int>())
    await withDiscardingTaskGroup { group in
      group.addTask {
        var messages: [Int] = []
        for _ in 0..<10_000 {
          messages.removeAll()
          await there.receive(into: &messages)
          for message in messages { _ = back.post(message + 1) }
        }
      }
      var messages: [Int] = []
      for turn in 0..<10_000 {
        messages.removeAll()
        #expect(there.post(turn))
        await back.receive(into: &messages)
        #expect(messages == [turn + 1])
      }
    }
  }

  @Test func aClosedMailboxTakesNothingAndGivesBackWhatNobodyRead() {
    let mailbox = Mailbox<Int>()
    #expect(mailbox.post(7))
    #expect(mailbox.close() == [7])
    #expect(!mailbox.post(8))
    #expect(mailbox.close() == [])
  }
}

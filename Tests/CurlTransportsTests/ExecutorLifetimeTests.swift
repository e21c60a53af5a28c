import CurlTransports
import PipelineTestTraits
import PipelineTransports
import Synchronization
import Testing

/// A worker outlives the call that hands it a task, whatever that task lets go of.
@Suite(.ownThreads) struct ExecutorLifetimeTests {
  @Test func aTransportMayEndInTheTaskThatItIsGiven() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 { await Self.letGo() }
        }
      }
    }
  }

  /// The worker's thread ends the transport, and then itself, while the caller may still be in the
  /// call that has begun that thread.
  private static func letGo() async {
    let owner = Mutex<CurlTransport?>(CurlTransport())
    await withTaskExecutorPreference(owner.withLock { $0?.preferredExecutor(for: 0) }) {
      owner.withLock { $0 = nil }
    }
  }
}

import Dispatch
import Foundation
import Synchronization

/// What has to be undone when the program ends, also when it is interrupted.
final class Cleanup: Sendable {
  private let pending = Mutex<[@Sendable () -> Void]>([])
  /// The process group that is being waited for; 0: none.
  private let child = Atomic<Int32>(0)

  func add(_ work: @escaping @Sendable () -> Void) {
    pending.withLock { $0.append(work) }
  }

  func waits(for group: pid_t) { child.store(group, ordering: .releasing) }

  /// Undoes the latest first; a second call finds nothing left to do.
  func run() {
    pending.withLock { Self.undo(&$0) }
  }

  private static func undo(_ pending: inout [@Sendable () -> Void]) {
    for step in pending.reversed() { step() }
    pending = []
  }

  /// From now on SIGINT and SIGTERM end the child at work, clean up and exit with 130.
  func runsOnSignals() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The handler holds its own source: it lives as long as the program.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) {}
        // Who waits for the child finds it gone and cleans up, too: it must not get ahead.
        pending.withLock { pending in
          let group = child.load(ordering: .acquiring)
          if group > 0 { kill(-group, SIGKILL) }
          Self.undo(&pending)
          exit(130)
        }
      }
      source.resume()
    }
  }
}

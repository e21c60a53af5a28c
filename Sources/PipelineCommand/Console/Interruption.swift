internal import Synchronization

/// Whether a signal asked the program to end, for work that looks at it between two pieces.
final class Interruption: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }
}

internal import PipelineLanguage
internal import Synchronization

/// What a run has received, and what it holds.
final class RunUsage: Sendable {
  private let bytes = Atomic<Int>(0)
  private let cached = Atomic<Int>(0)
  private let validated = Atomic<Int>(0)
  private let doubts = Atomic<Int>(0)
  /// Bytes of rows, and of bodies that are being read.
  private let memory = MemoryLedger()

  /// How many bytes of bodies were received.
  var bytesReceived: Int { bytes.load(ordering: .relaxed) }

  func countReceived(_ count: Int) {
    bytes.add(count, ordering: .relaxed)
  }

  /// Counts an answer of the cache.
  func count(_ use: CacheUse) {
    switch use {
    case .fresh: cached.add(1, ordering: .relaxed)
    case .validated: validated.add(1, ordering: .relaxed)
    }
  }

  func useCount(_ use: CacheUse) -> Int {
    switch use {
    case .fresh: cached.load(ordering: .relaxed)
    case .validated: validated.load(ordering: .relaxed)
    }
  }

  /// The requests of a run without a journal that may have been carried out.
  var doubtCount: Int { doubts.load(ordering: .relaxed) }

  func countDoubt() { doubts.add(1, ordering: .relaxed) }

  func hold(_ count: Int) {
    if count != 0 { memory.hold(count) }
  }

  func release(_ count: Int) { memory.release(count) }

  /// The memory that the body of one response may take.
  @inline(never)
  func responseBudget(_ limits: Limits) -> ResponseBudget {
    ResponseBudget(memory, limit: limits.memory)
  }

  /// - Throws: A failure where rows, bodies and failures hold more than they may.
  func checkMemory(_ limits: Limits) throws(FailureReason) {
    guard memory.held <= limits.memory else {
      throw .tooMuchHeld(limits)
    }
  }
}

extension FailureReason {
  static func tooMuchHeld(_ limits: Limits) -> FailureReason {
    FailureReason(
      .limit,
      "rows, bodies and failures hold more than \(limits.memoryText); 'limits.memory' sets how"
        + " much they may hold")
  }
}

extension Limits {
  /// `memory` in a message.
  var memoryText: String { SizeText.text(memory) }
}

/// A number of bytes in a message.
enum SizeText {
  static func text(_ bytes: Int) -> String {
    switch bytes {
    case (10 << 20)..., 1 << 20: "\(bytes >> 20) MB"
    case (10 << 10)...: "\(bytes >> 10) KB"
    default: "\(bytes) bytes"
    }
  }
}

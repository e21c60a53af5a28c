internal import PipelineEngine

/// The records of a log: the bytes that they begin with, and what stands for the values in them.
enum TraceRecord {
  /// A process begins: no name is known, and times begin at 0.
  static let process: UInt8 = 1
  /// A name follows, which gets the next number.
  static let name: UInt8 = 2
  static let itemStarted: UInt8 = 3
  static let requestFinished: UInt8 = 4
  static let itemFinished: UInt8 = 5
  /// The name of the step follows each of whose items is a run of its own.
  static let rowStep: UInt8 = 6
  /// A line of a file of events begins.
  static let line = UInt8(ascii: "{")

  /// The bytes before each frame, which give its size.
  static let headSize = 4
  /// The size from which a frame is handed on.
  static let frameSize = 1 << 12
  /// No frame is larger: what says so is damaged.
  static let mostFrameSize = 1 << 30

  /// What is known about a request, apart from its numbers.
  struct Flags: OptionSet {
    let rawValue: UInt8

    static let isReused = Flags(rawValue: 1)
    static let isRetried = Flags(rawValue: 2)
    static let isForToken = Flags(rawValue: 4)
    static let isSent = Flags(rawValue: 8)
    static let hasWaits = Flags(rawValue: 16)
    /// It is an attempt after the first, a page or a poll, or a kept response was used.
    static let isRare = Flags(rawValue: 32)
  }

  /// How an item ended, if nothing else is to be said about it.
  enum Outcome: UInt8 {
    case succeeded, recovered, skipped, failed, cancelled

    /// - Parameter isCut: Whether a failure is left out, because enough of them are kept.
    /// - Returns: `nil` if there is a failure to be kept.
    init?(_ outcome: RunEvent.Outcome, isCut: Bool) {
      switch outcome {
      case .succeeded: self = .succeeded
      case .skipped: self = .skipped
      case .cancelled: self = .cancelled
      case .recovered where isCut: self = .recovered
      case .failed where isCut: self = .failed
      case .recovered, .failed: return nil
      }
    }

    var traced: RunTrace.Outcome {
      switch self {
      case .succeeded: .succeeded
      case .recovered: .recovered
      case .skipped: .skipped
      case .failed: .failed
      case .cancelled: .cancelled
      }
    }
  }

  /// In the order of their bytes.
  static let releases: [Release.Kind] = [
    .start, .dependency, .finally, .step, .item, .slot, .resume,
  ]

  static func byte(of kind: Release.Kind) -> UInt8 {
    switch kind {
    case .start: 0
    case .dependency: 1
    case .finally: 2
    case .step: 3
    case .item: 4
    case .slot: 5
    case .resume: 6
    }
  }
}

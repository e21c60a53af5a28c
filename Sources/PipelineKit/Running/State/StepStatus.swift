/// How far a step of a frame has come.
///
/// Eight bytes, because the next steps are judged by it and a plan may have very many.
enum StepStatus: Sendable {
  /// It waits for the steps that it follows, or it is being decided how it goes on.
  case open
  /// It has an activation of this number.
  case atWork(Int32)
  case ended(StepEnding)

  var ending: StepEnding? { if case .ended(let ending) = self { ending } else { nil } }
  var isOpen: Bool { if case .open = self { true } else { false } }
}

/// How a step ended.
struct StepEnding: Sendable {
  enum Kind: Sendable {
    case succeeded
    /// Some items failed; others may read the rows all the same.
    case collected
    case recovered
    case skipped
    case failed
    case cancelled
  }

  let kind: Kind
  /// Whether there is something that others may read.
  let isReadable: Bool
  /// Whether there is, and nothing of it is missing.
  let isWhole: Bool
}

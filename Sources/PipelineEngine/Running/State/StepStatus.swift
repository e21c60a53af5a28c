/// How far a step of a frame has come.
///
/// Eight bytes, because the next steps are judged by it and a plan may have very many.
enum StepStatus: Sendable {
  /// It waits for its dependencies, or it is being decided how it continues.
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
    /// Some items failed, but others may read the rows.
    case collected
    case recovered
    case skipped
    case failed
    case cancelled
  }

  let kind: Kind
  /// Whether there is something that others may read.
  let isReadable: Bool
  /// Whether there is one, without gaps.
  let isWhole: Bool
}

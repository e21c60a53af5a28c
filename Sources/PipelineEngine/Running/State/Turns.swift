/// How far one call of the scheduler goes.
///
/// A turn starts an item, or draws what follows from an end.
struct Turns {
  /// How many turns one call takes at most.
  private let perCall: Int
  private var left = 0
  /// The number of actions when the last turn began.
  private var firstAction = 0
  /// Whether the last call ended before all possible work was done. If so, `goOn` follows.
  private(set) var isBusy = false

  init(perCall: Int) {
    self.perCall = perCall
  }

  mutating func beginCall() {
    isBusy = false
    left = perCall
  }

  /// Whether there is another turn in this call.
  ///
  /// - Parameters:
  ///   - isInterrupted: Whether the caller has to look at something first.
  ///   - actionCount: The number of actions.
  mutating func take(isInterrupted: Bool, actionCount: Int) -> Bool {
    guard left > 0, !isInterrupted else {
      isBusy = true
      return false
    }
    left -= 1
    firstAction = actionCount
    return true
  }

  /// The number of the first action of the last turn. The actions are taken.
  mutating func takeFirstAction() -> Int {
    defer { firstAction = 0 }
    return firstAction
  }
}

/// A step as events name it.
struct StepLabel: Sendable {
  /// The ids from outside, joined with dots.
  let id: String
  /// The positions of the items around, outermost first.
  let path: [Int]
  /// The same without the numbers of rounds: those share a list of answers in a test.
  let group: [Int]

  init(id: String, path: [Int], group: [Int]? = nil) {
    self.id = id
    self.path = path
    self.group = group ?? path
  }

  /// The label inside an item or a round.
  func item(_ position: Int?, isRound: Bool = false) -> StepLabel {
    guard let position else { return self }
    let inner = path + [position]
    if group.count == path.count, !isRound { return StepLabel(id: id, path: inner) }
    return StepLabel(id: id, path: inner, group: isRound ? group : group + [position])
  }
}

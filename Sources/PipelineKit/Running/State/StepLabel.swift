/// A step as events name it.
struct StepLabel: Sendable {
  /// The ids from outside, joined with dots.
  let id: String
  /// The positions of the items around, outermost first.
  let path: [Int]

  /// The label inside an item.
  func item(_ position: Int?) -> StepLabel {
    guard let position else { return self }
    return StepLabel(id: id, path: path + [position])
  }
}

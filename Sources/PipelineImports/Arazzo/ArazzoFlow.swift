internal import PipelineByteText

/// The ways through the steps of an Arazzo workflow: which steps an action leaves out, and when.
///
/// All jumps lead forward. A step is left out if one of the jumps over it is made.
struct ArazzoFlow {
  private struct Jump {
    let from: Int
    /// Where it leads to; the number of steps is the end.
    let to: Int
    /// When it is made; `nil` if always.
    let condition: String?
  }

  private var jumps: [Jump] = []

  /// - Parameter condition: A condition on the scope; `nil` if the jump is always made.
  mutating func jump(from: Int, to: Int, if condition: String?) {
    if to > from + 1 { jumps.append(Jump(from: from, to: to, condition: condition)) }
  }

  private func over(_ position: Int) -> [Int] {
    jumps.indices.filter { jumps[$0].from < position && position < jumps[$0].to }
  }

  /// Whether no way leads to a step.
  func isUnreachable(_ position: Int) -> Bool {
    over(position).contains { jumps[$0].condition == nil }
  }

  /// The jumps with conditions that leave out a step.
  func guards(of position: Int) -> Set<Int> { Set(over(position)) }

  /// The condition under which a step is reached; `nil` if it always is.
  func condition(of position: Int) -> String? {
    let parts = over(position).compactMap { jumps[$0].condition }.map { "!(\($0))" }
    return parts.isEmpty ? nil : parts.joined(separator: " && ")
  }
}

internal import PipelineKit

/// The failures of a run as an operator wants to read them. Only the first of several equal
/// failures of a step is printed. The end of the run gives the number of items that had them.
struct FailureGroups: Sendable {
  /// How to print a failure.
  enum Advice: Sendable {
    case print
    /// An equal failure was printed, or enough failures of the step were.
    case leaveOut
    /// It is the first of its step that has no room.
    case sayMore
  }

  private struct Key: Hashable {
    let step: String
    let kind: FailureReason.Kind
    let message: String

    init(_ failed: StepFailure) {
      step = failed.step
      kind = failed.failure.kind
      // The elapsed time does not make failures differ.
      message =
        kind == .timeout ? failed.failure.message.filter { !$0.isNumber } : failed.failure.message
    }
  }

  /// In the order in which they were printed.
  private var printed: [Key] = []
  private var known: Set<Key> = []
  private var counts: [String: Int] = [:]

  /// How many different failures of one step are printed.
  private static let mostOfStep = 10
  /// How many items of a group are named.
  private static let mostNamed = 5

  mutating func advice(on failed: StepFailure) -> Advice {
    let key = Key(failed)
    guard !known.contains(key) else { return .leaveOut }
    let count = counts[failed.step, default: 0]
    counts[failed.step] = count + 1
    if count > Self.mostOfStep { return .leaveOut }
    if count == Self.mostOfStep { return .sayMore }
    printed.append(key)
    known.insert(key)
    return .print
  }

  /// A line for each printed failure that others are like.
  func summary(of failures: [StepFailure]) -> [String] {
    var groups: [Key: (count: Int, items: [String], message: String)] = [:]
    for failed in failures {
      guard let item = failed.itemText else { continue }
      let key = Key(failed)
      guard known.contains(key) else { continue }
      var group = groups[key] ?? (0, [], failed.failure.message)
      group.count += 1
      if group.items.count < Self.mostNamed { group.items.append(item) }
      groups[key] = group
    }
    return printed.compactMap { key in
      guard let group = groups[key], group.count > 1 else { return nil }
      let rest = group.count - group.items.count
      let items =
        group.items.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
      return
        "'\(key.step)' failed in the same way in \(group.count.grouped) items (\(items)):"
        + " \(group.message)"
    }
  }
}

internal import PipelineByteText

extension RunTrace {
  /// The failures that nobody recovered from. Items that failed in the same way are together.
  var failureGroups: [[Failed]] {
    var groups: [[Failed]] = []
    for failed in failures where !failed.isRecovered {
      if let index = groups.firstIndex(where: { $0[0].isLike(failed) }) {
        groups[index].append(failed)
      } else {
        groups.append([failed])
      }
    }
    return groups
  }
}

extension RunTrace.Failed {
  /// The positions of the items around, and its own.
  var positions: String {
    (path + [item].compactMap { $0 }).map(String.init).joined(separator: ", ")
  }

  /// Whether people would call it the same failure.
  fileprivate func isLike(_ other: RunTrace.Failed) -> Bool {
    step.equals(bytes: other.step) && kind.equals(bytes: other.kind)
      && message.equals(bytes: other.message)
  }
}

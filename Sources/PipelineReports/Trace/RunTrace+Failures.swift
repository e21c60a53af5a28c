internal import PipelineByteText

extension RunTrace {
  /// The failures that were not recovered from. Items that failed in the same way are grouped.
  var failureGroups: [[Failed]] {
    var groups: [[Failed]] = []
    var positions: [[ExactText]: Int] = [:]
    for failed in failures where !failed.isRecovered {
      let way = [failed.step, failed.kind, failed.message].map { ExactText($0) }
      if let position = positions[way] {
        groups[position].append(failed)
      } else {
        positions[way] = groups.count
        groups.append([failed])
      }
    }
    return groups
  }
}

extension RunTrace.Step {
  /// `3 items`, or `3 rounds`; `nil` if it is not a collection.
  var itemsText: String? { items.map { $0.countText(hasRounds == true ? "round" : "item") } }
}

extension RunTrace {
  /// The positions of a failure in words: `item 3, 0`, or `round 2, item 0`; `nil` if it has none.
  func place(of failed: Failed) -> String? {
    let positions = failed.path + [failed.item].compactMap { $0 }
    if positions.isEmpty { return nil }
    // The collections around, and the step itself, from outside.
    let around = steps.filter { step in
      step.isCollection
        && (failed.step.equals(bytes: step.id) || failed.step.hasPrefix(bytes: step.id + "."))
    }.sorted { $0.id.utf8.count < $1.id.utf8.count }
    guard around.count >= positions.count, around.contains(where: { $0.hasRounds == true }) else {
      return "item " + failed.positions
    }
    return zip(around, positions).map { step, position in
      (step.hasRounds == true ? "round " : "item ") + String(position)
    }.joined(separator: ", ")
  }
}

extension RunTrace.Failed {
  /// The positions of the items around, and its own.
  var positions: String {
    (path + [item].compactMap { $0 }).map(String.init).joined(separator: ", ")
  }
}

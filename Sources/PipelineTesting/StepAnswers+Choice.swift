internal import PipelineLanguage

extension StepAnswers {
  /// The source of the next answer to a request.
  enum Choice {
    /// A single answer to every request.
    case one(TestAnswer)
    /// A list whose answers are given one after the other. Choices with the same name share the
    /// list.
    case list([TestAnswer], name: String)
    /// There are answers for only `count` items.
    case missing(count: Int)
  }

  /// - Parameters:
  ///   - path: The positions of the items and rounds around.
  ///   - group: Those of the items alone: rounds share a list.
  ///   - item: The item that asks.
  func choice(for step: String, at path: [Int], of group: [Int], _ item: Int?) -> Choice {
    switch form {
    case .all(let answer): return .one(answer)
    case .listed(let list):
      let asker = isShared ? "" : "\(group) \(item ?? -1)"
      return .list(list, name: steps.joined(separator: ",") + asker)
    case .items(let lists, let areLists):
      let positions = group + [item].compactMap { $0 }
      let position = positions.last ?? path.last ?? 0
      guard lists.indices.contains(position) else { return .missing(count: lists.count) }
      let list = lists[position]
      if !areLists[position], let answer = list.first { return .one(answer) }
      return .list(list, name: "\(step) \(positions)")
    }
  }

  /// Whether some answer stands in place of a request.
  var givesValues: Bool {
    switch form {
    case .all(let answer): answer.hasValues
    case .listed(let list): list.contains(where: \.hasValues)
    case .items(let lists, _): lists.contains { $0.contains(where: \.hasValues) }
    }
  }
}

extension TestAnswer {
  var hasValues: Bool {
    if case .values = content { return true }
    return false
  }
}

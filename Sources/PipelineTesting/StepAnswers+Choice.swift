internal import PipelineLanguage

extension StepAnswers {
  /// Where the next answer to somebody who asks comes from.
  enum Choice {
    /// The one answer to everything that is asked.
    case one(TestAnswer)
    /// A list that is given one after the other. Whoever has the same name goes on in it.
    case list([TestAnswer], name: String)
    /// There are answers for so many items only.
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

import PipelineJSONText

extension Validator {
  func check(
    _ check: ArrayCheck, _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    switch check {
    case .count(let bound):
      let count = document.childCount(of: index)
      if bound.allows(count) { return true }
      return fail(rule, at: index, "must have \(bound.phrase("item")), but has \(count)")
    case .unique: return isUnique(rule, at: index)
    case .items(let prefix, let rest):
      return items(prefix, rest, rule, at: index, collects, &annotations)
    case .contains(let schema, let least, let most):
      return contains(schema, least, most, rule, at: index, collects, &annotations)
    case .unevaluated(let schema):
      var isValid = true
      for child in children(of: index) where !annotations.contains(child) {
        if holds(schema, forChild: child, rule.keyword, rule.range) { continue }
        isValid = false
        if !isRecording || isFull { break }
      }
      if isValid { annotations.insertAll() }
      return isValid
    }
  }

  private func children(of index: Int) -> [Int] {
    var children: [Int] = []
    var child = document.firstChild(of: index)
    while child < document.endIndex(of: index) {
      children.append(child)
      child = document.next(after: child)
    }
    return children
  }

  private func isUnique(_ rule: Rule, at index: Int) -> Bool {
    let children = children(of: index)
    guard let (first, second) = document.firstEqualPair(among: children) else { return true }
    return fail(
      rule, at: index,
      "must hold each item once, and items \(first) and \(second) are the same: "
        + node(children[second]).excerpt)
  }

  private func items(
    _ prefix: [Int], _ rest: Int?, _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    var position = 0
    var child = document.firstChild(of: index)
    let end = document.endIndex(of: index)
    while child < end {
      if position >= prefix.count && rest == nil { break }
      let isHeld: Bool
      if position < prefix.count {
        isHeld = holds(prefix[position], forChild: child, Keyword.prefixItems.rawValue, rule.range)
      } else {
        isHeld = rest.map { holds($0, forChild: child, rule.keyword, rule.range) } ?? true
      }
      if !isHeld {
        isValid = false
        if !isRecording || isFull { return false }
      }
      if collects { annotations.insert(child) }
      position += 1
      child = document.next(after: child)
    }
    return isValid
  }

  private func contains(
    _ schema: Int, _ least: CountBound, _ most: CountBound?, _ rule: Rule, at index: Int,
    _ collects: Bool, _ annotations: inout Annotations
  ) -> Bool {
    var count = 0
    var child = document.firstChild(of: index)
    let end = document.endIndex(of: index)
    while child < end {
      if silently(schema, at: child, collects: false).isValid {
        count += 1
        if collects { annotations.insert(child) }
        // More cannot change what is known.
        if most == nil, !collects, least.allows(count) { return true }
      }
      child = document.next(after: child)
    }
    for bound in [least, most].compactMap({ $0 }) where !bound.allows(count) {
      let keyword =
        bound.range == rule.range ? Keyword.contains : bound.isLeast ? .minContains : .maxContains
      return fail(
        keyword.rawValue, bound.range, at: index,
        "must have \(bound.phrase("item")) that 'contains' allows, but has \(count)")
    }
    return true
  }
}

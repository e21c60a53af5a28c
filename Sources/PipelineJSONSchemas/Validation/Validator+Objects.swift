import PipelineByteText
import PipelineJSONText
import PipelineSourceText

extension Validator {
  func check(
    _ check: ObjectCheck, _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    switch check {
    case .count(let bound):
      let count = document.childCount(of: index)
      if bound.allows(count) { return true }
      return fail(
        rule, at: index, "must have \(bound.phrase("member")), but has \(count)")
    case .required(let names): return has(names, rule, at: index, after: "")
    case .dependent(let dependents): return dependent(dependents, rule, at: index)
    case .dependentSchemas(let dependents):
      var isValid = true
      for (name, schema) in dependents where document.value(named: name, in: index) != nil {
        let outcome = evaluate(schema, at: index, collects: collects)
        annotations.merge(outcome.annotations)
        isValid = isValid && outcome.isValid
        if !isValid, !isRecording { return false }
      }
      return isValid
    case .members(let members):
      return self.members(members, at: index, collects, &annotations)
    case .names(let schema): return names(schema, rule, at: index)
    case .unevaluated(let schema): return unevaluated(schema, rule, at: index, &annotations)
    }
  }

  // MARK: - Names

  private func has(
    _ names: [RequiredName], _ rule: Rule, at index: Int, after reason: String
  ) -> Bool {
    var isValid = true
    // Many names are looked up in a table, not each among all members.
    let given = names.count > 16 ? Set(node(index).members.map { ExactText($0.name) }) : nil
    for name in names
    where given.map({ !$0.contains(ExactText(name.name)) })
      ?? (document.value(named: name.name, in: index) == nil)
    {
      isValid = false
      guard isRecording, !isFull else { break }
      let others = node(index).members.prefix(100).map(\.name)
      let advice = Spelling.nearest(to: name.name, among: others).map { "; is it '\($0)'?" } ?? ""
      _ = fail(
        rule, at: index, range: name.range, "must have the member '\(name.name)'\(reason)\(advice)")
    }
    return isValid
  }

  private func dependent(
    _ dependents: [(name: String, required: [RequiredName])], _ rule: Rule, at index: Int
  ) -> Bool {
    var isValid = true
    for (name, required) in dependents where document.value(named: name, in: index) != nil {
      let reason = ", since it has '\(name)'"
      isValid = has(required, rule, at: index, after: reason) && isValid
      if !isValid, !isRecording { return false }
    }
    return isValid
  }

  private func names(_ schema: Int, _ rule: Rule, at index: Int) -> Bool {
    isName = true
    defer { isName = false }
    var isValid = true
    var child = document.firstChild(of: index)
    let end = document.endIndex(of: index)
    while child < end {
      if !holds(schema, forChild: child, rule.keyword, rule.range) {
        isValid = false
        if !isRecording || isFull { return false }
      }
      child = document.next(after: child + 1)
    }
    return isValid
  }

  // MARK: - Members

  private func members(
    _ members: MemberRules, at index: Int, _ collects: Bool, _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    var name = document.firstChild(of: index)
    let end = document.endIndex(of: index)
    while name < end {
      let seen = member(members, at: name)
      if !seen.isValid {
        isValid = false
        if !isRecording || isFull { return false }
      }
      if collects, seen.isEvaluated { annotations.insert(name + 1) }
      name = document.next(after: name + 1)
    }
    return isValid
  }

  /// Asks the schemas of one member, which is at the tape index of its name.
  private func member(
    _ members: MemberRules, at name: Int
  ) -> (isValid: Bool, isEvaluated: Bool) {
    var isValid = true
    var isEvaluated = false
    if let position = members.names.position(ofNameAt: name, in: document) {
      isEvaluated = true
      isValid = holds(
        members.schemas[position], forChild: name + 1, Keyword.properties.rawValue,
        members.ranges[position])
    }
    for (pattern, schema, range) in members.patterns
    where matches(pattern, at: name) {
      isEvaluated = true
      let isHeld = holds(schema, forChild: name + 1, Keyword.patternProperties.rawValue, range)
      isValid = isHeld && isValid
    }
    if let (schema, range) = members.additional, !isEvaluated {
      isEvaluated = true
      isValid = holds(
        schema, forChild: name + 1, Keyword.additionalProperties.rawValue, range,
        Spelling.didYouMean(
          document.string(at: name),
          among: members.names.names.map { String(decoding: $0, as: UTF8.self) }))
    }
    return (isValid, isEvaluated)
  }

  private func unevaluated(
    _ schema: Int, _ rule: Rule, at index: Int, _ annotations: inout Annotations
  ) -> Bool {
    var isValid = true
    var name = document.firstChild(of: index)
    let end = document.endIndex(of: index)
    while name < end {
      if !annotations.contains(name + 1),
        !holds(schema, forChild: name + 1, rule.keyword, rule.range)
      {
        isValid = false
        if !isRecording || isFull { return false }
      }
      name = document.next(after: name + 1)
    }
    if isValid { annotations.insertAll() }
    return isValid
  }
}

internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoReader {
  /// Where a step is among the steps of its workflow.
  typealias Place = (position: Int, ids: [String])

  /// What follows a step: jumps to other steps, calls of other workflows, and further attempts.
  ///
  /// - Parameter after: Gets the blocks that come behind the step.
  mutating func actions(
    of node: ReadNode, _ workflow: ReadNode, _ step: inout ArazzoStep, _ scope: Scope,
    _ flow: inout ArazzoFlow, _ place: Place, _ after: inout [JSONValue]
  ) throws(ArazzoRefusal) {
    let failures = try actions("onFailure", of: node, "failureActions", workflow)
    let recovers = try failed(failures, node, &step, scope, &flow, place, &after)
    let successes = try actions("onSuccess", of: node, "successActions", workflow)
    // A step that is left out, or has failed, takes no way at all.
    var marker: String?
    if !successes.isEmpty, recovers || !scope.ownGuards.isEmpty {
      marker =
        step.calledOutputs == nil
        ? "$." + step.extract(.status, isOptional: false) : "$.\(step.name)"
    }
    var earlier: [String] = []
    for action in successes {
      let criteria = try conditions(of: action, &step, scope)
      let parts = (earlier.map { "!(\($0))" } + criteria).map(Self.grouped)
      let all = [marker].compactMap(\.self) + parts
      let condition = all.isEmpty ? nil : all.joined(separator: " && ")
      switch action["type"]?.string {
      case "end": flow.jump(from: place.position, to: place.ids.count, if: condition)
      case "goto" where action["workflowId"] != nil:
        after.append(try block(action, condition, scope))
        flow.jump(from: place.position, to: place.ids.count, if: condition)
      case "goto":
        flow.jump(
          from: place.position, to: try target(of: action, place), if: condition)
      case let type:
        throw ArazzoRefusal(
          line: line(action), message: "an action of type '\(type ?? "")' has no counterpart")
      }
      guard !criteria.isEmpty else { break }
      earlier.append(criteria.map(Self.grouped).joined(separator: " && "))
    }
    for action in successes { action.ignore("name") }
  }

  private static func grouped(_ condition: String) -> String {
    condition.contains(bytes: "||") && !condition.hasPrefix(bytes: "!(")
      ? "(\(condition))" : condition
  }

  /// The actions of a step, and those of its workflow that it does not replace.
  private func actions(
    _ key: String, of node: ReadNode, _ shared: String, _ workflow: ReadNode
  ) throws(ArazzoRefusal) -> [ReadNode] {
    var found: [ReadNode] = []
    for holder in [node[key], workflow[shared]] {
      for action in holder.items {
        var action = action
        if let reference = action["reference"]?.string {
          action = try document.component(reference, in: shared)
        }
        let name = action["name"]?.string
        let isKnown = found.contains { name != nil && $0["name"]?.string == name }
        if !isKnown { found.append(action) }
      }
    }
    return found
  }

  /// The conditions of an action on the scope.
  private mutating func conditions(
    of action: ReadNode, _ step: inout ArazzoStep, _ scope: Scope
  ) throws(ArazzoRefusal) -> [String] {
    var criteria = ArazzoCriteria()
    for criterion in action["criteria"].items {
      try criteria.add(criterion) { expression throws(ArazzoRefusal) in
        let query = ArazzoExpression.query(expression.pointer)
        switch expression.root {
        case .status: return "$." + step.extract(.status, isOptional: false)
        case .body: return "$." + step.extract(.body("$" + query), isOptional: true)
        case .header(let name): return "$." + step.extract(.header(name), isOptional: true)
        case .calledOutput(let name):
          guard let own = step.calledOutputs?[name] else {
            throw ArazzoRefusal(line: line(criterion), message: "it has no output '\(name)'")
          }
          return "$.\(step.name).\(own)\(query)"
        default: return try scoped(expression, scope)
        }
      }
    }
    note(criteria.versions, criteria, action)
    if !criteria.statuses.isEmpty {
      let path = "$." + step.extract(.status, isOptional: false)
      let statuses = criteria.statuses.filter { !$0.hasSuffix(bytes: "xx") }
      let condition = statuses.map { "\(path) == \($0)" }.joined(separator: " || ")
      if !condition.isEmpty { return [condition] + criteria.conditions }
    }
    return criteria.conditions
  }

  /// Says that queries of an old dialect are read as those of the standard.
  mutating func note(_ versions: [String], _ criteria: ArazzoCriteria, _ node: ReadNode) {
    if versions.contains(where: { $0.contains(bytes: "goessner") }) {
      report.approximate(line(node), "queries are read as RFC 9535 has them")
    }
  }

  /// The position of the step that an action goes to.
  private func target(of action: ReadNode, _ place: Place) throws(ArazzoRefusal) -> Int {
    let id = action["stepId"]?.string ?? ""
    guard let target = place.ids.firstIndex(where: { $0.equals(bytes: id) }) else {
      throw ArazzoRefusal(line: line(action), message: "'goto' names no step of the workflow")
    }
    guard target > place.position else {
      throw ArazzoRefusal(
        line: line(action),
        message: "'goto' back to step '\(id)' makes a loop; write 'poll' or 'repeat'")
    }
    return target
  }

  /// The workflow that an action goes to, as a block.
  private mutating func block(
    _ action: ReadNode, _ condition: String?, _ scope: Scope
  ) throws(ArazzoRefusal) -> JSONValue {
    let id = action["workflowId"]?.string ?? ""
    var inputs: [String: Value] = [:]
    for parameter in action["parameters"].items {
      guard let key = parameter["name"]?.string, let value = parameter["value"] else { continue }
      inputs[key] = try self.value(of: value, scope)
    }
    let word = id.split(ascii: ".").last.map { String($0) } ?? id
    var step = ArazzoStep(name: stepNames.next(for: word, otherwise: "step"))
    if let condition { step.members.append(.init("when", .string(condition))) }
    try call(id, &step) { (reader, called, inner) throws(ArazzoRefusal) in
      inner.inputs = reader.given(inputs, to: called)
    }
    return step.json
  }

  // MARK: After a failure

  /// Writes what follows a failure of a step.
  ///
  /// - Returns: Whether the run goes on after some failures.
  private mutating func failed(
    _ actions: [ReadNode], _ node: ReadNode, _ step: inout ArazzoStep, _ scope: Scope,
    _ flow: inout ArazzoFlow, _ place: Place, _ after: inout [JSONValue]
  ) throws(ArazzoRefusal) -> Bool {
    var hasRetry = false
    /// The statuses that no later action sees.
    var taken: [String] = []
    var recovered: [String]? = []
    for (number, action) in actions.enumerated() {
      action.ignore("name")
      let isLast = number == actions.count - 1
      var criteria = ArazzoCriteria()
      for criterion in action["criteria"].items {
        try criteria.add(criterion) { expression throws(ArazzoRefusal) in
          try self.path(ofResponse: expression, scope)
        }
      }
      note(criteria.versions, criteria, action)
      let type = action["type"]?.string
      let isBack = (action["stepId"]?.string).map { $0.equals(bytes: place.ids[place.position]) }
      switch type {
      case "end":
        // So ends a run anyway.
        if isLast || action["criteria"] == nil { break }
        guard criteria.conditions.isEmpty else {
          throw ArazzoRefusal(
            line: line(action),
            message: "an 'end' by other criteria than a status, with actions after it, has no"
              + " counterpart")
        }
        taken += criteria.statuses
      case "retry":
        guard isBack != false, action["workflowId"] == nil else {
          throw ArazzoRefusal(
            line: line(action),
            message: "a retry that carries out other steps first has no counterpart")
        }
        guard !hasRetry else {
          throw ArazzoRefusal(line: line(action), message: "a second retry has no counterpart")
        }
        hasRetry = true
        let retry = try retry(action, criteria, taken, step)
        step.members.append(.init("retry", .object(retry)))
      case "goto":
        guard criteria.conditions.isEmpty, taken.isEmpty || !criteria.statuses.isEmpty else {
          throw ArazzoRefusal(
            line: line(action),
            message: "a 'goto' after a failure by other criteria than a status has no counterpart")
        }
        let statuses = criteria.statuses.filter { !taken.contains($0) }
        let path = "$.\(step.name).error"
        let condition =
          statuses.isEmpty
          ? path : statuses.map { "\(path).status == \($0)" }.joined(separator: " || ")
        if action["workflowId"] != nil {
          after.append(try block(action, condition, scope))
          flow.jump(from: place.position, to: place.ids.count, if: condition)
        } else {
          flow.jump(from: place.position, to: try target(of: action, place), if: condition)
        }
        recovered = statuses.isEmpty ? nil : recovered.map { $0 + statuses }
        taken += statuses
      default:
        throw ArazzoRefusal(
          line: line(action), message: "an action of type '\(type ?? "")' has no counterpart")
      }
      if action["criteria"] == nil, type != "retry" {
        for other in actions.dropFirst(number + 1) { other.ignore() }
        break
      }
    }
    guard recovered?.isEmpty != true else { return false }
    let statuses = recovered?.map { JSONValue(number: $0) ?? .string($0) }
    step.members.append(
      .init("onError", statuses.map { .object([.init("recover", .array($0))]) } ?? "recover"))
    return true
  }

  private mutating func retry(
    _ action: ReadNode, _ criteria: ArazzoCriteria, _ taken: [String], _ step: ArazzoStep
  ) throws(ArazzoRefusal) -> [JSONValue.Member] {
    // A retry once is the default (Arazzo 1.0.1, §4.6.8).
    let limit = max(0, min(action["retryLimit"]?.number?.int ?? 1, 1_000_000))
    var retry: [JSONValue.Member] = [.init("attempts", JSONValue(limit + 1))]
    let isCall = step.calledOutputs != nil
    if criteria.conditions.isEmpty {
      let statuses = criteria.statuses.filter { !taken.contains($0) }
      guard !statuses.isEmpty || taken.isEmpty else {
        throw ArazzoRefusal(
          line: line(action), message: "a retry of all statuses but some has no counterpart")
      }
      if !statuses.isEmpty {
        retry.append(
          .init("on", .array(statuses.map { JSONValue(number: $0) ?? .string($0) })))
      } else if isCall {
        retry.append(
          .init("on", ["network", "timeout", "status", "expect", "extract", "schema", "fail"]))
      } else {
        retry += step.anyFailure
      }
    } else {
      guard taken.isEmpty, !isCall else {
        throw ArazzoRefusal(
          line: line(action), message: "a retry by these criteria has no counterpart")
      }
      let statuses = criteria.statuses.filter { !$0.hasSuffix(bytes: "xx") }
      let status = statuses.map { "@.status == \($0)" }.joined(separator: " || ")
      let parts = (status.isEmpty ? [] : [status]) + criteria.conditions
      retry.append(.init("on", ["network"]))
      retry.append(
        .init("when", .string(parts.map(Self.grouped).joined(separator: " && "))))
    }
    if let seconds = action["retryAfter"]?.number {
      retry.append(.init("delay", .string(Self.duration(milliseconds: seconds.double * 1000))))
      retry.append(.init("factor", 1))
      retry.append(.init("jitter", false))
    }
    if step.sendsChanges {
      retry.append(.init("unsafe", true))
      report.approximate(
        line(action), "what changes something is sent again, with an Idempotency-Key")
    }
    return retry
  }

  /// `2s` or `1500ms`.
  static func duration(milliseconds: Double) -> String {
    let whole = Int(max(1, min(milliseconds.rounded(), 3_000_000_000)))
    return whole % 1000 == 0 ? "\(whole / 1000)s" : "\(whole)ms"
  }
}

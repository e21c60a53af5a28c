import PipelineJSONText

extension Validator {
  /// Checks what other schemas say about the same value. The annotations of a schema count only if
  /// the value is valid against it.
  func check(
    _ applicator: Applicator, _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    switch applicator {
    case .reference(let schema): return asks(schema, at: index, collects, &annotations)
    case .all(let schemas):
      var isValid = true
      for schema in schemas {
        isValid = asks(schema, at: index, collects, &annotations) && isValid
        if !isValid, !isRecording || isFull { return false }
      }
      return isValid
    case .any(let schemas): return any(schemas, rule, at: index, collects, &annotations)
    case .one(let schemas): return one(schemas, rule, at: index, collects, &annotations)
    case .not(let schema):
      guard silently(schema, at: index, collects: false).isValid else { return true }
      return fail(
        rule, at: index, "must not satisfy the schema of 'not', but is: \(node(index).excerpt)")
    case .conditional(let condition, let then, let otherwise):
      let outcome = silently(condition, at: index, collects: collects)
      annotations.merge(outcome.annotations)
      guard let next = outcome.isValid ? then : otherwise else { return true }
      return asks(next, at: index, collects, &annotations)
    }
  }

  private func asks(
    _ schema: Int, at index: Int, _ collects: Bool, _ annotations: inout Annotations
  ) -> Bool {
    let outcome = evaluate(schema, at: index, collects: collects)
    if collects { annotations.merge(outcome.annotations) }
    return outcome.isValid
  }

  private func any(
    _ schemas: [Int], _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    var isValid = false
    for schema in schemas {
      let outcome = silently(schema, at: index, collects: collects)
      guard outcome.isValid else { continue }
      isValid = true
      guard collects else { break }
      annotations.merge(outcome.annotations)
    }
    return isValid || failsAll(schemas, rule, at: index)
  }

  private func one(
    _ schemas: [Int], _ rule: Rule, at index: Int, _ collects: Bool,
    _ annotations: inout Annotations
  ) -> Bool {
    var valid: [Int] = []
    for (position, schema) in schemas.enumerated() {
      let outcome = silently(schema, at: index, collects: collects)
      guard outcome.isValid else { continue }
      valid.append(position)
      if valid.count > 1 { break }
      annotations.merge(outcome.annotations)
    }
    guard valid.count != 1 else { return true }
    guard valid.count > 1 else { return failsAll(schemas, rule, at: index) }
    return fail(
      rule, at: index,
      "must satisfy only one schema of 'oneOf', and schemas \(valid[0] + 1) and "
        + "\(valid[1] + 1) do")
  }

  /// Reports that none of several schemas allows a value, and the violation of the nearest one.
  private func failsAll(_ schemas: [Int], _ rule: Rule, at index: Int) -> Bool {
    guard isRecording, !isFull else { return false }
    let nearest = nearestViolation(among: schemas, at: index)
    let advice = nearest.map { "; nearest: " + $0.message } ?? ""
    return fail(
      rule, at: index,
      "satisfies none of the \(counted(schemas.count, "schema")) of '\(rule.keyword)'\(advice)")
  }

  /// The violations of the schema that gets furthest: those inside the value rather than of the
  /// whole value.
  private func nearestViolation(
    among schemas: [Int], at index: Int
  ) -> SchemaViolation? {
    let outer = (found, limit)
    limit = 1
    defer { (found, limit) = outer }
    var nearest: Found?
    for schema in schemas {
      found = []
      _ = evaluate(schema, at: index, collects: false)
      guard let first = found.first else { continue }
      if nearest == nil || first.index != index { nearest = first }
      // Going on would go into the value once for each schema, and so again at each level of it.
      if first.index != index { break }
    }
    return nearest?.violation
  }
}

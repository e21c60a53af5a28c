import PipelineJSONPaths
import PipelineJSONText

/// Checks one value against a schema, on the tape.
///
/// The first pass only says whether the value is valid. If it is not, a second pass finds the
/// places of the violations and reports them. It does not enter values that the first pass found
/// valid.
final class Validator {
  /// The maximum depth of schemas entered one within another, which fits into a thread's stack. On
  /// Linux that is two for each level of a value at the parsers' limit. A deeper value is reported,
  /// and never taken for valid.
  #if canImport(Darwin)
    static let depthLimit = 240
  #else
    static let depthLimit = 1100
  #endif

  let subschemas: [Subschema]
  let document: JSONDocument
  private let start: Int
  private let root: Int
  private let schemaRange: Range<Int>

  /// Whether this is the second pass.
  var isRecording = false
  /// How many violations are enough.
  var limit = 1
  var found: [Found] = []
  /// Whether what is checked is a member's name.
  var isName = false
  private var depth = 0
  private var isTooDeep = false
  private var memory: [Visit: Outcome] = [:]
  private var searchers: [IRegexp.Searcher?]

  /// A violation, and the tape index of the value that has it.
  struct Found {
    let index: Int
    let violation: SchemaViolation
  }

  /// The result of a schema for a value.
  struct Outcome {
    var isValid = true
    /// Empty unless they were requested.
    var annotations = Annotations()
  }

  private struct Visit: Hashable {
    let schema: Int
    let index: Int
    let collects: Bool
  }

  /// The maximum of remembered results: a few megabytes.
  private static let memoryLimit = 1 << 16

  init(_ schema: Schema, instance: JSONNode) {
    subschemas = schema.subschemas
    schemaRange = schema.node.range
    root = schema.root
    searchers = Array(repeating: nil, count: schema.patternCount)
    document = instance.document
    start = instance.index
  }

  func holds() -> Bool {
    let isValid = evaluate(root, at: start, collects: false).isValid
    return isValid && !isTooDeep
  }

  /// The violations, after `holds()` found that there are some.
  func violations(limit: Int) -> [SchemaViolation] {
    isRecording = true
    self.limit = limit
    if !isTooDeep { _ = evaluate(root, at: start, collects: false) }
    if isTooDeep || found.isEmpty {
      let reason = isTooDeep ? "nests too deep to be checked" : "does not satisfy the schema"
      let place = InstancePlace(of: start, from: start, in: document)
      return [
        SchemaViolation(
          instancePath: place.normalized, keyword: isTooDeep ? Keyword.ref.rawValue : "schema",
          schemaRange: schemaRange, message: "'\(place.short)' \(reason)")
      ]
    }
    var seen: Set<SchemaViolation> = []
    return found.enumerated()
      .sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
      .map(\.element.violation).filter { seen.insert($0).inserted }
  }

  /// Asks a schema about the value at a tape index.
  ///
  /// - Parameter collects: Whether the caller needs annotations.
  func evaluate(_ schema: Int, at index: Int, collects: Bool) -> Outcome {
    var schema = schema
    // Schemas that only refer to another one do not add to the depth. The parser refuses loops.
    while case .applicator(.reference(let target))? = subschemas[schema].onlyCheck {
      schema = target
    }
    guard !subschemas[schema].rules.isEmpty else { return Outcome() }
    guard subschemas[schema].isShared else {
      return evaluateAnew(schema, at: index, collects: collects)
    }
    let visit = Visit(schema: schema, index: index, collects: collects)
    if let outcome = memory[visit], outcome.isValid || !isRecording { return outcome }
    let outcome = evaluateAnew(schema, at: index, collects: collects)
    if memory.count >= Self.memoryLimit { memory.removeAll(keepingCapacity: true) }
    memory[visit] = outcome
    return outcome
  }

  private func evaluateAnew(_ schema: Int, at index: Int, collects: Bool) -> Outcome {
    guard depth < Self.depthLimit else {
      isTooDeep = true
      return Outcome(isValid: false)
    }
    guard !isTooDeep else { return Outcome(isValid: false) }
    depth += 1
    defer { depth -= 1 }
    let collectsHere = collects || subschemas[schema].collects
    var outcome = Outcome()
    for rule in subschemas[schema].rules {
      // After a failed rule, the last rules would report values that it did not get to see.
      if !outcome.isValid, rule.check.rank == 4 { break }
      if check(rule, at: index, collectsHere, &outcome.annotations) { continue }
      outcome.isValid = false
      if !isRecording || isFull || rule.check.rank == 0 { break }
    }
    if !collects || !outcome.isValid { outcome.annotations = Annotations() }
    return outcome
  }

  private func check(
    _ rule: Rule, at index: Int, _ collects: Bool, _ annotations: inout Annotations
  ) -> Bool {
    switch rule.check {
    case .never: return fail(rule, at: index, "is not allowed: the schema there is 'false'")
    case .value(let check): return self.check(check, rule, at: index)
    case .array(let check):
      guard document.element(at: index).isArray else { return true }
      return self.check(check, rule, at: index, collects, &annotations)
    case .object(let check):
      guard document.element(at: index).isObject else { return true }
      return self.check(check, rule, at: index, collects, &annotations)
    case .applicator(let applicator):
      return self.check(applicator, rule, at: index, collects, &annotations)
    }
  }
}

// MARK: - Recording

extension Validator {
  var isFull: Bool { found.count >= limit }

  func node(_ index: Int) -> JSONNode { JSONNode(document: document, index: index) }

  /// Records a violation in the second pass.
  ///
  /// - Parameter predicate: The rest of the message after the place: `must be a string, and is a
  ///   number: 7`.
  /// - Returns: `false`.
  func fail(
    _ rule: Rule, at index: Int, range: Range<Int>? = nil, _ predicate: @autoclosure () -> String
  ) -> Bool {
    fail(rule.keyword, range ?? rule.range, at: index, predicate())
  }

  func fail(
    _ keyword: String, _ range: Range<Int>, at index: Int, _ predicate: @autoclosure () -> String
  ) -> Bool {
    guard isRecording, !isFull else { return false }
    let place = InstancePlace(of: index, from: start, in: document)
    let subject = isName ? "the name of '\(place.short)'" : "'\(place.short)'"
    found.append(
      Found(
        index: index,
        violation: SchemaViolation(
          instancePath: place.normalized, keyword: keyword, schemaRange: range,
          message: "\(subject) \(predicate())")))
    return false
  }

  /// Whether the string or name at a tape index matches a pattern in some part.
  func matches(_ pattern: Pattern, at index: Int) -> Bool {
    var searcher = searchers[pattern.position] ?? IRegexp.Searcher(pattern.regexp)
    searchers[pattern.position] = nil
    defer { searchers[pattern.position] = searcher }
    return document.withUTF8(at: index) { searcher.search($0) }
  }

  /// Asks a schema without telling what it does not allow.
  func silently(_ schema: Int, at index: Int, collects: Bool) -> Outcome {
    let wasRecording = isRecording
    isRecording = false
    defer { isRecording = wasRecording }
    return evaluate(schema, at: index, collects: collects)
  }

  /// Asks a schema about a member or item. Where that is `false`, the keyword that leads there says
  /// so.
  func holds(
    _ schema: Int, forChild index: Int, _ keyword: String, _ range: Range<Int>,
    _ advice: @autoclosure () -> String = ""
  ) -> Bool {
    if subschemas[schema].isNever {
      return fail(
        keyword, range, at: index, "is not allowed: '\(keyword)' is 'false' there\(advice())")
    }
    return evaluate(schema, at: index, collects: false).isValid
  }
}

extension Subschema {
  /// The check of a schema that has no other.
  var onlyCheck: Check? { rules.count == 1 ? rules[0].check : nil }
}

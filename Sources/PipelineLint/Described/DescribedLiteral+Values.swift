import PipelineByteText
import PipelineJSONPaths
import PipelineJSONSchemas
import PipelineJSONText
import PipelineOpenAPI
import PipelineSourceText

/// What a schema says of texts, numbers and lengths.
extension DescribedLiteral {
  func scalarProblems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ name: String
  ) -> [Difference] {
    if value.isNull { return [] }
    for part in branch.parts {
      if let problem = choiceProblem(value, part, name) ?? boundProblem(value, part, name)
        ?? patternProblem(value, part, name)
      {
        return [problem]
      }
    }
    return branch.parts.lazy.compactMap { formatProblem(value, $0, name) }.first.map { [$0] } ?? []
  }

  private func choiceProblem(
    _ value: JSONNode, _ part: DescribedNode, _ name: String
  ) -> Difference? {
    let choices =
      part.node["enum"].map { Array($0.elements) } ?? [part.node["const"]].compactMap(\.self)
    guard !choices.isEmpty, !choices.contains(where: { isEqual($0, value) }) else { return nil }
    let texts = choices.map { $0.string ?? $0.text }
    let written = value.string ?? value.text
    let near = Spelling.nearest(to: written, among: texts)
    let proposal =
      near == nil
      ? Proposal.oneOf(texts, at: nil, "it takes")
      : Proposal.didYouMean(
        near, at: value.range, as: near.map { JSONValue.string($0).description })
    return Difference(
      kind: .value,
      message: "'\(name)' is \(value.text), which the API does not list" + proposal.text,
      range: value.range, node: part["enum"] ?? part,
      fix: value.kind == .string ? proposal.fix : nil)
  }

  private func isEqual(_ choice: JSONNode, _ value: JSONNode) -> Bool {
    if choice.isEqual(to: value) { return true }
    return isText && (choice.string ?? choice.text).equals(bytes: value.string ?? value.text)
  }

  /// A number out of range, or a text or list of another length.
  private func boundProblem(
    _ value: JSONNode, _ part: DescribedNode, _ name: String
  ) -> Difference? {
    func problem(_ keyword: String, _ words: String) -> Difference? {
      guard let bound = part[keyword] else { return nil }
      return Difference(
        kind: .value, message: "'\(name)' \(words) \(bound.node.text)", range: value.range,
        node: bound)
    }
    let number =
      value.number
      ?? (isText && part.node["type"]?.string != "string"
        ? value.string.flatMap { JSONNumber($0) } : nil)
    if let number {
      if let low = part.node["minimum"]?.number {
        let isExclusive = part.node["exclusiveMinimum"]?.boolean == true
        if number < low || isExclusive && number == low {
          return problem("minimum", isExclusive ? "must be more than" : "must be at least")
        }
      }
      if let high = part.node["maximum"]?.number {
        let isExclusive = part.node["exclusiveMaximum"]?.boolean == true
        if number > high || isExclusive && number == high {
          return problem("maximum", isExclusive ? "must be less than" : "must be at most")
        }
      }
      if let low = part.node["exclusiveMinimum"]?.number, number <= low {
        return problem("exclusiveMinimum", "must be more than")
      }
      if let high = part.node["exclusiveMaximum"]?.number, number >= high {
        return problem("exclusiveMaximum", "must be less than")
      }
      if let step = part.node["multipleOf"]?.number, Divisor(step)?.divides(number) == false {
        return problem("multipleOf", "must be a multiple of")
      }
    }
    let (count, least, most): (Int, String, String)
    if let text = value.string {
      (count, least, most) = (text.unicodeScalars.count, "minLength", "maxLength")
    } else if value.kind == .array {
      (count, least, most) = (value.count, "minItems", "maxItems")
    } else {
      return nil
    }
    let unit = value.kind == .array ? "elements" : "characters"
    if let low = part.node[least]?.number?.int, count < low {
      return problem(least, "has \(count) \(unit), and the minimum is")
    }
    if let high = part.node[most]?.number?.int, count > high {
      return problem(most, "has \(count) \(unit), and the maximum is")
    }
    return nil
  }

  /// A text that a pattern does not find. A pattern that is not a regular expression is ignored.
  private func patternProblem(
    _ value: JSONNode, _ part: DescribedNode, _ name: String
  ) -> Difference? {
    guard let text = value.string, let pattern = part["pattern"],
      let regexp = pattern.node.string.flatMap({ try? IRegexp.parse(ecmaScript: $0).get() }),
      !regexp.search(text)
    else { return nil }
    return Difference(
      kind: .value, message: "'\(name)' does not match the pattern '\(regexp.pattern)'",
      range: value.range, node: pattern)
  }

  /// A text of another format. It is not certain that a server checks it (validation §7.2.1).
  private func formatProblem(
    _ value: JSONNode, _ part: DescribedNode, _ name: String
  ) -> Difference? {
    guard let format = part["format"], let wanted = format.node.string else { return nil }
    if let bits = ["int32": 31, "int64": 63][wanted] {
      let text = value.number == nil && isText ? value.string : nil
      guard let number = value.number ?? text.flatMap({ JSONNumber($0) }),
        number.isInteger, !Self.fits(number, bits: bits)
      else { return nil }
      return Difference(
        kind: .format, message: "'\(name)' is out of the range of \(wanted)", range: value.range,
        node: format)
    }
    guard let text = value.string, let known = Format(rawValue: wanted),
      !known.allows(Array(text.utf8)[...])
    else { return nil }
    return Difference(
      kind: .format, message: "'\(name)' is not \(known.phrase)", range: value.range, node: format)
  }

  /// Whether a whole number fits a signed integer of `bits` bits and a sign.
  private static func fits(_ number: JSONNumber, bits: Int) -> Bool {
    guard let value = number.int else { return false }
    return bits == 63 || (Int(Int32.min)...Int(Int32.max)).contains(value)
  }
}

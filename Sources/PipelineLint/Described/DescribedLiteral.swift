import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// Compares what is written in a request with the schema that describes it.
struct DescribedLiteral {
  /// A difference that is certain, but for members that a schema leaves open.
  struct Difference {
    enum DifferenceKind {
      /// A value that the schema does not allow.
      case value
      /// A member that is required and not there.
      case missing
      /// A member that the schema rules out, or one whose name is nearly that of a described one.
      case undescribed(isRuledOut: Bool)
    }

    let kind: DifferenceKind
    let message: String
    let range: Range<Int>
    let node: DescribedNode?
    var fix: DiagnosticFix?

    fileprivate func isSame(as other: Difference) -> Bool {
      range == other.range && message == other.message
    }

    /// Whether the server refuses the request.
    fileprivate var isCertain: Bool {
      if case .undescribed(isRuledOut: false) = kind { false } else { true }
    }
  }

  let call: DescribedCall
  /// Whether values are sent as texts, as in a query.
  let isText: Bool

  /// - Parameters:
  ///   - value: As written, with templates.
  ///   - name: What the value is the value of.
  func problems(_ value: JSONNode, _ shape: SchemaShape, _ name: String) -> [Difference] {
    guard !shape.isUnknown, !shape.branches.isEmpty else { return [] }
    let all = shape.branches.map { problems(value, $0, shape, name) }
    let fitting = all.filter { !$0.contains(where: \.isCertain) }
    let compared = fitting.isEmpty ? all : fitting
    let shared = compared[0].filter { problem in
      compared.dropFirst().allSatisfy { $0.contains { problem.isSame(as: $0) } }
    }
    if fitting.isEmpty, !shared.contains(where: \.isCertain) {
      return [
        Difference(
          kind: .value, message: "'\(name)' is none of the values that the API describes",
          range: value.range, node: shape.node)
      ]
    }
    return shared
  }

  private func problems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ shape: SchemaShape, _ name: String
  ) -> [Difference] {
    if let text = value.string, text.contains(bytes: "{{") {
      return templateProblems(value, text, branch, name)
    }
    if DataTemplate.isForm(value) || value.string?.hasPrefix(bytes: "$") == true { return [] }
    if isText { return textProblems(value, branch, shape, name) }
    let type = SchemaShape.Branch.type(of: value)
    guard fits(type, branch) else {
      return [mismatch(SchemaShape.words(of: [type]), value, branch, name)]
    }
    var found = scalarProblems(value, branch, name)
    switch value.kind {
    case .array: found += elementProblems(value, shape, name)
    case .object: found += memberProblems(value, branch, shape)
    case .string, .number, .boolean, .null: break
    }
    return found
  }

  // MARK: Types

  private func fits(_ type: String, _ branch: SchemaShape.Branch) -> Bool {
    guard let types = branch.types else { return true }
    return types.contains(type) || type == "integer" && types.contains("number")
  }

  private func mismatch(
    _ words: String, _ value: JSONNode, _ branch: SchemaShape.Branch, _ name: String
  ) -> Difference {
    let wanted = SchemaShape.words(of: branch.types?.subtracting(["null"]) ?? [])
    var fix: DiagnosticFix?
    if !isText, let text = value.string, let number = JSONNumber(text),
      fits(number.isInteger ? "integer" : "number", branch)
    {
      fix = .replacing(value.range, with: text, isSafe: false)
    }
    return Difference(
      kind: .value,
      message: "'\(name)' is \(words.isEmpty ? "null" : words), but the API takes"
        + " \(wanted.isEmpty ? "no such value" : wanted)",
      range: value.range, node: branch.parts.first { $0.node["type"] != nil } ?? branch.parts.first,
      fix: fix)
  }

  /// A template whose type is known, or that gives a text.
  private func templateProblems(
    _ value: JSONNode, _ text: String, _ branch: SchemaShape.Branch, _ name: String
  ) -> [Difference] {
    guard let types = branch.types else { return [] }
    guard let whole = Template.parse(text).template.whole else {
      return isText || types.contains("string")
        ? [] : [mismatch(SchemaShape.words(of: ["string"]), value, branch, name)]
    }
    let shape = call.context.read(whole.query, in: call.step.number).shape
    guard let kind = shape.kind else { return [] }
    let possible: Set<String> =
      switch kind {
      case .string: isText ? types : ["string"]
      case .number: isText ? ["integer", "number", "string", "array"] : ["integer", "number"]
      case .boolean: isText ? ["boolean", "string", "array"] : ["boolean"]
      case .array: isText ? types : ["array"]
      case .object: isText ? types : ["object"]
      case .null: types
      }
    return types.isDisjoint(with: possible) ? [mismatch(shape.words, value, branch, name)] : []
  }

  // MARK: Texts

  /// A value of a query, a header or a path, where numbers are texts as well.
  private func textProblems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ shape: SchemaShape, _ name: String
  ) -> [Difference] {
    guard let types = branch.types, !types.contains("object"), value.kind != .object else {
      return []
    }
    if value.kind == .array { return elementProblems(value, shape, name) }
    guard !value.isNull else { return [] }
    let text = value.string ?? value.text
    if types.contains("array") {
      // How a list is separated is up to its style.
      let isOne = text.utf8.allSatisfy(Self.wordBytes.contains)
      return isOne && types == ["array"] ? elementProblem(value, shape, name) : []
    }
    if types.contains("string") { return scalarProblems(value, branch, name) }
    let isRead =
      types.contains("number") && JSONNumber(text) != nil
      || types.contains("integer") && JSONNumber(text)?.isInteger == true
      || types.contains("boolean") && (text == "true" || text == "false")
    guard isRead || types.isEmpty else {
      return [
        mismatch(
          value.kind == .string
            ? "the text '\(text)'" : SchemaShape.words(of: [SchemaShape.Branch.type(of: value)]),
          value, branch, name)
      ]
    }
    return scalarProblems(value, branch, name)
  }

  private static let wordBytes = ASCIISet.letters.union(.digits).union(ASCIISet("-"))

  private func elementProblem(
    _ value: JSONNode, _ shape: SchemaShape, _ name: String
  ) -> [Difference] {
    problems(value, shape.children(listsOnly: true).shape, name)
  }

  private func elementProblems(
    _ value: JSONNode, _ shape: SchemaShape, _ name: String
  ) -> [Difference] {
    let elements = shape.children(listsOnly: true).shape
    return elements.isEmpty ? [] : value.elements.flatMap { problems($0, elements, name) }
  }

  // MARK: Values

  private func scalarProblems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ name: String
  ) -> [Difference] {
    if value.isNull { return [] }
    for part in branch.parts {
      if let problem = choiceProblem(value, part, name) ?? boundProblem(value, part, name) {
        return [problem]
      }
    }
    return []
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

  // MARK: Members

  private func memberProblems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ shape: SchemaShape
  ) -> [Difference] {
    var found: [Difference] = []
    let described = branch.propertyNames
    let given = Array(value.members)
    var missing = required(of: branch).filter { name in
      !given.contains { $0.name.equals(bytes: name.name) }
    }
    for member in given where !member.name.contains(bytes: "{{") {
      guard !described.contains(member.name) else {
        let own = branch.parts.compactMap { $0["properties"]?[member.name] }
        let shapes = own.map { SchemaShape($0, in: call.description) }
        // All of them hold, so each problem counts.
        found += shapes.flatMap { problems(member.value, $0, member.name) }
        continue
      }
      let isRuledOut = branch.isClosed
      guard isRuledOut || !branch.takesAnyMember else { continue }
      let free = described.filter { name in !given.contains { $0.name == name } }
      let near = Spelling.nearest(to: member.name, among: free)
      guard isRuledOut || near != nil else { continue }
      let name =
        member.nameRange.lowerBound
        + 1..<max(member.nameRange.upperBound - 1, member.nameRange.lowerBound + 1)
      let proposal = Proposal.didYouMean(near, at: name)
      found.append(
        Difference(
          kind: .undescribed(isRuledOut: isRuledOut),
          message: "the API describes no property '\(member.name)' here" + proposal.text,
          range: member.nameRange,
          node: branch.parts.lazy.compactMap { part in
            near.map { part["properties"]?[$0] } ?? part["properties"]
          }.first, fix: proposal.fix))
      missing.removeAll { $0.name == near }
    }
    // A name that is computed may be any.
    guard !given.contains(where: { $0.name.contains(bytes: "{{") }) else { return found }
    for (name, node) in missing {
      found.append(
        Difference(
          kind: .missing, message: "the body lacks the property '\(name)', which the API requires",
          range: value.range.lowerBound..<value.range.lowerBound + 1, node: node))
    }
    return found
  }

  /// The properties that a request must have.
  private func required(of branch: SchemaShape.Branch) -> [(name: String, node: DescribedNode)] {
    var found: [(name: String, node: DescribedNode)] = []
    for part in branch.parts {
      guard let list = part["required"] else { continue }
      for name in list.node.elements.compactMap(\.string)
      where !found.contains(where: { $0.name == name }) {
        let own = branch.parts.compactMap { $0["properties"]?[name] }
        // What a server fills in itself is not missed, whatever the list says.
        let isGiven = own.contains { node in
          let schema = Schema(node, in: call.description)
          return schema["readOnly"]?.boolean == true || schema["default"] != nil
        }
        if !isGiven { found.append((name, list)) }
      }
    }
    return found
  }
}

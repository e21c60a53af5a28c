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
      /// A text of another format, which the server may take all the same.
      case format
      /// A member that is deprecated.
      case deprecated
    }

    let kind: DifferenceKind
    let message: String
    let range: Range<Int>
    let node: DescribedNode?
    var fix: DiagnosticFix?

    func isSame(as other: Difference) -> Bool {
      range == other.range && message == other.message
    }

    /// Whether the server refuses the request.
    var isCertain: Bool {
      switch kind {
      case .value, .missing: true
      case .undescribed(let isRuledOut): isRuledOut
      case .format, .deprecated: false
      }
    }
  }

  /// The request that templates are a part of; `nil` if the values are data, in which nothing is a
  /// template.
  let call: DescribedCall?
  /// Whether values are sent as texts, as in a query.
  let isText: Bool

  /// - Parameters:
  ///   - value: As written, with templates.
  ///   - name: What the value is the value of.
  func problems(_ value: JSONNode, _ shape: SchemaShape, _ name: String) -> [Difference] {
    problems(in: shape, name, at: value.range) { problems(value, $0, shape, name) }
  }

  /// The problems that a value has in every branch that it may be meant for.
  func problems(
    in shape: SchemaShape, _ name: String, at range: Range<Int>,
    _ judge: (SchemaShape.Branch) -> [Difference]
  ) -> [Difference] {
    guard !shape.isUnknown, !shape.branches.isEmpty else { return [] }
    let all = shape.branches.map(judge)
    let fitting = all.filter { !$0.contains(where: \.isCertain) }
    let compared = fitting.isEmpty ? all : fitting
    let shared = compared[0].filter { problem in
      compared.dropFirst().allSatisfy { $0.contains { problem.isSame(as: $0) } }
    }
    if fitting.isEmpty, !shared.contains(where: \.isCertain) {
      return [
        Difference(
          kind: .value, message: "'\(name)' is none of the values that the API describes",
          range: range, node: shape.node)
      ]
    }
    return shared
  }

  private func problems(
    _ value: JSONNode, _ branch: SchemaShape.Branch, _ shape: SchemaShape, _ name: String
  ) -> [Difference] {
    if let call {
      if let text = value.string, isTemplate(text) {
        return templateProblems(value, text, branch, name, call)
      }
      if DataTemplate.isForm(value) || value.string?.hasPrefix(bytes: "$") == true { return [] }
    }
    if isText { return textProblems(value, branch, shape, name) }
    let type = SchemaShape.Branch.type(of: value)
    guard fits(type, branch) else {
      return [mismatch(SchemaShape.words(of: [type]), value, branch, name)]
    }
    var found = scalarProblems(value, branch, name)
    switch value.kind {
    case .array: found += elementProblems(value, shape, name)
    case .object:
      found += memberProblems(
        value.members.map { GivenMember($0) }, DescribedMembers(branch, in: shape.description),
        at: value.range)
    case .string, .number, .boolean, .null: break
    }
    return found
  }

  /// Whether a text is known only when the request is sent.
  func isTemplate(_ text: String) -> Bool { call != nil && text.contains(bytes: "{{") }

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
    _ value: JSONNode, _ text: String, _ branch: SchemaShape.Branch, _ name: String,
    _ call: DescribedCall
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
}

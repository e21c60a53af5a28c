import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The object of `repeat`.
struct RepeatKeys: DeclaredObject, Sendable {
  let carried: [Rounds.CarriedValue]
  let until: Written<Condition>?
  let maxRounds: Int?
  let every: Written<Template>?

  init(_ keys: inout Keys) {
    carried =
      keys.optional(
        "carry", CarryType(),
        "The values that a round hands to the next one, by name; each is visible in the block.",
        example: #"{"offset": {"default": 0, "next": "{{get.end}}"}}"#, names: .scope,
        foreign: ["variables vars state accumulator context with"]) ?? []
    until = keys.required(
      "until", .condition(of: .row),
      "The rounds end after the first one whose row, `@`, satisfies this.", example: #""@.done""#,
      foreign: [
        .says("while condition loopCondition", "write 'until': \"!(…)\"", as: "\"!(…)\"")
      ])
    maxRounds = keys.required(
      "maxRounds", RoundCountType(),
      "The maximum number of rounds; a round beyond it fails the step.", example: "100",
      foreign: ["max limit times attempts maxAttempts maxIterations iterations count"])
    every = keys.optional(
      "every", PauseTemplateType(), "The pause before each round but the first.",
      standard: "\"0s\"", example: #""5s""#, foreign: ["delay interval pause wait sleep"])
    keys.advise([
      .says("forEach items in over", "items are 'forEach' in the step; rounds have none"),
      .says("steps do", "it belongs beside 'repeat', in the step"),
    ])
  }
}

/// One value of `carry`.
private struct CarriedKeys: DeclaredObject {
  let type: Input.ValueType?
  let first: Written<DataTemplate>?
  let next: Written<DataTemplate>?
  let nextRange: Range<Int>?

  init(_ keys: inout Keys) {
    type = keys.inputType(example: #""integer""#)
    first = keys.optional(
      "default", .written(.value),
      "The value of the first round; without it, the value is absent there.", example: "0",
      foreign: ["initial start initialValue first from"])
    next = keys.required(
      "next", .written(.value),
      "The value of the following round, made of the steps of this one.",
      example: #""{{get.end}}""#, foreign: ["value set update"])
    nextRange = keys.range(of: "next")
    keys.advise([
      .says("optional", "without 'default' the value is absent in the first round"),
      .says("secret", "what is made of a secret is secret anyway"),
    ])
  }
}

extension LanguageObject {
  /// `repeat`
  static let rounds = LanguageObject(
    .rounds, "repetition", place: "in 'repeat'", of: RepeatKeys.self)

  /// A member of `carry`.
  static let carried = LanguageObject(
    .carried, "carried value", place: "in a carried value", of: CarriedKeys.self)
}

/// The value of `carry`: an object for each name, or `next` alone.
private struct CarryType: ValueType {
  var description: LanguageType {
    .map(.either([.object(.carried), .template, .scopeQuery, .form]))
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Rounds.CarriedValue]? {
    guard decoder.isMap(node, name, "an object of names and values") else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, .scope, at: member.nameRange)
      return Self.value(member, &decoder)
    }
  }

  private static func value(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> Rounds.CarriedValue {
    let node = member.value
    func carried(
      _ type: Input.ValueType?, _ first: DataTemplate?, _ next: Field?
    ) -> Rounds.CarriedValue {
      Rounds.CarriedValue(
        name: member.name, nameRange: member.nameRange, type: type, first: first, next: next)
    }
    if node.kind == .string || DataTemplate.isForm(node) {
      let next = decoder.data(node, queries: .allowed)
      return carried(
        nil, nil, Field(name: member.name, nameRange: member.nameRange, value: next, node: node))
    }
    guard
      let fields = decoder.fields(
        of: node, .carried, .named("carried value", member.name),
        wanted: "a template such as \"{{get.end}}\", or an object with 'next'"),
      let keys = decoder.object(CarriedKeys.self, fields)
    else { return carried(nil, nil, nil) }
    if let type = keys.type, let first = keys.first, first.value.uses.isEmpty,
      !DataTemplate.isForm(first.node), let problem = type.problem(with: first.node)
    {
      decoder.report(
        .wrongType, "the default of '\(member.name)' must be \(type.words), not \(problem)",
        type.proposal(for: first.node), at: first.node.range)
    }
    let next = keys.next.map {
      Field(
        name: member.name, nameRange: keys.nextRange ?? $0.range, value: $0.value, node: $0.node)
    }
    return carried(keys.type, keys.first?.value, next)
  }
}

/// A whole number from 1 to a million.
private struct RoundCountType: ValueType {
  private static let most = 1_000_000

  var description: LanguageType { .integer(minimum: 1) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Int? {
    guard let count = decoder.integer(node, name, minimum: 1) else { return nil }
    guard count <= Self.most else {
      decoder.report(
        .invalidValue, "'\(name)' must be at most \(Self.most)", at: node.range,
        fix: .replacing(node.range, with: "\(Self.most)", isSafe: false))
      return nil
    }
    return count
  }
}

/// A duration that may be none, or a template that gives one: `{{seconds}}s`.
private struct PauseTemplateType: ValueType {
  var description: LanguageType { .either([.pause, .template]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
    if node.string?.contains(bytes: "{{") != true {
      let wanted = "a duration such as \"5s\" or \"{{seconds}}s\""
      guard decoder.duration(node, name, allowsZero: true, wanted: wanted) != nil else {
        return nil
      }
    }
    return decoder.template(node, name, allowsEmpty: false)
  }
}

extension WorkflowDecoder {
  /// `repeat`, as the collection of its rounds.
  mutating func rounds(
    _ keys: RepeatKeys, _ node: JSONNode, _ onError: FailureEffect
  ) -> Iteration {
    for value in keys.carried { checkHiding(value.name, at: value.nameRange) }
    // Without the maximum, which is reported, the names are known all the same.
    let rounds = Rounds(
      carried: keys.carried, maxRounds: keys.maxRounds ?? 1, every: keys.every, node: node)
    return Iteration(
      source: Written(.rounds(rounds), at: node), name: nil, indexName: nil,
      concurrency: Written(1, at: node), batch: nil, until: keys.until, isDistinct: false,
      onItemError: onError == .recover ? .collect : .fail)
  }

  /// Reports a `when` that reads what only a round has.
  mutating func checkWhen(_ when: Written<Condition>?, of rounds: Rounds?) {
    guard let when, let rounds else { return }
    for reference in when.value.references {
      guard let name = reference.query.firstName, rounds.carries(name) else { continue }
      report(
        .invalidValue,
        "'when' is judged once, before the first round, and '\(name)' has no value then; write the"
          + " condition in 'until', or 'when' in a step of the block",
        at: when.range(of: reference.range))
    }
  }
}

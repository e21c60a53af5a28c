import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
package import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// The names of a workflow that its tests may use.
package struct TestNames {
  /// A step by its id, after the ids of the blocks and calls around it.
  package struct Entry: Sendable {
    package let id: String
    package let step: Step
    /// The positions of items that lead to it.
    package let depth: Int
    /// Whether it is the look-up of a step, which has an answer of its own (`settle`).
    package var isLookUp = false
  }

  /// The steps, those of the first ways that lead to them if there are very many.
  package let steps: [Entry]
  private let workflow: LintedWorkflow
  private let inputs: [Input]
  private let outputs: [String]?
  private let state: [String]
  /// The state values that each item has by itself.
  private let itemState: [String]
  private let environments: [Workflow.Environment]
  private let defaultEnvironment: String?

  package init(_ linted: LintedWorkflow) {
    var steps: [Entry] = []
    Self.add(linted, "", 0, &steps, callDepth: 0)
    self.steps = steps
    workflow = linted
    inputs = linted.workflow?.inputs ?? []
    outputs = linted.workflow?.block.outputs?.map(\.name)
    state = linted.workflow?.state.map(\.name) ?? []
    itemState = linted.workflow?.state.filter(\.isOfItems).map(\.name) ?? []
    environments = linted.workflow?.environments ?? []
    defaultEnvironment = linted.workflow?.defaultEnvironment?.value
  }

  private static func add(
    _ linted: LintedWorkflow, _ prefix: String, _ depth: Int, _ steps: inout [Entry],
    callDepth: Int
  ) {
    guard let workflow = linted.workflow, callDepth < 32 else { return }
    add(workflow.block, linted, prefix, depth, &steps, callDepth)
  }

  private static func add(
    _ block: Block, _ linted: LintedWorkflow, _ prefix: String, _ depth: Int,
    _ steps: inout [Entry], _ callDepth: Int
  ) {
    for step in block.steps + block.finally where steps.count < mostSteps {
      // A branch of a choice has a number for a name.
      let id = prefix + step.pathID
      let inner = depth + (step.forEach == nil ? 0 : 1)
      steps.append(Entry(id: id, step: step, depth: inner))
      if let settle = step.settle {
        steps.append(
          Entry(id: id + ".settle", step: settle.step, depth: inner, isLookUp: true))
      }
      switch step.action {
      case .block(let block): add(block, linted, id + ".", inner, &steps, callDepth)
      case .call(let call):
        guard let callee = linted.callees[ExactText(call.path.value)] else { continue }
        add(callee, id + ".", inner, &steps, callDepth: callDepth + 1)
      case .request, .values, .wait, .fail, .say, .ask: break
      }
    }
  }

  /// Files that call each other may have more steps than anybody can list.
  private static let mostSteps = 10_000

  /// The step with an id; `nil` if there is none.
  package func step(named id: String) -> Entry? {
    if let entry = steps.first(where: { $0.id.equals(bytes: id) }) { return entry }
    guard steps.count >= Self.mostSteps, var block = workflow.workflow?.block else { return nil }
    var (linted, depth) = (workflow, 0)
    let parts = id.split(ascii: ".", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      guard
        let step = (block.steps + block.finally).first(where: { $0.pathID.equals(bytes: part) })
      else { return nil }
      depth += step.forEach == nil ? 0 : 1
      if number == parts.count - 1 { return Entry(id: id, step: step, depth: depth) }
      switch step.action {
      case .block(let inner): block = inner
      case .call(let call):
        guard let callee = linted.callees[ExactText(call.path.value)],
          let inner = callee.workflow?.block
        else { return nil }
        (linted, block) = (callee, inner)
      case .request, .values, .wait, .fail, .say, .ask: return nil
      }
    }
    return nil
  }

  func check(_ file: TestFile, _ decoder: inout WorkflowDecoder) {
    let ids = steps.map(\.id)
    for test in file.tests {
      for answers in test.respond {
        for id in answers.steps { check(id, answers, ids, &decoder) }
      }
      for failure in test.expected.failures where step(named: failure.step.value) == nil {
        decoder.report(
          "unknown-reference",
          "the workflow has no step '\(failure.step.value)'",
          .nearest(to: failure.step.value, among: ids, inQuotesAt: failure.step.range),
          at: failure.step.range)
      }
      for condition in test.expected.conditions { check(condition, ids, &decoder) }
      checkNames(test, &decoder)
    }
  }

  /// Reports a condition that reads what no run of the workflow has. It would be absent, and
  /// `!$.requests.usr` would always hold.
  private func check(
    _ condition: Written<Condition>, _ ids: [String], _ decoder: inout WorkflowDecoder
  ) {
    for reference in condition.value.references where reference.query.anchor == .root {
      let segments = reference.query.segments
      guard segments.count > 1, let part = segments[0].name, let name = segments[1].name else {
        continue
      }
      let range = condition.range(of: reference.range)
      let bytes = decoder.document.bytes
      let near = { (name: String, names: [String]) in
        Proposal.didYouMean(
          Spelling.nearest(to: name, among: names), at: bytes.place(ofName: name, in: range))
      }
      switch part {
      case "requests", "steps":
        if step(named: name) == nil {
          decoder.report(
            "unknown-reference",
            "the workflow has no step '\(name)'", near(name, ids), at: range)
        } else if segments.count > 2, let inner = segments[2].name,
          step(named: "\(name).\(inner)") != nil
        {
          decoder.report(
            "unknown-reference", "an inner step is written '$.\(part)['\(name).\(inner)']'",
            at: range,
            fix: bytes.place(ofName: "\(part).\(name).\(inner)", in: range).map {
              .replacing($0, with: "\(part)['\(name).\(inner)']", isSafe: false)
            })
        }
      case "outputs":
        guard let outputs, !outputs.contains(name) else { continue }
        decoder.report(
          "unknown-reference",
          "the workflow has no output '\(name)'", near(name, outputs), at: range)
      case "state":
        guard !state.contains(name) else { continue }
        decoder.report(
          "unknown-reference",
          "the workflow has no state '\(name)'", near(name, state), at: range)
      default: break
      }
    }
  }

  private func check(
    _ id: String, _ answers: StepAnswers, _ ids: [String], _ decoder: inout WorkflowDecoder
  ) {
    guard let entry = step(named: id) else {
      decoder.report(
        "unknown-reference",
        "the workflow has no step '\(id)'",
        .didYouMean(
          Spelling.nearest(to: id, among: ids),
          at: decoder.document.bytes.place(ofName: id, in: answers.range)),
        at: answers.range)
      return
    }
    if case .items = answers.form, entry.depth == 0 {
      decoder.report(
        .invalidValue, "step '\(id)' has no items; answer it with one answer or a list",
        at: answers.range)
    }
    switch entry.step.action {
    case .request: break
    case .wait:
      if answers.hasResponses {
        decoder.report(
          .invalidValue, "step '\(id)' waits and sends no request; give its 'values'",
          at: answers.range)
      }
    case .ask(let question):
      if answers.hasResponses {
        decoder.report(
          .invalidValue, "step '\(id)' asks a person and sends no request; give its 'values'",
          at: answers.range)
      }
      check(answers, of: question, id, &decoder)
    case .block, .call, .values, .fail, .say:
      decoder.report(
        .invalidValue, "step '\(id)' sends no request; answer the steps that do",
        at: answers.range)
    }
  }

  /// The answers that a test gives to a question: their names and types.
  private func check(
    _ answers: StepAnswers, of question: Question, _ id: String, _ decoder: inout WorkflowDecoder
  ) {
    for case .values(let values) in answers.all.map(\.content) {
      for member in values.members {
        guard let answer = question.answers.first(where: { $0.name.equals(bytes: member.name) })
        else {
          decoder.report(
            "unknown-reference", "step '\(id)' does not ask for '\(member.name)'",
            .didYouMean(
              Spelling.nearest(to: member.name, among: question.answers.map(\.name)),
              at: nil), at: member.nameRange)
          continue
        }
        if let type = answer.type, let problem = type.problem(with: member.value) {
          decoder.report(
            .wrongType,
            "the answer '\(answer.name)' must be \(type.words), not \(problem)",
            type.proposal(for: member.value), at: member.value.range)
        }
      }
    }
  }

  private func checkNames(_ test: WorkflowTest, _ decoder: inout WorkflowDecoder) {
    for member in test.node["inputs"].map({ Array($0.members) }) ?? [] {
      if let input = inputs.first(where: { $0.name.equals(bytes: member.name) }) {
        guard let type = input.type, let problem = type.problem(with: member.value) else {
          continue
        }
        decoder.report(
          .wrongType,
          "the input '\(input.name)' must be \(type.words), not \(problem)",
          type.proposal(for: member.value), at: member.value.range)
      } else {
        decoder.report(
          .unknownInput,
          "the workflow has no input '\(member.name)'",
          Self.proposal(
            for: member.name, among: inputs.map(\.name), "it has", at: member.nameRange),
          at: member.nameRange)
      }
    }
    checkItemState(of: test, &decoder)
    for member in test.expected.state.map({ Array($0.members) }) ?? []
    where !state.contains(member.name) {
      decoder.report(
        "unknown-reference", "the workflow has no state '\(member.name)'",
        Self.proposal(for: member.name, among: state, "it has", at: member.nameRange),
        at: member.nameRange)
    }
    checkEnvironment(of: test, &decoder)
    guard let outputs else { return }
    for member in test.expected.outputs.map({ Array($0.members) }) ?? []
    where !outputs.contains(member.name) {
      decoder.report(
        "unknown-reference", "the workflow has no output '\(member.name)'",
        Self.proposal(for: member.name, among: outputs, "it has", at: member.nameRange),
        at: member.nameRange)
    }
  }

  /// Reports the state of items that is not given or expected by key.
  private func checkItemState(of test: WorkflowTest, _ decoder: inout WorkflowDecoder) {
    let given = (test.node["state"].map { Array($0.members) } ?? [])
    for member in given + (test.expected.state.map { Array($0.members) } ?? [])
    where itemState.contains(member.name) && member.value.kind != .object {
      decoder.report(
        .wrongType,
        "each item has its own state '\(member.name)'; write an object with a value for each key",
        at: member.value.range)
    }
  }

  /// Reports an environment that does not exist, and inputs that have no value in a test.
  private func checkEnvironment(of test: WorkflowTest, _ decoder: inout WorkflowDecoder) {
    let names = environments.map(\.name.value)
    if let environment = test.environment, !names.contains(environment.value) {
      decoder.report(
        .invalidValue, "the workflow has no environment '\(environment.value)'",
        Self.proposal(for: environment.value, among: names, "it has", at: environment.range),
        at: environment.range)
      return
    }
    // A test may check that a run fails because an input is missing.
    let expected = test.node["expect"]
    guard expected?["status"]?.string != "failed", expected?["failures"] == nil else { return }
    let chosen = test.environment?.value ?? defaultEnvironment
    let values = environments.first { $0.name.value == chosen }?.values.map(\.name) ?? []
    for input in inputs
    // A secret has a stand-in.
    where input.defaultValue == nil && !input.isOptional && input.variable == nil && !input.isSecret
      && test.node["inputs"]?[input.name] == nil && !values.contains(input.name)
    {
      decoder.report(
        "missing-input", "test '\(test.name.value)' needs the input '\(input.name)'",
        at: test.name.range)
    }
  }

  /// The name that was meant, or the names that there are.
  private static func proposal(
    for name: String, among names: [String], _ introduction: String, at range: Range<Int>
  ) -> Proposal {
    let near = Proposal.nearest(to: name, among: names, inQuotesAt: range)
    return near == .none ? .oneOf(names, at: range, introduction, quoted: true) : near
  }
}

extension StepAnswers {
  fileprivate var hasResponses: Bool {
    all.contains { if case .values = $0.content { false } else { true } }
  }

  fileprivate var all: [TestAnswer] {
    switch form {
    case .all(let answer): [answer]
    case .listed(let answers): answers
    case .items(let lists, _): lists.flatMap { $0 }
    }
  }
}

internal import PipelineByteText
internal import PipelineDrawings
internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates
internal import PipelineURIs

/// The steps that would run, for people, in the order in which they become ready.
struct PlanText {
  let plan: Plan
  let known: KnownValues
  /// The names of the state values that a run has left.
  let kept: Set<String>
  /// How many keys of items a run has left, by the name of the state value.
  let itemKeys: [String: Int]
  /// The secret inputs that a run would read from elsewhere.
  let sources: [SecretLookup.Found]
  let logins: [PlannedLogin]
  /// The requests whose rows wait on the disk.
  let onDisk: Set<ObjectIdentifier>
  /// The file whose limits the author has set: that which runs for each row, if one does.
  private let limited: Workflow

  /// - Parameters:
  ///   - state: The values that the run would begin with, as one object.
  ///   - kept: What a run has left.
  ///   - sources: The secret inputs that a run would read from elsewhere.
  ///   - logins: Those that a person makes.
  ///   - isOfRows: Whether the plan is that of a file that runs for each row.
  init(
    plan: Plan, inputs: JSONNode, state: JSONNode, kept: [String: JSONValue],
    sources: [SecretLookup.Found] = [], logins: [PlannedLogin] = [],
    isOfRows: Bool = false
  ) {
    self.plan = plan
    self.kept = Set(kept.keys)
    itemKeys = kept.mapValues { $0.node.kind == .object ? $0.node.count : 0 }
    self.sources = sources
    self.logins = logins
    limited = isOfRows ? plan.root.steps.first?.callee?.workflow ?? plan.workflow : plan.workflow
    onDisk = Set(
      plan.root.steps.indices.compactMap { number in
        guard case .request(let request) = plan.root.steps[number].step.action,
          !plan.rowsOnDisk(of: number, handedOn: []).isEmpty
        else { return nil }
        return ObjectIdentifier(request)
      })
    let elsewhere = Set(sources.map(\.input))
    let absent = plan.workflow.inputs.filter { input in
      input.isOptional && inputs[input.name] == nil && !elsewhere.contains(input.name)
    }
    var known = KnownValues(
      inputs: inputs, state: plan.workflow.block.keepsState ? state : nil,
      absent: Set(absent.map(\.name)),
      ofItems: Set(plan.workflow.state.filter(\.isOfItems).map(\.name)),
      secrets: plan.secrecy.inputs,
      written: plan.writtenSecrets)
    for number in plan.root.graph.topologicalOrder {
      let step = plan.root.steps[number].step
      // Only a run knows the values of a step that runs for each item, or not at all.
      guard case .values(let fields) = step.action, step.when == nil, step.forEach == nil else {
        continue
      }
      known.add(fields, of: step.id.value)
    }
    self.known = known
  }

  var text: String {
    let resolution = Resolution.of(plan.workflow)
    let graph = WorkflowGraph(plan, resolution)
    var text = Cells.printable(plan.workflow.name) + ": " + graph.stepCount.counting("step") + "\n"
    if !plan.workflow.inputs.isEmpty { text += "\ninputs\n" + inputs + "\n" }
    if !ownState.isEmpty {
      text += (plan.workflow.inputs.isEmpty ? "\n" : "") + "state\n" + state + "\n"
    }
    if !logins.isEmpty {
      text +=
        (plan.workflow.inputs.isEmpty && ownState.isEmpty ? "\n" : "") + "logins\n"
        + TextTable(rows: logins.map { [$0.name, $0.words] }, indentation: 2).text + "\n"
    }
    if let limits = RunLimitsText(limited).text { text += "\nlimits  " + limits + "\n" }
    if plan.workflow.inputs.isEmpty, ownState.isEmpty, logins.isEmpty { text += "\n" }
    text += steps(of: plan.root, resolution, graph, indentation: "")
    if let outputs = plan.workflow.block.outputs, !outputs.isEmpty {
      // Without steps, the empty line before the outputs is the one that would precede the steps.
      if !plan.root.steps.isEmpty { text += "\n" }
      text += "outputs\n" + fields(outputs, indentation: "  ")
    }
    if !plan.workflow.contracts.isEmpty { text += "\ncontracts\n" + contracts }
    let next = plan.workflow.block.next
    if !next.isEmpty { text += "\nnext state\n" + fields(next, indentation: "  ") }
    return text
  }

  private var contracts: String {
    let width = plan.workflow.contracts.map(\.name.count).max() ?? 0
    return plan.workflow.contracts.map { contract in
      let columns =
        contract.declaredColumns.map {
          $0.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
        } ?? "those of the first run"
      var text = "  " + pad(contract.name, width) + "  " + columns
      switch contract.onNewColumn {
      case .fail: break
      case .add: text += "; new columns are added"
      case .drop: text += "; new columns are left out"
      }
      if contract.onOtherType == .drop { text += "; values of other types are left out" }
      return Cells.printable(text) + "\n"
    }.joined()
  }

  private var inputs: String {
    let width = plan.workflow.inputs.map(\.name.count).max() ?? 0
    return plan.workflow.inputs.map { input in
      let value: String
      if let source = sources.first(where: { $0.input.equals(bytes: input.name) }) {
        value =
          source.isRead ? "\(KnownValues.mask)  from \(source.words)" : "not read, so not needed"
      } else if let node = known.inputs[input.name] {
        value = input.isSecret ? KnownValues.mask : Self.oneLine(JSONValue(node))
      } else if input.isOptional {
        value = "absent"
      } else if input.isSecret {
        value =
          "no value yet; " + (input.variable.map { "$\($0.value) or " } ?? "")
          + "--inputs FILE"
      } else {
        value =
          "no value yet; --set \(input.name)=\(Self.example(of: input))"
          + (input.variable.map { " or $\($0.value)" } ?? "")
      }
      return Cells.printable("  " + pad(input.name, width) + "  " + value) + "\n"
    }.joined()
  }

  /// How a value is given: that of an input with `read` is in a file.
  private static func example(of input: Input) -> String {
    input.read.map { "@FILE (\($0.format.words))" } ?? "…"
  }

  // MARK: Steps

  private func steps(
    of block: BlockPlan, _ resolution: Resolution, _ graph: WorkflowGraph, indentation: String
  ) -> String {
    let stages = graph.stages
    let order = graph.nodes.indices.sorted { (stages[$0], $0) < (stages[$1], $1) }
    let digits = String((stages.max() ?? 0) + 1).count
    return order.map { number in
      let (node, step) = (graph.nodes[number], block.steps[number])
      let stage = String(stages[number] + 1)
      var text = indentation + String(repeating: " ", count: digits - stage.count) + stage + "  "
      text += node.name
      if node.isFinally { text += "  finally" }
      if let forEach = step.step.forEach { text += "  " + iteration(forEach) }
      var lines = edges(resolution.edges(to: number), in: block)
      if let condition = node.condition { lines.append("when   " + condition) }
      lines += effect(of: number, in: block)
      let inner = indentation + String(repeating: " ", count: digits + 2)
      text = ([text] + lines.map { inner + $0 }).map { Cells.printable($0) + "\n" }.joined()
      if let plan = step.inner, let resolution = resolution.steps[number].inner,
        let graph = node.inner
      {
        text += steps(of: plan, resolution, graph, indentation: inner)
      }
      return text
    }.joined()
  }

  /// What a step does and what happens if it fails, one line each; empty if there is no such step.
  ///
  /// - Parameter path: The step's id after the ids of the blocks and calls around it.
  func lines(ofStep path: String) -> [String] {
    var block: BlockPlan? = plan.root
    var lines: [String] = []
    for id in path.split(ascii: ".", omittingEmptySubsequences: false) {
      guard let around = block,
        let number = around.steps.firstIndex(where: { $0.step.pathID.equals(bytes: id) })
      else { return [] }
      lines = effect(of: number, in: around).map { Cells.printable($0) }
      block = around.steps[number].inner
    }
    return lines
  }

  private func effect(of number: Int, in block: BlockPlan) -> [String] {
    let step = block.steps[number].step
    return action(of: number, in: block)
      + [step.retry.flatMap { retry($0) }, afterFailure(of: step)].compactMap(\.self)
  }

  /// The consequence of a failure of the step; `nil` if the run fails.
  private func afterFailure(of step: Step) -> String? {
    switch step.onError {
    case .fail where step.collectsFailures:
      "on error: the other items go on, and the run fails at its end"
    case .fail: nil
    case .continue: "on error: the others go on, and the run fails at its end"
    case .recover:
      "recovers"
        + (step.recovers.map { " from " + $0.map(Self.words).joined(separator: ", ") } ?? "")
        + (step.otherwise.map {
          $0.isEmpty ? "" : ", gives " + $0.map(\.name).joined(separator: ", ")
        }
          ?? "")
    }
  }

  private static func words(_ cause: RecoveryCause) -> String {
    switch cause {
    case .kind(let kind): kind
    case .status(let pattern): pattern.description
    }
  }

  private func iteration(_ iteration: Iteration) -> String {
    if let rounds = iteration.rounds { return repetition(rounds, iteration.until) }
    var text =
      "for each of " + WorkflowGraph.collection(iteration) + " as " + (iteration.itemName ?? "")
    if let count = iteration.batch?.value { text += ", \(count) together" }
    if let data = iteration.batchData { text += ", " + amount(data) + " together" }
    if let most = iteration.concurrency?.value {
      text += most == 1 ? ", one after another" : ", at most \(most) at once"
    }
    if let data = iteration.concurrencyData {
      text += ", at most " + amount(data) + " at once"
    }
    if let until = iteration.until?.node.string { text += ", until " + until }
    return text
  }

  /// `at most 100 rounds, 2s apart, until @.done, carrying offset`
  private func repetition(_ rounds: Rounds, _ until: Written<Condition>?) -> String {
    var text = "at most " + rounds.maxRounds.counting("round")
    if let every = rounds.every?.node.string { text += ", \(every) apart" }
    if let until = until?.node.string { text += ", until " + until }
    if !rounds.names.isEmpty { text += ", carrying " + rounds.names.joined(separator: ", ") }
    return text
  }

  private func amount(_ data: DataTemplate) -> String { known.text(data.node.string ?? "") }

  /// The steps that the step follows, each with the reference that makes it, and its place.
  private func edges(_ edges: [Graph.Edge], in block: BlockPlan) -> [String] {
    var reasons: [(from: Int, words: [String])] = []
    for edge in edges {
      let words = reason(edge.reason)
      if let known = reasons.firstIndex(where: { $0.from == edge.from }) {
        if !reasons[known].words.contains(words) { reasons[known].words.append(words) }
      } else {
        reasons.append((edge.from, [words]))
      }
    }
    return reasons.map { reason in
      let step = block.steps[reason.from].step
      let isDeclared = reason.words.contains { $0.hasPrefix(bytes: "dependsOn") }
      return "after  " + step.id.value + ": " + reason.words.joined(separator: ", ")
        + (isDeclared && step.collectsFailures ? ", if no item failed" : "")
    }
  }

  private func reason(_ reason: Graph.Reason) -> String {
    switch reason {
    case .use(let use): WorkflowGraph.reason(reason) + place(of: use.range)
    case .declared(let name): "dependsOn" + place(of: name.range)
    case .listed: "\"order\": \"listed\""
    }
  }

  /// ` (12:5)`, with the name of the file if it is another one.
  private func place(of range: Range<Int>) -> String {
    let (file, range) = plan.workflow.place(of: range)
    let position = file.position(at: range.lowerBound)
    let name = file.name == plan.workflow.source.name ? "" : file.name + ":"
    return " (\(name)\(position.line):\(position.column))"
  }

  // MARK: Actions

  private func action(of number: Int, in block: BlockPlan) -> [String] {
    switch block.steps[number].step.action {
    case .request(let request):
      return self.request(
        request, credentials: credentialText.lines(of: request, number, in: block))
    case .call(let call):
      return ["runs   " + call.path.value]
        + call.inputs.map { "       \($0.name) " + equals($0) }
    case .block(let block):
      return block.isChoice
        ? ["picks  the first branch whose condition holds"] : block.itemState.map(itemState)
    case .fail(let failure): return ["fails  " + known.text(failure.message.value)]
    case .values(let fields):
      return fields.map { "value  \($0.name) " + equals($0) }
    case .say(let text): return ["says   " + known.text(text.value)]
    case .ask(let question):
      let names = question.answers.map { answer in
        answer.name + (answer.type.map { " (\($0.rawValue))" } ?? "")
      }
      return [
        "asks   " + known.text(question.text.value),
        "       for " + names.joined(separator: ", ") + ", within \(question.withinText)",
      ]
    case .wait(let duration): return ["waits  " + (duration.node.string ?? "")]
    }
  }

  private func equals(_ field: Field) -> String {
    known.data(field).map { "= " + Self.oneLine($0) } ?? "is absent"
  }

  // MARK: Words

  private func fields(_ fields: [Field], indentation: String) -> String {
    let width = fields.map(\.name.count).max() ?? 0
    return fields.map { field in
      let value = known.data(field.value.node).map(Self.oneLine) ?? "absent"
      return Cells.printable(indentation + pad(field.name, width) + "  " + value) + "\n"
    }.joined()
  }

  func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func oneLine(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

/// `pipeline state`: shows and changes the state that a workflow keeps between runs.
struct StateCommand: ComputedCommand {
  private let workflow: String
  private let action: Action
  private let name: String?
  private let value: String?
  private let options: StateOptions
  private let asJSON: Bool
  private let color: ColorChoice

  private enum Action: String, WordChoice {
    case show, set, clear
  }

  static let page = CommandPage(
    name: "state",
    summary: "Show or change the state that a workflow keeps between runs",
    discussion: [
      "show prints each value of 'state' and marks the defaults. set changes one value. clear"
        + " removes one value or all of them, so that the next run begins with the defaults."
        + " Of a loop's state, NAME.KEY is the value of one item."
        + " Write a value that begins with '-' after '--'."
    ],
    examples: [
      Example(line: "pipeline state workflows/export.json", meaning: "Show the state"),
      Example(
        line: "pipeline state workflows/export.json set since 2026-01-01T00:00:00Z",
        meaning: "Export again from that day"),
      Example(
        line: "pipeline state workflows/export.json clear",
        meaning: "Let the next run begin with the defaults"),
    ])

  init(_ arguments: inout Arguments) {
    workflow = arguments.workflow()
    action =
      arguments.optionalChoiceOperand("ACTION", help: "show, set or clear; by default, show")
      ?? .show
    name = arguments.optionalOperand("NAME", .any, help: "The name of the state value, or NAME.KEY")
    value = arguments.optionalOperand(
      "VALUE", .any, help: "The new value; JSON if the state value is not a string")
    let file = arguments.stateFile()
    let environment = arguments.environment(
      help: "Use the state of this environment of the workflow")
    options = StateOptions(
      environment: environment, file: file, store: StoreOptions(&arguments))
    asJSON = arguments.flag("json", help: "Print the values as JSON")
    color = arguments.color()
  }

  /// The workflow, and the place of its state.
  private struct Subject {
    let plan: Plan
    let place: StatePlace
    let path: String
    let environment: String?

    var workflow: Workflow { plan.workflow }
  }

  /// An action and its requirements.
  private enum Order {
    case show
    case set(String, to: String)
    /// Without a name all values are removed.
    case clear(String?)
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    let order: Order
    do throws(UsageError) {
      order = try self.order()
    } catch {
      console.complain(error.message)
      return .usage
    }
    guard
      let (_, plan) = PlanSource(console: console, color: color).plan(at: workflow, to: "used")
    else { return .invalid }
    do throws(StateProblem) {
      let subject = try subject(plan, console)
      switch order {
      case .show: try show(subject, console)
      case .set(let name, let value): try set(name, value, subject, program)
      case .clear(let name): try clear(name, subject, program)
      }
      return .success
    } catch {
      return console.complain(error)
    }
  }

  private func order() throws(UsageError) -> Order {
    let extra = action == .show ? name : action == .clear ? value : nil
    if let extra {
      throw UsageError(message: "'\(extra)' is one too many for '\(action.rawValue)'")
    }
    let order: Order
    switch action {
    case .show: return .show
    case .clear: order = .clear(name)
    case .set:
      guard let name, let value else {
        throw UsageError(
          message: "set needs a name and a value: pipeline state FILE set NAME VALUE")
      }
      order = .set(name, to: value)
    }
    guard !asJSON else { throw UsageError(message: "--json is only for 'show'") }
    return order
  }

  private func subject(_ plan: Plan, _ console: Console) throws(StateProblem) -> Subject {
    let workflow = plan.workflow
    guard workflow.keepsStateOrColumns else {
      throw StateProblem(
        message: "'\(workflow.source.name)' has no 'state'", status: .invalid)
    }
    if let problem = workflow.problem(withEnvironment: options.environment) {
      throw StateProblem(message: problem, status: .invalid)
    }
    let place = try StatePlace(options, of: workflow, variables: console.environment)
    guard let path = place.path else {
      throw StateProblem(
        message: "the store is off, so no state is kept; give --state FILE or --store DIR",
        status: .usage)
    }
    return Subject(
      plan: plan, place: place, path: path, environment: workflow.environmentName(options))
  }

  // MARK: Show

  /// A value as it is shown.
  private struct Shown {
    let name: String
    let value: JSONValue?
    let isKept: Bool
    let isDeclared: Bool
    /// Whether each item has its own, by key.
    private let isOfItems: Bool
    /// What is not kept begins with this.
    private let standard: JSONValue?

    init(_ value: StateValue, _ kept: [String: JSONValue]) {
      name = value.name
      isKept = kept[value.name] != nil
      isDeclared = true
      isOfItems = value.isOfItems
      standard = value.defaultValue.map { JSONValue($0) }
      self.value = kept[value.name] ?? (value.isOfItems ? nil : standard)
    }

    /// A value that the workflow does not name in 'state'.
    ///
    /// - Parameter isDeclared: Whether it belongs to a contract.
    init(strange name: String, _ value: JSONValue, isDeclared: Bool) {
      self.name = name
      self.value = value
      isKept = true
      self.isDeclared = isDeclared
      isOfItems = false
      standard = nil
    }

    /// The value in a line, and of items a line for each key.
    var texts: [String] {
      guard isOfItems else {
        let remark = !isDeclared ? "  not in the workflow" : isKept ? "" : "  default"
        return [value.map { $0.node.text + remark } ?? "absent"]
      }
      let keys = value.map { Array($0.node.members) } ?? []
      let width = keys.map(\.name.count).max() ?? 0
      let first = standard.map { "; any other begins with \($0.node.text)" } ?? ""
      return [(keys.isEmpty ? "no key yet" : keys.count.counting("key")) + first]
        + keys.map { key in
          key.name + String(repeating: " ", count: width - key.name.count) + "  " + key.value.text
        }
    }
  }

  private func show(_ subject: Subject, _ console: Console) throws(StateProblem) {
    let record = try KeptState.record(
      subject.place, of: subject.workflow, environment: subject.environment, console.files)
    let kept = record?.state ?? [:]
    let declared = Set(subject.workflow.state.map(\.name))
    let contracts = subject.workflow.contracts.map(\.stateName)
    let shown =
      subject.workflow.state.map { Shown($0, kept) }
      + kept.filter { !declared.contains($0.key) }.sorted { $0.key < $1.key }.map {
        Shown(
          strange: $0.key, $0.value, isDeclared: contracts.contains(bytes: $0.key))
      }
    if asJSON {
      console.json.write(Self.json(subject.path, record, shown))
    } else {
      console.output.write(Self.text(subject.path, record, shown))
    }
  }

  private static func text(_ path: String, _ record: StateRecord?, _ shown: [Shown]) -> String {
    let width = shown.map(\.name.count).max() ?? 0
    var text =
      Cells.printable(
        path + (record == nil ? ": no run has left state yet" : "")
          + (record?.updated.map { ", written at " + $0 } ?? "")) + "\n"
    for line in shown {
      let name = line.name + String(repeating: " ", count: width - line.name.count)
      let texts = line.texts
      text += Cells.printable("  \(name)  \(texts[0])") + "\n"
      for key in texts.dropFirst() { text += Cells.printable("    " + key) + "\n" }
    }
    return text
  }

  private static func json(_ path: String, _ record: StateRecord?, _ shown: [Shown]) -> String {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.name("file")
    writer.string(path)
    if let updated = record?.updated {
      writer.name("updated")
      writer.string(updated)
    }
    writer.name("state")
    writer.beginObject()
    for value in shown {
      writer.name(value.name)
      writer.beginObject()
      if let node = value.value?.node {
        writer.name("value")
        writer.value(node)
      }
      writer.name("kept")
      writer.boolean(value.isKept)
      writer.name("declared")
      writer.boolean(value.isDeclared)
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  // MARK: Change

  private func set(
    _ name: String, _ text: String, _ subject: Subject, _ program: Program
  ) throws(StateProblem) {
    var options = RunOptions()
    options.clock = program.clock
    try change(subject, program) { state throws(InputProblem) in
      state = try subject.plan.state(state, setting: name, to: text, options: options)
    }
  }

  private func clear(
    _ name: String?, _ subject: Subject, _ program: Program
  ) throws(StateProblem) {
    let files = program.console.files
    guard let name else {
      // State that cannot be read can be removed, too.
      return try KeptState(
        unreadAt: subject.place, path: subject.path, of: subject.workflow,
        environment: subject.environment, files
      ).clear()
    }
    let record = try KeptState.record(
      subject.place, of: subject.workflow, environment: subject.environment, files)
    let isKept: Bool
    do throws(InputProblem) {
      isKept = try subject.plan.state(record?.state ?? [:], clearing: name) != nil
    } catch {
      throw StateProblem(message: error.message, status: .invalid)
    }
    guard isKept else { return }
    try change(subject, program) { state throws(InputProblem) in
      state = try subject.plan.state(state, clearing: name) ?? state
    }
  }

  private func change(
    _ subject: Subject, _ program: Program,
    _ body: (inout [String: JSONValue]) throws(InputProblem) -> Void
  ) throws(StateProblem) {
    let files = program.console.files
    let kept = try KeptState(
      subject.place, path: subject.path, of: subject.workflow, environment: subject.environment,
      files)
    var state = kept.record?.state ?? [:]
    do throws(InputProblem) {
      try body(&state)
    } catch {
      throw StateProblem(message: error.message, status: .invalid)
    }
    try kept.keep(state, at: program.clock.wallTime, files)
  }
}

extension Workflow {
  /// The problem with the choice of an environment; `nil` if there is none, or none is chosen.
  fileprivate func problem(withEnvironment name: String?) -> String? {
    let names = environments.map(\.name.value)
    guard let name, !names.contains(bytes: name) else { return nil }
    return "environment '\(name)' does not exist" + Spelling.didYouMean(name, among: names)
  }
}

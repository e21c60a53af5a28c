internal import ByteText
internal import JSONText
internal import PipelineKit
internal import SourceText
internal import Workflows

/// `pipeline state`: shows and changes the state that a workflow keeps between runs.
struct StateCommand: Sendable {
  let console: Console
  let clock: any RunClock

  private enum Action: String {
    case show, set, clear
  }

  /// The workflow, and where its state is.
  private struct Subject {
    let plan: Plan
    let place: StatePlace
    let path: String
    let environment: String?

    var workflow: Workflow { plan.workflow }
  }

  func run(_ invocation: Invocation) -> ExitStatus {
    let words = Array(invocation.operands.dropFirst())
    let action = words.first.flatMap(Action.init(rawValue:)) ?? .show
    let most = action == .set ? 3 : action == .clear ? 2 : 1
    guard words.count <= most else {
      console.complain("'\(words[most])' is one too many for '\(action.rawValue)'")
      return .usage
    }
    if action == .set, words.count < 3 {
      console.complain("set needs a name and a value: pipeline state FILE set NAME VALUE")
      return .usage
    }
    if action != .show, invocation.has("json") {
      console.complain("--json is only for 'show'")
      return .usage
    }
    guard let (_, plan) = PlanSource(console: console).plan(of: invocation, to: "used") else {
      return .invalid
    }
    do throws(StateProblem) {
      let subject = try subject(invocation, plan)
      switch action {
      case .show: try show(subject, asJSON: invocation.has("json"))
      case .set: try set(words[1], words[2], subject)
      case .clear: try clear(words.dropFirst().first, subject)
      }
      return .success
    } catch {
      return console.complain(error)
    }
  }

  private func subject(_ invocation: Invocation, _ plan: Plan) throws(StateProblem) -> Subject {
    let workflow = plan.workflow
    guard workflow.block.keepsState else {
      throw StateProblem(
        message: "'\(workflow.source.name)' has no 'state'", status: .invalid)
    }
    if let problem = workflow.problem(withEnvironment: invocation.value("environment")) {
      throw StateProblem(message: problem, status: .invalid)
    }
    let environment = workflow.environmentName(invocation)
    let place = try StatePlace(
      invocation, of: workflow, environment: environment, variables: console.environment)
    guard let path = place.path else {
      throw StateProblem(
        message: "the store is off, so no state is kept; give --state FILE or --store DIR",
        status: .usage)
    }
    return Subject(plan: plan, place: place, path: path, environment: environment)
  }

  // MARK: Show

  /// A value as it is shown.
  private struct Shown {
    let name: String
    let value: JSONValue?
    let isKept: Bool
    let isDeclared: Bool
  }

  private func show(_ subject: Subject, asJSON: Bool) throws(StateProblem) {
    let record = try KeptState.record(
      subject.place, of: subject.workflow, environment: subject.environment, console.files)
    let kept = record?.state ?? [:]
    let declared = Set(subject.workflow.state.map(\.name))
    let shown =
      subject.workflow.state.map { value in
        Shown(
          name: value.name, value: kept[value.name] ?? value.defaultValue.map { JSONValue($0) },
          isKept: kept[value.name] != nil, isDeclared: true)
      }
      + kept.filter { !declared.contains($0.key) }.sorted { $0.key < $1.key }.map {
        Shown(name: $0.key, value: $0.value, isKept: true, isDeclared: false)
      }
    if asJSON {
      console.output.write(Self.json(subject.path, record, shown))
    } else {
      console.output.write(Self.text(subject.path, record, shown))
    }
  }

  private static func text(_ path: String, _ record: StateRecord?, _ shown: [Shown]) -> String {
    let width = shown.map(\.name.count).max() ?? 0
    var text =
      path + (record == nil ? ": no run has left state yet" : "")
      + (record?.updated.map { ", written at " + $0 } ?? "") + "\n"
    for line in shown {
      let value = line.value.map(\.node.text) ?? "absent"
      let remark = !line.isDeclared ? "  not in the workflow" : line.isKept ? "" : "  default"
      let name = line.name + String(repeating: " ", count: width - line.name.count)
      text += Cells.printable("  \(name)  \(value)\(line.value == nil ? "" : remark)") + "\n"
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

  private func set(_ name: String, _ text: String, _ subject: Subject) throws(StateProblem) {
    var options = RunOptions()
    options.clock = clock
    let value: JSONValue
    do throws(InputProblem) {
      value = try subject.plan.stateValue(name, from: text, options: options)
    } catch {
      throw StateProblem(message: error.message, status: .invalid)
    }
    try change(subject) { $0[name] = value }
  }

  private func clear(_ name: String?, _ subject: Subject) throws(StateProblem) {
    guard let name else {
      // State that cannot be read can be removed, too.
      return try KeptState(
        unreadAt: subject.place, path: subject.path, of: subject.workflow,
        environment: subject.environment, console.files
      ).clear()
    }
    let record = try KeptState.record(
      subject.place, of: subject.workflow, environment: subject.environment, console.files)
    guard record?.state[name] != nil else {
      // An unknown name is a mistake.
      if subject.workflow.state.contains(where: { $0.name == name }) { return }
      throw StateProblem(
        message: "state value '\(name)' does not exist"
          + Spelling.didYouMean(name, among: subject.workflow.state.map(\.name)),
        status: .invalid)
    }
    try change(subject) { $0[name] = nil }
  }

  private func change(
    _ subject: Subject, _ body: (inout [String: JSONValue]) -> Void
  ) throws(StateProblem) {
    let kept = try KeptState(
      subject.place, path: subject.path, of: subject.workflow, environment: subject.environment,
      console.files)
    var state = kept.record?.state ?? [:]
    body(&state)
    try kept.keep(state, at: clock.wallTime, console.files)
  }
}

extension Workflow {
  /// What is wrong with the choice of an environment; `nil`: nothing, or none is chosen.
  fileprivate func problem(withEnvironment name: String?) -> String? {
    let names = environments.map(\.name.value)
    guard let name, !names.contains(bytes: name) else { return nil }
    return "environment '\(name)' does not exist" + Spelling.didYouMean(name, among: names)
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

/// Makes a workflow of a workflow of an Arazzo file (1.0, 1.1).
///
/// Called workflows become blocks of steps. What has no counterpart is refused with its line, and so
/// is every key that is not read.
struct ArazzoReader {
  /// The file that is being read: the imported one, or one that it calls.
  var document: ArazzoDocument
  var report: ImportReport
  var stepNames = ImportedName(.scope)
  var inputNames = ImportedName(.input)
  /// What the URLs of requests begin with. The first one becomes `baseURL`.
  private(set) var bases: [String] = []
  private(set) var serverInput: String?
  var inputs: [JSONValue.Member] = []
  /// The names of inputs for credentials that descriptions ask for.
  var sharedInputs: [String: String] = [:]
  /// The values that are null if their step is left out, by our ids of steps.
  var nullable: [String: Set<String>] = [:]
  /// The workflows that are being translated, each called by the one before it.
  var open: [String] = []

  /// A value of the scope of Arazzo in ours.
  enum Value {
    /// A path as in `login.token`.
    case path(String)
    case literal(JSONValue)
    case absent
  }

  /// What expressions in a workflow stand for.
  struct Scope {
    var inputs: [String: Value] = [:]
    /// The outputs of steps by their ids; those of a refused step are `nil`.
    var steps: [String: [String: Value]?] = [:]
    /// Our ids of steps by theirs.
    var names: [String: String] = [:]
    /// The jumps that leave out a step, by its id.
    var guards: [String: Set<Int>] = [:]
    /// The steps that may fail without an end of the run.
    var recovered: Set<String> = []
    /// The jumps that leave out the step that is being translated.
    var ownGuards: Set<Int> = []
    /// The outputs of the workflows that come first, by their ids.
    var workflows: [String: [String: Value]] = [:]
  }

  init(_ document: ArazzoDocument, _ report: ImportReport) {
    self.document = document
    self.report = report
  }

  func line(_ node: ReadNode) -> Int { document.line(node) }

  // MARK: File

  /// - Parameter chosen: The id of the workflow; `nil` for the first that no other one calls.
  mutating func workflow(_ chosen: String?) throws(ArazzoRefusal) -> JSONValue {
    let root = document.root
    let version = root["arazzo"]?.plain ?? ""
    guard
      ["1.0", "1.1"].contains(where: {
        version.equals(bytes: $0) || version.hasPrefix(bytes: $0 + ".")
      })
    else { throw ArazzoRefusal(message: "it is Arazzo \(version), and import reads 1.0 and 1.1") }
    // They say who wrote the file, and not what is sent.
    root["info"]?.ignore("title", "version", "summary", "description")
    root.ignore("$self")
    let all = document.workflows
    let called = Set(all.flatMap(Self.needs(of:)))
    func isCalled(_ node: ReadNode) -> Bool { called.contains(node["workflowId"]?.string ?? "") }
    let picked = chosen.map { id in document.workflow(id) }
    guard let workflow = picked ?? all.first(where: { !isCalled($0) }) ?? all.first else {
      let ids = all.compactMap { $0["workflowId"]?.string }.joined(separator: ", ")
      throw ArazzoRefusal(message: "it has no workflow '\(chosen ?? "")'; it has: \(ids)")
    }
    let id = workflow["workflowId"]?.string ?? ""
    var scope = Scope()
    declareInputs(of: workflow, &scope)
    open = [document.name + "#" + id]
    let before = needed(by: workflow, &scope)
    let (steps, ends) = translate(workflow, scope)
    let outputs = outputs(of: workflow, ends).map(\.member)
    workflow.ignore("summary", "description")
    refuseUnread(of: workflow)
    root.ignore("workflows", "components")
    refuseUnread()
    for other in all where !(other["workflowId"]?.string ?? "").equals(bytes: id) {
      if chosen == nil, !isCalled(other), let name = other["workflowId"]?.string {
        report.refuse(
          line(other), "'\(name)' is another workflow; --workflow '\(name)' imports it alone")
      }
    }
    return file(workflow, before + steps, outputs)
  }

  /// The ids of the workflows that a workflow calls or depends on.
  private static func needs(of workflow: ReadNode) -> [String] {
    let steps = workflow["steps"].items
    let actions =
      [workflow["successActions"], workflow["failureActions"]]
      + steps.flatMap { [$0["onSuccess"], $0["onFailure"]] }
    return workflow["dependsOn"].items.compactMap(\.string)
      + (steps + actions.flatMap(\.items)).compactMap { $0["workflowId"]?.string }
  }

  private func file(
    _ workflow: ReadNode, _ steps: [JSONValue], _ outputs: [JSONValue.Member]
  ) -> JSONValue {
    var file: [JSONValue.Member] = [.init("format", 1)]
    let isOnly = document.workflows.count == 1
    let title =
      (isOnly ? document.root["info"]?["title"]?.string : nil)
      ?? workflow["workflowId"]?.string ?? ""
    if !title.isEmpty { file.append(.init("name", .string(title))) }
    let texts = [workflow["summary"], workflow["description"]].compactMap { $0?.string?.trimmed }
    if let text = texts.first(where: { !$0.isEmpty }) {
      file.append(.init("description", .string(text)))
    }
    if !inputs.isEmpty { file.append(.init("inputs", .object(inputs))) }
    if let base = bases.first {
      file.append(.init("defaults", .object([.init("baseURL", .string(base))])))
    }
    if steps.count > 1 { file.append(.init("order", "listed")) }
    file.append(.init("steps", .array(steps)))
    if !outputs.isEmpty { file.append(.init("outputs", .object(outputs))) }
    return .object(file)
  }

  /// Refuses each key of a workflow that nothing read.
  mutating func refuseUnread(of workflow: ReadNode) {
    for member in workflow.unread() {
      report.refuse(line(member.value), "the key '\(member.name)' has no counterpart here")
    }
    workflow.ignore()
  }

  /// Refuses each key of the file around the workflows that nothing read.
  private mutating func refuseUnread() {
    for member in document.root.unread() {
      report.refuse(line(member.value), "the key '\(member.name)' has no counterpart here")
    }
  }

  // MARK: Steps

  /// The workflows that come before a workflow, as blocks.
  mutating func needed(by workflow: ReadNode, _ scope: inout Scope) -> [JSONValue] {
    var blocks: [JSONValue] = []
    for node in workflow["dependsOn"].items {
      let id = node.string ?? ""
      do throws(ArazzoRefusal) {
        let name = stepNames.next(
          for: id.split(ascii: ".").last.map(String.init) ?? "", otherwise: "step")
        var step = ArazzoStep(name: name)
        try call(id, &step) { (reader, called, inner) throws(ArazzoRefusal) in
          // What it needs is given to the whole workflow.
          inner.inputs = scope.inputs
          reader.declareInputs(of: called, &inner)
        }
        scope.workflows[id] = (step.calledOutputs ?? [:]).mapValues { .path("\(name).\($0)") }
        blocks.append(step.json)
      } catch {
        report.refuse(error.line ?? line(node), "'dependsOn': \(error.message)")
      }
    }
    return blocks
  }

  /// The steps of a workflow, and its scope after them.
  mutating func translate(
    _ workflow: ReadNode, _ start: Scope
  ) -> ([JSONValue], Scope) {
    var scope = start
    let nodes = workflow["steps"].items
    let ids = nodes.map { $0["stepId"]?.string ?? "step" }
    for id in ids { scope.names[id] = stepNames.next(for: id, otherwise: "step") }
    var flow = ArazzoFlow()
    var steps: [JSONValue] = []
    for (position, node) in nodes.enumerated() {
      let id = ids[position]
      if flow.isUnreachable(position) {
        report.approximate(line(node), "no way leads to step '\(id)', so it is left out")
        node.ignore()
        scope.steps[id] = .some(nil)
        continue
      }
      scope.ownGuards = flow.guards(of: position)
      scope.guards[id] = scope.ownGuards
      let before = inputs.count
      let (server, shared) = (serverInput, sharedInputs)
      do throws(ArazzoRefusal) {
        var step = ArazzoStep(name: scope.names[id] ?? id, source: id)
        if let condition = flow.condition(of: position) {
          step.members.append(.init("when", .string(condition)))
        }
        let dependencies = try dependencies(of: node, ids[..<position], scope)
        if !dependencies.isEmpty { step.members.append(.init("dependsOn", .array(dependencies))) }
        let isCall = node["workflowId"] != nil
        if isCall {
          try call(node, workflow, &step, scope)
        } else {
          try request(node, workflow, &step, scope)
        }
        var after: [JSONValue] = []
        try actions(of: node, workflow, &step, scope, &flow, (position, ids), &after)
        if step.members.contains(where: { $0.name == "onError" }) { scope.recovered.insert(id) }
        scope.steps[id] = .some(step.outputs)
        steps.append(step.json)
        steps += after
        if !isCall { report.translated += 1 }
      } catch {
        report.refuse(error.line ?? line(node), "step '\(id)': \(error.message)")
        node.ignore()
        scope.steps[id] = .some(nil)
        // Nothing reads what was declared for it alone.
        if serverInput == server {
          inputs.removeSubrange(before...)
          sharedInputs = shared
        }
      }
    }
    return (steps.map { withNulls($0) }, scope)
  }

  /// A step that gives values even if it is left out, because another one reads them.
  private func withNulls(_ step: JSONValue) -> JSONValue {
    guard case .object(let members) = step,
      case .string(let id)? = members.first(where: { $0.name == "id" })?.value,
      let names = nullable[id]
    else { return step }
    let values = names.sorted().map { JSONValue.Member($0, .null) }
    return .object(members + [.init("otherwise", .object(values))])
  }

  /// The steps that a step waits for without reading them.
  private func dependencies(
    of node: ReadNode, _ before: ArraySlice<String>, _ scope: Scope
  ) throws(ArazzoRefusal) -> [JSONValue] {
    var found: [JSONValue] = []
    for other in node["dependsOn"].items {
      let id = other.string ?? ""
      guard before.contains(bytes: id), let name = scope.names[id] else {
        throw ArazzoRefusal(
          line: line(other), message: "'dependsOn' names '\(id)', which is not a step before it")
      }
      if case .some(.none) = scope.steps[id] {
        throw ArazzoRefusal(
          line: line(other), message: "it depends on step '\(id)', which is not translated")
      }
      found.append(.string(name))
    }
    return found
  }

  /// The outputs of a workflow, with their names in the file.
  mutating func outputs(
    of workflow: ReadNode, _ scope: Scope
  ) -> [(source: String, member: JSONValue.Member)] {
    var names = ImportedName(.value)
    var scope = scope
    // An output waits for steps, and is absent if they are left out.
    scope.ownGuards = Set(scope.guards.values.flatMap(\.self))
    scope.recovered = []
    return workflow["outputs"].memberList.compactMap { output in
      do throws(ArazzoRefusal) {
        guard let value = json(try selected(output.value, scope, isInOutputs: true)) else {
          return nil
        }
        return (output.name, .init(names.next(for: output.name, otherwise: "value"), value))
      } catch {
        report.refuse(line(output.value), "the output '\(output.name)': \(error.message)")
        output.value.ignore()
        return nil
      }
    }
  }

  /// The URL before the paths of an operation; an input if the description names no host.
  mutating func base(of found: ArazzoSources.Found) -> String {
    let server = found.description.servers(of: found.operation).first ?? ""
    var base = server
    if !server.contains(bytes: "://") {
      let name =
        serverInput
        ?? declare(
          "server",
          [
            .init("type", "string"),
            .init("description", "The URL of the API; the description does not say it."),
          ])
      serverInput = name
      base = "{{inputs.\(name)}}" + server
    }
    if !bases.contains(base) { bases.append(base) }
    return base
  }
}

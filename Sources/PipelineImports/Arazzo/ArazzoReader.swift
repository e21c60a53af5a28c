internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

/// Makes a workflow of a workflow of an Arazzo file (1.0, 1.1).
///
/// Called workflows become blocks of steps. What has no counterpart is refused with its line.
struct ArazzoReader {
  let root: JSONNode
  let line: (JSONNode) -> Int
  let sources: ArazzoSources
  var report: ImportReport
  var stepNames = ImportedName(.scope)
  private var inputNames = ImportedName(.input)
  /// The base URL that all requests have; `nil` if there are several.
  private(set) var bases: [String] = []
  private(set) var serverInput: String?
  private var inputs: [JSONValue.Member] = []
  /// The extracted values that are read, as in `login.token`.
  var readValues: Set<String> = []
  /// The workflows that are being translated, each called by the one before it.
  private var open: [String] = []

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
  }

  init(
    _ root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: ImportReport,
    _ load: @escaping @Sendable (String) -> [UInt8]?
  ) {
    self.root = root
    self.line = line
    self.report = report
    sources = ArazzoSources(root, load)
  }

  // MARK: File

  /// - Parameter chosen: The id of the workflow; `nil`: the first that no other one calls.
  mutating func workflow(_ chosen: String?) throws(ArazzoRefusal) -> JSONValue {
    let all = root["workflows"].map { Array($0.elements) } ?? []
    let called = Set(
      all.flatMap { $0["steps"].map { Array($0.elements) } ?? [] }.compactMap {
        $0["workflowId"]?.string
      })
    let first = all.first { !called.contains($0["workflowId"]?.string ?? "") } ?? all.first
    let picked = chosen.map { id in
      all.first { $0["workflowId"]?.string?.equals(bytes: id) == true }
    }
    guard let workflow = picked ?? first else {
      let ids = all.compactMap { $0["workflowId"]?.string }.joined(separator: ", ")
      throw ArazzoRefusal(message: "it has no workflow '\(chosen ?? "")'; it has: \(ids)")
    }
    if chosen == nil {
      for other in all {
        guard let id = other["workflowId"]?.string, !called.contains(id),
          !id.equals(bytes: workflow["workflowId"]?.string ?? "")
        else { continue }
        report.refuse(line(other), "'\(id)' is another workflow; --workflow \(id) imports it alone")
      }
    }
    let scope = declareInputs(of: workflow)
    open = [workflow["workflowId"]?.string ?? ""]
    let (steps, ends) = translate(workflow, scope)
    let outputs = outputs(of: workflow, ends)
    return file(workflow, steps, outputs)
  }

  private func file(
    _ workflow: JSONNode, _ steps: [[JSONValue.Member]], _ outputs: [JSONValue.Member]
  ) -> JSONValue {
    var file: [JSONValue.Member] = [.init("format", 1)]
    let isOnly = root["workflows"]?.count == 1
    let title =
      (isOnly ? root["info"]?["title"]?.string : nil) ?? workflow["workflowId"]?.string ?? ""
    if !title.isEmpty { file.append(.init("name", .string(title))) }
    if let text = (workflow["summary"] ?? workflow["description"])?.string?.trimmed, !text.isEmpty {
      file.append(.init("description", .string(text)))
    }
    if !inputs.isEmpty { file.append(.init("inputs", .object(inputs))) }
    if let base = bases.first, bases.count == 1 {
      file.append(.init("defaults", .object([.init("baseURL", .string(base))])))
    }
    if steps.count > 1 { file.append(.init("order", "listed")) }
    file.append(.init("steps", .array(steps.map { .object($0) })))
    if !outputs.isEmpty { file.append(.init("outputs", .object(outputs))) }
    return .object(file)
  }

  // MARK: Inputs

  private mutating func declareInputs(of workflow: JSONNode) -> Scope {
    var scope = Scope()
    guard let schema = workflow["inputs"].map(resolved) else { return scope }
    let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
    for member in schema["properties"].map({ Array($0.members) }) ?? [] {
      let name = inputNames.next(for: member.name, otherwise: "input")
      scope.inputs[member.name] = .path("inputs.\(name)")
      let isOptional = schema["required"] != nil && !required.contains(member.name)
      inputs.append(
        .init(name, .object(Self.members(of: resolved(member.value), member.name, isOptional))))
    }
    return scope
  }

  private static func members(
    of schema: JSONNode, _ name: String, _ isOptional: Bool
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    let known = ["string", "integer", "number", "boolean", "array", "object"]
    if let type = schema["type"]?.string, known.contains(type) {
      members.append(.init("type", .string(type)))
    }
    if let text = schema["description"]?.string?.trimmed, !text.isEmpty {
      members.append(.init("description", .string(text)))
    }
    if let choices = schema["enum"], choices.count > 0 {
      members.append(.init("enum", JSONValue(choices)))
    }
    if CredentialNames.isField(name) {
      members.append(.init("secret", true))
      members.append(.init("env", .string(ImportedInputs.shouted(name))))
    }
    if let value = schema["default"] {
      members.append(.init("default", JSONValue(value)))
    } else if isOptional {
      members.append(.init("optional", true))
    }
    return members
  }

  /// The schema that a reference into the file leads to.
  private func resolved(_ node: JSONNode) -> JSONNode {
    let prefix = "#/components/inputs/"
    guard let reference = node["$ref"]?.string, reference.hasPrefix(bytes: prefix),
      let found = root["components"]?["inputs"]?[
        String(reference.dropFirst(bytes: prefix.utf8.count))]
    else { return node }
    return found
  }

  // MARK: Steps

  /// The steps of a workflow, and its scope after them.
  private mutating func translate(
    _ workflow: JSONNode, _ start: Scope
  ) -> ([[JSONValue.Member]], Scope) {
    var scope = start
    for key in ["successActions", "failureActions", "dependsOn"] {
      if let node = workflow[key], node.count > 0 {
        report.refuse(line(node), "'\(key)' of a workflow has no counterpart")
      }
    }
    let nodes = workflow["steps"].map { Array($0.elements) } ?? []
    var steps: [[JSONValue.Member]] = []
    for (number, node) in nodes.enumerated() {
      let id = node["stepId"]?.string ?? "step"
      let name = stepNames.next(for: id, otherwise: "step")
      do throws(ArazzoRefusal) {
        let next = nodes.dropFirst(number + 1).first?["stepId"]?.string
        var (members, outputs) =
          node["workflowId"] == nil
          ? try request(node, name, workflow, scope) : try call(node, name, scope)
        members += try actions(of: node, next: next)
        steps.append(members)
        scope.steps[id] = .some(outputs)
        if node["workflowId"] == nil { report.translated += 1 }
      } catch {
        report.refuse(error.line ?? line(node), "step '\(id)': \(error.message)")
        scope.steps[id] = .some(nil)
      }
    }
    return (steps, scope)
  }

  /// A step that calls a workflow of the same file: a block of its steps.
  private mutating func call(
    _ node: JSONNode, _ name: String, _ scope: Scope
  ) throws(ArazzoRefusal) -> ([JSONValue.Member], [String: Value]) {
    let id = node["workflowId"]?.string ?? ""
    let all = root["workflows"].map { Array($0.elements) } ?? []
    guard let called = all.first(where: { $0["workflowId"]?.string?.equals(bytes: id) == true })
    else { throw ArazzoRefusal(message: "the workflow '\(id)' is not in the file") }
    guard !open.contains(id), open.count < 16 else {
      throw ArazzoRefusal(message: "the workflow '\(id)' calls itself")
    }
    var inner = Scope()
    for parameter in node["parameters"].map({ Array($0.elements) }) ?? [] {
      guard let key = parameter["name"]?.string, let value = parameter["value"] else { continue }
      inner.inputs[key] = try self.value(of: value, scope)
    }
    let schema = called["inputs"].map(resolved)
    for member in schema?["properties"].map({ Array($0.members) }) ?? []
    where inner.inputs[member.name] == nil {
      inner.inputs[member.name] =
        resolved(member.value)["default"].map { .literal(JSONValue($0)) } ?? .absent
    }
    open.append(id)
    defer { open.removeLast() }
    let (steps, ends) = translate(called, inner)
    guard !steps.isEmpty else { throw ArazzoRefusal(message: "nothing of '\(id)' is translated") }
    let given = outputs(of: called, ends)
    var outputs: [String: Value] = [:]
    for output in node["outputs"].map({ Array($0.members) }) ?? [] {
      guard let text = output.value.string, let expression = ArazzoExpression(text),
        case .calledOutput(let own) = expression.root
      else {
        report.refuse(line(output.value), "the output '\(output.name)' is none of '\(id)'")
        continue
      }
      let known = called["outputs"].map { Array($0.members) }?.map(\.name) ?? []
      guard let position = known.firstIndex(of: own), given.count == known.count else { continue }
      outputs[output.name] = .path(
        "\(name).\(given[position].name)\(ArazzoExpression.query(expression.pointer))")
    }
    if let criteria = node["successCriteria"], criteria.count > 0 {
      report.approximate(line(criteria), "a call succeeds if the steps of '\(id)' do")
    }
    var members: [JSONValue.Member] = [.init("id", .string(name))]
    if let text = (node["description"] ?? called["summary"])?.string?.trimmed, !text.isEmpty {
      members.append(.init("description", .string(text)))
    }
    members.append(.init("steps", .array(steps.map { .object($0) })))
    members.append(.init("outputs", .object(given)))
    return (members, outputs)
  }

  private mutating func outputs(of workflow: JSONNode, _ scope: Scope) -> [JSONValue.Member] {
    var names = ImportedName(.value)
    return (workflow["outputs"].map { Array($0.members) } ?? []).compactMap { output in
      do throws(ArazzoRefusal) {
        guard let value = json(try self.value(of: output.value, scope)) else { return nil }
        return JSONValue.Member(names.next(for: output.name, otherwise: "value"), value)
      } catch {
        report.refuse(line(output.value), "the output '\(output.name)': \(error.message)")
        return nil
      }
    }
  }

  /// What follows a step in other cases than the usual one.
  private func actions(
    of node: JSONNode, next: String?
  ) throws(ArazzoRefusal) -> [JSONValue.Member] {
    for action in node["onSuccess"].map({ Array($0.elements) }) ?? [] {
      let target = action["stepId"]?.string
      let isNext = action["type"]?.string == "goto" && target != nil && target == next
      guard isNext, action["criteria"] == nil else {
        throw ArazzoRefusal(
          line: line(action), message: "'onSuccess' has no counterpart but to go to the next step")
      }
    }
    var retry: [JSONValue.Member] = []
    for action in node["onFailure"].map({ Array($0.elements) }) ?? [] {
      switch action["type"]?.string {
      case "end" where action["criteria"] == nil: continue
      case "retry"
      where (action["stepId"] ?? node["stepId"])?.string == node["stepId"]?.string
        && action["workflowId"] == nil:
        var criteria = ArazzoCriteria()
        for criterion in action["criteria"].map({ Array($0.elements) }) ?? [] {
          try criteria.add(criterion) { expression throws(ArazzoRefusal) in
            try Self.path(ofResponse: expression)
          }
        }
        guard criteria.conditions.isEmpty, retry.isEmpty else {
          throw ArazzoRefusal(
            line: line(action),
            message: "a retry by other criteria than a status has no counterpart")
        }
        let limit = action["retryLimit"]?.number?.int ?? 1
        retry.append(.init("attempts", JSONValue(limit + 1)))
        if let seconds = action["retryAfter"]?.number {
          retry.append(.init("delay", .string("\(seconds)s")))
          retry.append(.init("factor", 1))
        }
        if !criteria.statuses.isEmpty {
          let statuses = criteria.statuses.map { JSONValue(number: $0) ?? .string($0) }
          retry.append(.init("on", .array(statuses)))
        }
      default:
        throw ArazzoRefusal(
          line: line(action), message: "'onFailure' has no counterpart but to end or to retry")
      }
    }
    return retry.isEmpty ? [] : [.init("retry", .object(retry))]
  }

  /// The URL before the paths of an operation; an input if the description names no host.
  mutating func base(of found: ArazzoSources.Found) -> String {
    let server = found.description.servers(of: found.operation).first ?? ""
    if server.contains(bytes: "://") {
      if !bases.contains(server) { bases.append(server) }
      return server
    }
    let name = serverInput ?? inputNames.next(for: "server", otherwise: "server")
    if serverInput == nil {
      serverInput = name
      inputs.append(
        .init(
          name,
          [
            "type": "string",
            "description": "The URL of the API; the description does not say it.",
          ]))
    }
    let base = "{{inputs.\(name)}}" + server
    if !bases.contains(base) { bases.append(base) }
    return base
  }
}

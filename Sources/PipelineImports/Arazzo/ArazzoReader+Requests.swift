internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

extension ArazzoReader {
  /// A step that sends a request, and its outputs.
  mutating func request(
    _ node: JSONNode, _ name: String, _ workflow: JSONNode, _ scope: Scope
  ) throws(ArazzoRefusal) -> ([JSONValue.Member], [String: Value]) {
    let found = try operation(of: node)
    var path = found.operation.path
    var groups: [String: [JSONValue.Member]] = [:]
    for parameter in try parameters(of: node, workflow) {
      guard let written = parameter.node["value"] ?? parameter.shared["value"],
        let key = parameter.shared["name"]?.string,
        let value = json(try value(of: written, scope))
      else { continue }
      switch parameter.shared["in"]?.string {
      case "path":
        guard case .string(let text) = Self.text(value) else {
          throw ArazzoRefusal(line: line(written), message: "'\(key)' in a path is no single value")
        }
        path = path.replacing(bytes: "{\(key)}", with: text)
      case "query": groups["query", default: []].append(.init(key, value))
      case "header": groups["headers", default: []].append(.init(key, Self.text(value)))
      case "cookie": groups["cookies", default: []].append(.init(key, Self.text(value)))
      case let place:
        throw ArazzoRefusal(
          line: line(parameter.node),
          message: "a parameter in '\(place ?? "")' has no counterpart")
      }
    }
    if path.replacing(bytes: "{{", with: "").contains(bytes: "{") {
      throw ArazzoRefusal(message: "the path \(path) lacks a parameter")
    }
    let base = base(of: found)
    var step: [JSONValue.Member] = [.init("id", .string(name))]
    if let text = node["description"]?.string?.trimmed, !text.isEmpty {
      step.append(.init("description", .string(text)))
    }
    let url = bases.first?.equals(bytes: base) == true ? path : base + path
    step.append(.init("endpoint", .string(found.operation.method + " " + url)))
    for group in ["query", "headers", "cookies"] {
      if let members = groups[group] { step.append(.init(group, .object(members))) }
    }
    if let body = node["requestBody"] {
      step.append(.init("body", try self.body(body, found, scope)))
    }
    var criteria = ArazzoCriteria()
    for criterion in node["successCriteria"].map({ Array($0.elements) }) ?? [] {
      try criteria.add(criterion) { expression throws(ArazzoRefusal) in
        try Self.path(ofResponse: expression)
      }
    }
    if !criteria.members.isEmpty { step.append(.init("expect", .object(criteria.members))) }
    let (extract, outputs) = try self.outputs(of: node, name, scope)
    if !extract.isEmpty { step.append(.init("extract", .object(extract))) }
    return (step, outputs)
  }

  private func operation(of node: JSONNode) throws(ArazzoRefusal) -> ArazzoSources.Found {
    if let id = node["operationId"]?.string { return try sources.operation(withID: id) }
    if let path = node["operationPath"]?.string { return try sources.operation(at: path) }
    throw ArazzoRefusal(
      message: node["channelPath"] == nil
        ? "it names no operation" : "messages of AsyncAPI have no counterpart")
  }

  private typealias GivenParameter = (node: JSONNode, shared: JSONNode)

  /// The parameters of a step and those of its workflow that it does not have itself. A reference may
  /// have a value of its own.
  private func parameters(
    of node: JSONNode, _ workflow: JSONNode
  ) throws(ArazzoRefusal) -> [GivenParameter] {
    var found: [GivenParameter] = []
    for holder in [node, workflow] {
      for parameter in holder["parameters"].map({ Array($0.elements) }) ?? [] {
        var shared = parameter
        if let reference = parameter["reference"]?.string {
          let name = String(reference.dropFirst(bytes: "$components.parameters.".utf8.count))
          guard let known = root["components"]?["parameters"]?[name] else {
            throw ArazzoRefusal(
              line: line(parameter), message: "'\(reference)' is not a parameter of the file")
          }
          shared = known
        }
        let isKnown = found.contains {
          $0.shared["name"]?.string == shared["name"]?.string
            && $0.shared["in"]?.string == shared["in"]?.string
        }
        if !isKnown { found.append((parameter, shared)) }
      }
    }
    return found
  }

  /// A value as a text, if it is one.
  private static func text(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number, .boolean: .string(value.node.text)
    default: value
    }
  }

  private mutating func body(
    _ node: JSONNode, _ found: ArazzoSources.Found, _ scope: Scope
  ) throws(ArazzoRefusal) -> JSONValue {
    if let replacements = node["replacements"], replacements.count > 0 {
      throw ArazzoRefusal(line: line(replacements), message: "'replacements' are not read")
    }
    guard let payload = node["payload"] else {
      throw ArazzoRefusal(line: line(node), message: "the body has no payload")
    }
    let described = found.description.requestContent(of: found.operation)?.types ?? []
    let type = (node["contentType"]?.string ?? described.first ?? "application/json")
      .prefix(before: ";").trimmed.lowercasedASCII
    let isJSON = APIDescription.isJSON(type)
    let isForm = type.equals(bytes: "application/x-www-form-urlencoded")
    var source = payload
    if payload.kind == .string, isJSON || isForm, let text = payload.string,
      !text.hasPrefix(bytes: "$"), let parsed = try? JSONDocument.parse(Array(text.utf8)).root
    {
      // Braces around an expression are not needed where the text is nothing else.
      report.approximate(
        line(payload), "an expression that is a whole text of the payload keeps its type")
      source = Self.withoutBraces(parsed)
    }
    guard let value = json(try value(of: source, scope)) else {
      throw ArazzoRefusal(line: line(payload), message: "the payload is not given")
    }
    if isJSON { return .object([.init("json", value)]) }
    if isForm {
      guard case .object = value else {
        throw ArazzoRefusal(line: line(payload), message: "a form is not written out")
      }
      return .object([.init("form", value)])
    }
    guard case .string = value else {
      throw ArazzoRefusal(line: line(payload), message: "a payload of type '\(type)' is no text")
    }
    return .object([.init("text", value), .init("contentType", .string(type))])
  }

  /// The same JSON with `$inputs.a` for `{$inputs.a}`.
  private static func withoutBraces(_ node: JSONNode) -> JSONNode {
    func changed(_ node: JSONNode) -> JSONValue {
      switch node.kind {
      case .object: .object(node.members.map { .init($0.name, changed($0.value)) })
      case .array: .array(node.elements.map(changed))
      case .string:
        if let text = node.string, text.hasPrefix(bytes: "{$"),
          text.firstRange(bytes: "}")?.upperBound == text.endIndex
        {
          .string(String(text.dropFirst(bytes: 1).dropLast(bytes: 1)))
        } else {
          JSONValue(node)
        }
      case .number, .boolean, .null: JSONValue(node)
      }
    }
    return changed(node).node
  }

  /// The extractors of a step, and what its outputs stand for.
  private mutating func outputs(
    of node: JSONNode, _ id: String, _ scope: Scope
  ) throws(ArazzoRefusal) -> ([JSONValue.Member], [String: Value]) {
    var names = ImportedName(.value)
    var extract: [JSONValue.Member] = []
    var outputs: [String: Value] = [:]
    for output in node["outputs"].map({ Array($0.members) }) ?? [] {
      let name = names.next(for: output.name, otherwise: "value")
      let source: ImportedSource
      switch try expression(of: output.value) {
      case .selector(let query): source = .body(query)
      case .expression(let expression):
        switch expression.root {
        case .body: source = .body("$" + ArazzoExpression.query(expression.pointer))
        case .header(let header): source = .header(header)
        case .status: source = .status
        case .input, .output:
          outputs[output.name] = try value(of: output.value, scope)
          continue
        case .url, .method, .calledOutput:
          throw ArazzoRefusal(
            line: line(output.value), message: "the output '\(output.name)' has no counterpart")
        }
      }
      var members = source.members
      if CredentialNames.isField(output.name) { members.append(.init("secret", true)) }
      if members.count == 1, case .body(let query) = source {
        extract.append(.init(name, .string(query)))
      } else {
        extract.append(.init(name, .object(members)))
      }
      outputs[output.name] = .path("\(id).\(name)")
    }
    return (extract, outputs)
  }

  private enum OutputSource {
    case expression(ArazzoExpression)
    /// A query of the body (RFC 9535).
    case selector(String)
  }

  /// An output: an expression, or from 1.1 on a selector.
  private func expression(of node: JSONNode) throws(ArazzoRefusal) -> OutputSource {
    if let text = node.string {
      guard let expression = ArazzoExpression(text) else {
        throw ArazzoRefusal(line: line(node), message: "'\(text)' has no counterpart")
      }
      return .expression(expression)
    }
    let type = node["type"]?.string ?? node["type"]?["type"]?.string ?? ""
    guard let selector = node["selector"]?.string,
      node["context"]?.string?.equals(bytes: "$response.body") == true
    else { throw ArazzoRefusal(line: line(node), message: "an output selects what is not read") }
    if type.equals(bytes: "jsonpath") { return .selector(selector) }
    if type.equals(bytes: "jsonpointer"),
      let expression = ArazzoExpression("$response.body#" + selector)
    {
      return .expression(expression)
    }
    throw ArazzoRefusal(
      line: line(node), message: "a selector of type '\(type)' has no counterpart")
  }
}

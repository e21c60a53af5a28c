internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

extension ArazzoReader {
  /// A step that sends a request, and its outputs.
  mutating func request(
    _ node: ReadNode, _ workflow: ReadNode, _ step: inout ArazzoStep, _ scope: Scope
  ) throws(ArazzoRefusal) {
    if let own = node["x-operation"] {
      return try request(
        (own["method"]?.string ?? "GET").uppercased(), own["url"]?.string ?? "", nil, node,
        workflow, &step, scope)
    }
    let found = try operation(of: node)
    try request(
      found.operation.method, found.operation.path, found, node, workflow, &step, scope)
  }

  /// - Parameters:
  ///   - address: The path of the operation, or a complete URL.
  ///   - found: The described operation; `nil` if the step has its own method and URL.
  private mutating func request(
    _ method: String, _ address: String, _ found: ArazzoSources.Found?, _ node: ReadNode,
    _ workflow: ReadNode, _ step: inout ArazzoStep, _ scope: Scope
  ) throws(ArazzoRefusal) {
    var path = address
    var groups: [String: [JSONValue.Member]] = [:]
    for parameter in try parameters(of: node, workflow) {
      let key = parameter.shared["name"]?.string ?? ""
      let place = parameter.shared["in"]?.string
      guard let written = parameter.node["value"] ?? parameter.shared["value"] else {
        throw ArazzoRefusal(line: line(parameter.node), message: "a parameter has no value")
      }
      guard let value = json(try sent(written, key, place, scope)) else { continue }
      step.sent["\(place ?? "").\(key)"] = value
      switch place {
      case "path":
        guard case .string(let text) = Self.text(value) else {
          throw ArazzoRefusal(line: line(written), message: "'\(key)' in a path is no single value")
        }
        path = path.replacing(bytes: "{\(key)}", with: text)
      case "query": groups["query", default: []].append(.init(key, Self.styled(value, key, found)))
      case "querystring":
        guard case .object(let members) = value else {
          throw ArazzoRefusal(
            line: line(written), message: "a whole query string that is no object is not read")
        }
        groups["query", default: []] += members
      case "header": groups["headers", default: []].append(.init(key, Self.text(value)))
      case "cookie": groups["cookies", default: []].append(.init(key, Self.text(value)))
      default:
        throw ArazzoRefusal(
          line: line(parameter.node),
          message: "a parameter in '\(place ?? "")' has no counterpart")
      }
    }
    if path.replacing(bytes: "{{", with: "").contains(bytes: "{") {
      throw ArazzoRefusal(message: "the path \(path) lacks a parameter")
    }
    var url = path
    if let found {
      let base = base(of: found)
      url = bases.first?.equals(bytes: base) == true ? path : base + path
    } else if !url.contains(bytes: "://") || !HTTPMethod.isKnown(method) {
      throw ArazzoRefusal(message: "'\(method) \(url)' is no request with a complete URL")
    }
    if let text = node["description"]?.string?.trimmed, !text.isEmpty {
      step.members.append(.init("description", .string(text)))
    }
    step.members.append(.init("endpoint", .string(method + " " + url)))
    if let found { addCredentials(of: found, &groups, &step, node) }
    for group in ["query", "headers", "cookies"] {
      if let members = groups[group] { step.members.append(.init(group, .object(members))) }
    }
    if let auth = step.auth { step.members.append(.init("auth", auth)) }
    if let body = node["requestBody"] {
      let body = try self.body(body, found, scope, &step)
      step.members.append(.init("body", body))
    }
    if let timeout = node["timeout"] {
      guard let milliseconds = timeout.number?.double, milliseconds > 0 else {
        throw ArazzoRefusal(line: line(timeout), message: "'timeout' is not a time in milliseconds")
      }
      step.members.append(
        .init("timeout", .string(Self.duration(milliseconds: milliseconds))))
    }
    var criteria = ArazzoCriteria()
    for criterion in node["successCriteria"].items {
      try criteria.add(criterion) { expression throws(ArazzoRefusal) in
        try self.path(ofResponse: expression, scope)
      }
    }
    note(criteria.versions, criteria, node)
    if !criteria.members.isEmpty {
      step.members.append(.init("expect", .object(criteria.members)))
    }
    try outputs(of: node, &step, scope)
  }

  /// The value of a parameter. A credential that the file holds becomes a secret input.
  private mutating func sent(
    _ written: ReadNode, _ key: String, _ place: String?, _ scope: Scope
  ) throws(ArazzoRefusal) -> Value {
    let value = try selected(written, scope, isInOutputs: false)
    guard case .literal(.string(let text)) = value, !text.isEmpty, !text.contains(bytes: "{{"),
      CredentialNames.isField(key) || CredentialNames.isHeader(key) || place == "cookie"
        || CredentialNames.isShape(Array(text.utf8))
    else { return value }
    report.approximate(
      line(written), "the value of '\(key)' is a credential, and becomes a secret input")
    return secretInput(key)
  }

  private func operation(of node: ReadNode) throws(ArazzoRefusal) -> ArazzoSources.Found {
    if let id = node["operationId"]?.string { return try document.sources.operation(withID: id) }
    if let path = node["operationPath"]?.string {
      return try document.sources.operation(at: path)
    }
    throw ArazzoRefusal(
      message: node["channelPath"] == nil
        ? "it names no operation" : "messages of AsyncAPI have no counterpart")
  }

  typealias GivenParameter = (node: ReadNode, shared: ReadNode)

  /// The parameters of a step and those of its workflow that it does not have itself. A reference may
  /// have a value of its own.
  func parameters(
    of node: ReadNode, _ workflow: ReadNode
  ) throws(ArazzoRefusal) -> [GivenParameter] {
    var found: [GivenParameter] = []
    for holder in [node, workflow] {
      for parameter in holder["parameters"].items {
        var shared = parameter
        if let reference = parameter["reference"]?.string {
          shared = try document.component(reference, in: "parameters")
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

  /// The value of a parameter of a query, in the style that its description gives lists and objects.
  private static func styled(
    _ value: JSONValue, _ key: String, _ found: ArazzoSources.Found?
  ) -> JSONValue {
    switch value {
    case .array, .object: break
    case .string(let text) where text.hasPrefix(bytes: "{{") && text.hasSuffix(bytes: "}}"): break
    default: return value
    }
    let parameter = found.flatMap { found in
      found.description.parameters(of: found.operation).first {
        $0.place == .query && $0.name.equals(bytes: key)
      }
    }
    let styled = parameter?.styled(value) ?? value
    // An object with a member 'value' would say how that is written.
    return styled == value && value.node["value"] != nil ? ["value": value] : styled
  }

  /// A value as a text, if it is one.
  private static func text(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number, .boolean: .string(value.node.text)
    default: value
    }
  }

  // MARK: Outputs

  /// The extractors of a step, and what its outputs stand for.
  private mutating func outputs(
    of node: ReadNode, _ step: inout ArazzoStep, _ scope: Scope
  ) throws(ArazzoRefusal) {
    for output in node["outputs"].memberList {
      let source: ImportedSource
      switch try expression(of: output.value) {
      case .selector(let query): source = .body(query)
      case .expression(let expression):
        let query = ArazzoExpression.query(expression.pointer)
        switch expression.root {
        case .body: source = .body("$" + query)
        case .header(let header): source = .header(header)
        case .status: source = .status
        case .url:
          source = .url
          report.approximate(
            line(output.value), "'$url' is the URL of the response, after redirects")
        case .method:
          step.outputs[output.name] = step.method.map { .literal(.string($0)) }
          continue
        case .sent(let place, let name):
          step.outputs[output.name] = try value(step.sent["\(place).\(name)"], expression, output)
          continue
        case .sentBody:
          step.outputs[output.name] = try value(step.sentBody, expression, output)
          continue
        case .input, .output, .workflowOutput:
          step.outputs[output.name] = try value(of: output.value, scope)
          continue
        case .calledOutput:
          throw ArazzoRefusal(
            line: line(output.value), message: "the output '\(output.name)' has no counterpart")
        }
      }
      step.outputs[output.name] = .path(
        step.extract(
          source, named: output.name, isOptional: false,
          isSecret: CredentialNames.isField(output.name)))
    }
  }

  /// A part of what the step itself sends.
  private func value(
    _ sent: JSONValue?, _ expression: ArazzoExpression, _ output: ReadNode.Member
  ) throws(ArazzoRefusal) -> Value {
    var value = sent
    for token in expression.pointer {
      switch value {
      case .object(let members)?:
        value = members.first { $0.name.equals(bytes: token) }?.value
      case .array(let elements)?:
        value = Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      default: value = nil
      }
    }
    guard let value else {
      throw ArazzoRefusal(
        line: line(output.value),
        message: "the output '\(output.name)' is not in what the step sends")
    }
    if case .string(let text) = value, let path = ArazzoWriter.wholeTemplate(text) {
      return .path(path)
    }
    return .literal(value)
  }

  private enum OutputSource {
    case expression(ArazzoExpression)
    /// A query of the body (RFC 9535).
    case selector(String)
  }

  /// An output: an expression, or from 1.1 on a selector.
  private func expression(of node: ReadNode) throws(ArazzoRefusal) -> OutputSource {
    if let text = node.string {
      guard let expression = ArazzoExpression(text) else {
        throw ArazzoRefusal(line: line(node), message: "'\(text)' has no counterpart")
      }
      return .expression(expression)
    }
    let type = node["type"]?.string ?? node["type"]?["type"]?.string ?? ""
    _ = node["type"]?["version"]
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

internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoReader {
  /// A part of a response in a condition of a step, or a value beside it.
  func path(
    ofResponse expression: ArazzoExpression, _ scope: Scope
  ) throws(ArazzoRefusal) -> String {
    let query = ArazzoExpression.query(expression.pointer)
    switch expression.root {
    case .body: return "@.body" + query
    case .status: return "@.status"
    case .url: return "@.url"
    case .header(let name): return "@.headers['\(name.lowercasedASCII)']"
    default: return try comparand(expression, scope)
    }
  }

  /// A value of the scope in a condition on a response: a template, or a literal.
  func comparand(
    _ expression: ArazzoExpression, _ scope: Scope
  ) throws(ArazzoRefusal) -> String {
    switch try known(expression, scope) {
    case .path(let path): return "{{\(path)}}"
    case .literal(let value): return try Self.literal(value)
    case .absent: throw ArazzoRefusal(message: "a condition reads an input that is not given")
    }
  }

  /// A value of the scope in a condition on the scope.
  func scoped(_ expression: ArazzoExpression, _ scope: Scope) throws(ArazzoRefusal) -> String {
    switch try known(expression, scope) {
    case .path(let path): return "$.\(path)"
    case .literal(let value): return try Self.literal(value)
    case .absent: throw ArazzoRefusal(message: "a condition reads an input that is not given")
    }
  }

  private static func literal(_ value: JSONValue) throws(ArazzoRefusal) -> String {
    switch value {
    case .string(let text):
      return "'"
        + text.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'") + "'"
    case .number, .boolean, .null: return value.node.text
    case .object, .array:
      throw ArazzoRefusal(message: "a condition compares a list or an object")
    }
  }

  /// What an expression stands for that reads no response.
  private func known(
    _ expression: ArazzoExpression, _ scope: Scope
  ) throws(ArazzoRefusal) -> Value {
    let query = ArazzoExpression.query(expression.pointer)
    let found: Value?
    switch expression.root {
    case .input(let name):
      found = scope.inputs[name]
      if found == nil, let dotted = expression.dotted { return try known(dotted, scope) }
      if found == nil { throw ArazzoRefusal(message: "'\(name)' is not an input") }
    case .output(let step, let name):
      guard let earlier = scope.steps[step] else {
        throw ArazzoRefusal(message: "there is no step '\(step)' before it")
      }
      guard let outputs = earlier else {
        throw ArazzoRefusal(message: "it reads step '\(step)', which is refused")
      }
      found = outputs[name]
      if found == nil, let dotted = expression.dotted { return try known(dotted, scope) }
      if found == nil { throw ArazzoRefusal(message: "step '\(step)' has no output '\(name)'") }
    case .workflowOutput(let workflow, let name):
      found = scope.workflows[workflow]?[name]
      if found == nil {
        throw ArazzoRefusal(message: "the workflow depends on no '\(workflow)' with '\(name)'")
      }
    case .body, .header, .status, .url, .method, .calledOutput, .sent, .sentBody:
      throw ArazzoRefusal(message: "a response is read only in its own step")
    }
    switch found {
    case .path(let path)?: return .path(path + query)
    case .literal(let value)? where query.isEmpty: return .literal(value)
    case .literal?: throw ArazzoRefusal(message: "it reads a part of a value that is written")
    case .absent?, nil: return .absent
    }
  }

  /// A value, or what a selector of 1.1 takes of one.
  ///
  /// - Parameter isInOutputs: Whether a query is allowed there.
  mutating func selected(
    _ node: ReadNode, _ scope: Scope, isInOutputs: Bool
  ) throws(ArazzoRefusal) -> Value {
    let isSelector =
      node.kind == .object && node.node["selector"] != nil && node.node["context"] != nil
    guard isSelector, let text = node["context"]?.string, let selector = node["selector"]?.string
    else { return try value(of: node, scope) }
    let type = node["type"]?.string ?? node["type"]?["type"]?.string ?? ""
    _ = node["type"]?["version"]
    guard let expression = ArazzoExpression(text) else {
      throw ArazzoRefusal(line: line(node), message: "'\(text)' has no counterpart")
    }
    guard case .path(let path) = try value(of: expression, scope, node) else {
      throw ArazzoRefusal(line: line(node), message: "a selector reads a value that is written")
    }
    let pointer: String? =
      switch type {
      case "jsonpointer": selector.isEmpty ? "" : "#" + selector
      case "jsonpath" where selector.hasPrefix(bytes: "$"):
        ArazzoWriter.pointer(String(selector.dropFirst(bytes: 1)))
      default: nil
      }
    if let pointer, let tokens = ArazzoExpression("$response.body" + pointer)?.pointer {
      return .path(path + ArazzoExpression.query(tokens))
    }
    guard isInOutputs, type.equals(bytes: "jsonpath"), selector.hasPrefix(bytes: "$") else {
      throw ArazzoRefusal(
        line: line(node), message: "the selector '\(selector)' has no counterpart here")
    }
    return .literal(.string("$.\(path)" + String(selector.dropFirst(bytes: 1))))
  }

  /// A value with expressions.
  mutating func value(of node: ReadNode, _ scope: Scope) throws(ArazzoRefusal) -> Value {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      if text.hasPrefix(bytes: "$") {
        guard let expression = ArazzoExpression(text) else {
          throw ArazzoRefusal(line: line(node), message: "'\(text)' has no counterpart")
        }
        return try value(of: expression, scope, node)
      }
      return try template(text, scope, node)
    case .object:
      var members: [JSONValue.Member] = []
      for member in node.members {
        guard let value = json(try value(of: member.value, scope)) else { continue }
        members.append(.init(member.name, value))
      }
      return .literal(.object(members))
    case .array:
      var elements: [JSONValue] = []
      for element in node.elements {
        if let value = json(try value(of: element, scope)) { elements.append(value) }
      }
      return .literal(.array(elements))
    case .number, .boolean, .null: return .literal(node.json)
    }
  }

  private mutating func value(
    of expression: ArazzoExpression, _ scope: Scope, _ node: ReadNode
  ) throws(ArazzoRefusal) -> Value {
    let value: Value
    do throws(ArazzoRefusal) {
      value = try known(expression, scope)
    } catch {
      throw ArazzoRefusal(line: line(node), message: error.message)
    }
    if case .output(let step, _) = expression.root, case .path(let path) = value {
      let mayBeLeftOut = scope.guards[step].map { !$0.isSubset(of: scope.ownGuards) } ?? false
      let names = path.split(ascii: ".").map { String($0.prefix(before: "[")) }
      if mayBeLeftOut || scope.recovered.contains(step), names.count > 1,
        names[0] == scope.names[step]
      {
        nullable[names[0], default: []].insert(names[1])
      }
    }
    return value
  }

  /// A text with expressions in braces.
  private mutating func template(
    _ text: String, _ scope: Scope, _ node: ReadNode
  ) throws(ArazzoRefusal) -> Value {
    var result = ""
    var rest = text
    while let start = rest.firstRange(bytes: "{$") {
      let tail = String(rest[start.lowerBound...].dropFirst(bytes: 1))
      let name = String(tail.prefix(before: "}"))
      guard name.utf8.count < tail.utf8.count, let expression = ArazzoExpression(name) else {
        throw ArazzoRefusal(line: line(node), message: "'{\(name)}' has no counterpart")
      }
      result += Self.escaped(String(rest[..<start.lowerBound]))
      switch try value(of: expression, scope, node) {
      case .path(let path): result += "{{\(path)}}"
      case .literal(.string(let text)): result += text
      case .literal(let value): result += value.node.text
      case .absent:
        throw ArazzoRefusal(
          line: line(node), message: "'\(name)' is not given, and a text needs it")
      }
      rest = String(tail.dropFirst(bytes: name.utf8.count + 1))
    }
    return .literal(.string(result + Self.escaped(rest)))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing(bytes: "{{", with: "{{{{")
  }

  func json(_ value: Value) -> JSONValue? {
    switch value {
    case .path(let path): .string("{{\(path)}}")
    case .literal(let value): value
    case .absent: nil
    }
  }
}

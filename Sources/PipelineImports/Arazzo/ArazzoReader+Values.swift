internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoReader {
  /// A part of a response in a condition.
  static func path(ofResponse expression: ArazzoExpression) throws(ArazzoRefusal) -> String {
    let query = ArazzoExpression.query(expression.pointer)
    switch expression.root {
    case .body: return "@.body" + query
    case .status: return "@.status"
    case .url: return "@.url"
    case .header(let name): return "@.headers['\(name.lowercasedASCII)']"
    case .input, .output, .calledOutput, .method:
      throw ArazzoRefusal(message: "the condition reads what has no counterpart there")
    }
  }

  /// A value with expressions.
  mutating func value(of node: JSONNode, _ scope: Scope) throws(ArazzoRefusal) -> Value {
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
    case .number, .boolean, .null: return .literal(JSONValue(node))
    }
  }

  private mutating func value(
    of expression: ArazzoExpression, _ scope: Scope, _ node: JSONNode
  ) throws(ArazzoRefusal) -> Value {
    let query = ArazzoExpression.query(expression.pointer)
    let found: Value
    switch expression.root {
    case .input(let name):
      guard let value = scope.inputs[name] else {
        throw ArazzoRefusal(line: line(node), message: "'\(name)' is not an input")
      }
      found = value
    case .output(let step, let name):
      guard let known = scope.steps[step] else {
        throw ArazzoRefusal(line: line(node), message: "there is no step '\(step)' before it")
      }
      guard let outputs = known else {
        throw ArazzoRefusal(line: line(node), message: "it reads step '\(step)', which is refused")
      }
      guard let value = outputs[name] else {
        throw ArazzoRefusal(line: line(node), message: "step '\(step)' has no output '\(name)'")
      }
      found = value
    case .body, .header, .status, .url, .method, .calledOutput:
      throw ArazzoRefusal(line: line(node), message: "a response is read only in its own step")
    }
    switch found {
    case .path(let path):
      readValues.insert(path)
      return .path(path + query)
    case .literal where query.isEmpty: return found
    case .absent: return .absent
    case .literal:
      throw ArazzoRefusal(line: line(node), message: "it reads a part of a value that is written")
    }
  }

  /// A text with expressions in braces.
  private mutating func template(
    _ text: String, _ scope: Scope, _ node: JSONNode
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

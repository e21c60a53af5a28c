internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoWriter {
  /// The end of a query as a JSON pointer: `#/a/0` for `.a[0]`; `nil` if it selects more than a value.
  static func pointer(_ query: String) -> String? {
    var result = ""
    var rest = query[...]
    while !rest.isEmpty {
      let token: String
      if rest.hasPrefix(bytes: ".") {
        token = String(rest.dropFirst(bytes: 1).prefix(before: ".", "["))
        guard !token.isEmpty, token.utf8.allSatisfy(plain.contains) else { return nil }
        rest = rest.dropFirst(bytes: token.utf8.count + 1)
      } else if rest.hasPrefix(bytes: "[") {
        let inside = String(rest.dropFirst(bytes: 1).prefix(before: "]"))
        rest = rest.dropFirst(bytes: inside.utf8.count + 2)
        if inside.hasPrefix(bytes: "'"), inside.hasSuffix(bytes: "'"), inside.utf8.count > 1 {
          token = String(inside.dropFirst(bytes: 1).dropLast(bytes: 1))
          guard !token.contains(bytes: "\\"), !token.contains(bytes: "'") else { return nil }
        } else {
          guard !inside.isEmpty, inside.utf8.allSatisfy(ASCIISet.digits.contains) else {
            return nil
          }
          token = inside
        }
      } else {
        return nil
      }
      result +=
        "/" + token.replacing(bytes: "~", with: "~0").replacing(bytes: "/", with: "~1")
    }
    return result.isEmpty ? "" : "#" + result
  }

  static let plain = ASCIISet.letters.union(.digits).union(ASCIISet("_"))

  /// The path of a text that is one template.
  static func wholeTemplate(_ text: String) -> String? {
    guard text.hasPrefix(bytes: "{{"), text.hasSuffix(bytes: "}}"), text.utf8.count > 4 else {
      return nil
    }
    let path = String(text.dropFirst(bytes: 2).dropLast(bytes: 2))
    return path.contains(bytes: "{") || path.contains(bytes: "}") ? nil : path
  }

  /// `$steps.login.outputs.token` for `login.token`.
  mutating func expression(_ path: String, _ node: JSONNode) throws(Loss) -> String {
    let owner = String(path.prefix(before: ".", "["))
    let rest = String(path.dropFirst(bytes: owner.utf8.count))
    guard rest.hasPrefix(bytes: ".") else {
      throw Loss(node: node, message: "'{{\(path)}}' is not a value of a step or an input")
    }
    let name = String(rest.dropFirst(bytes: 1).prefix(before: ".", "["))
    guard let pointer = Self.pointer(String(rest.dropFirst(bytes: name.utf8.count + 1))) else {
      throw Loss(node: node, message: "'{{\(path)}}' has no counterpart")
    }
    let isInput = owner.equals(bytes: "inputs")
    // The whole value is given to a block, which takes the part that it reads.
    if !stepIDs.contains(owner), let input = input(for: "\(owner).\(name)") {
      return "$inputs.\(input)\(pointer)"
    }
    if isInput { return "$inputs.\(name)\(pointer)" }
    guard stepIDs.contains(owner) else {
      throw Loss(node: node, message: "it reads '\(owner)', which is not a step before it")
    }
    return "$steps.\(owner).outputs.\(name)\(pointer)"
  }

  /// A text with expressions in place of templates.
  mutating func text(_ text: String, _ node: JSONNode) throws(Loss) -> String {
    if let path = Self.wholeTemplate(text) { return try expression(path, node) }
    guard !text.contains(bytes: "{{{{"), !text.hasPrefix(bytes: "$"), !text.contains(bytes: "{$")
    else { throw Loss(node: node, message: "the text '\(text)' would be read as an expression") }
    var result = ""
    var rest = text
    while let start = rest.firstRange(bytes: "{{"), let end = rest.firstRange(bytes: "}}") {
      let path = String(rest[start.upperBound..<end.lowerBound])
      result += String(rest[..<start.lowerBound]) + "{" + (try expression(path, node)) + "}"
      rest = String(rest[end.upperBound...])
    }
    return result + rest
  }

  mutating func value(_ node: JSONNode) throws(Loss) -> JSONValue {
    switch node.kind {
    case .string: return .string(try text(node.string ?? "", node))
    case .object:
      var members: [JSONValue.Member] = []
      for member in node.members {
        if member.name.hasPrefix(bytes: "$") {
          throw Loss(node: member.value, message: "'\(member.name)' has no counterpart in Arazzo")
        }
        members.append(.init(member.name, try value(member.value)))
      }
      return .object(members)
    case .array:
      var elements: [JSONValue] = []
      for element in node.elements { elements.append(try value(element)) }
      return .array(elements)
    case .number, .boolean, .null: return JSONValue(node)
    }
  }
}

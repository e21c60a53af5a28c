internal import PipelineJSONText

/// Python's literals.
enum PythonText {
  /// The deepest value that is written with brackets. Python's parser gives up at 200.
  private static let depthLimit = 64

  /// A string. The escapes are those of YAML.
  static func literal(_ text: String) -> String { YAMLText.quoted(text) }

  /// Any JSON value.
  static func literal(_ node: JSONNode) -> String {
    // A number of thousands of digits is an error of Python's, too.
    depth(of: node) > depthLimit || node.utf8.count > 100_000
      ? "json.loads(\(literal(node.text)))" : nested(node)
  }

  private static func nested(_ node: JSONNode) -> String {
    switch node.kind {
    case .string: literal(node.string ?? "")
    case .number: node.text
    case .boolean: node.boolean == true ? "True" : "False"
    case .null: "None"
    case .array: "[" + node.elements.map(nested).joined(separator: ", ") + "]"
    case .object:
      "{"
        + node.members.map { literal($0.name) + ": " + nested($0.value) }.joined(separator: ", ")
        + "}"
    }
  }

  private static func depth(of node: JSONNode) -> Int {
    var (depth, deepest) = (0, 0)
    var isQuoted = false
    var isEscaped = false
    for byte in node.utf8 {
      if isQuoted {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isQuoted = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}

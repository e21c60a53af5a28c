import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// `read`: the name of a format, or an object with its options.
  mutating func reading(_ node: JSONNode) -> ResponseFormat? {
    if node.kind == .object {
      guard let fields = fields(of: node, .reading, .key("read")),
        let options = object(ReadingOptions.self, fields)
      else { return nil }
      return ResponseFormat(options.format, charset: options.charset, node: node)
    }
    guard node.kind == .string else {
      mistyped(node, "read", "a format such as \"csv\", or an object such as {\"csv\": {}}")
      return nil
    }
    let name: ResponseFormat.Name? = choice(node, "read")
    return name.map { ResponseFormat($0.format, node: node) }
  }
}

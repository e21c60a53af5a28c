package import PipelineJSONText

/// The name of a request, by which its response is found. A client's is sent back as it was written.
package enum RPCIdentifier: Sendable, Hashable {
  case number(String)
  case string(String)

  /// `nil` for any value that may not name a request.
  package init?(_ node: JSONNode) {
    switch node.kind {
    case .number: self = .number(node.text)
    case .string:
      guard let text = node.string else { return nil }
      self = .string(text)
    default: return nil
    }
  }

  package init(_ number: Int) { self = .number(String(number)) }

  package var value: JSONValue {
    switch self {
    case .number(let text): JSONValue(number: text) ?? .null
    case .string(let text): .string(text)
    }
  }
}

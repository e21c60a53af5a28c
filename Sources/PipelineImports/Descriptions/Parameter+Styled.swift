internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

extension Parameter {
  /// A value in a query, and how it is written if that is not the usual way.
  func styled(_ value: JSONValue) -> JSONValue {
    guard case .style(let style)? = joining else { return value }
    var members: [JSONValue.Member] = [.init("value", value), .init("style", .string(style))]
    if !style.equals(bytes: "deepObject") { members.append(.init("explode", false)) }
    return .object(members)
  }
}

import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A body of another kind than the API takes, or none where it requires one.
enum UndescribedBody: OperationRule {
  static let explanation = Explanation(
    "undescribed-body", .error, PackageResources.undescribed_body_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    guard let content = call.description.requestContent(of: operation) else { return }
    let endpoint = call.request.endpoint
    guard let body = call.request.body else {
      guard content.isRequired else { return }
      found.append(
        finding(
          "the API requires a body here; add 'body'",
          at: endpoint.range(of: endpoint.value.urlRange),
          related: [content.node.related("the body is required here")]))
      return
    }
    guard let type = mediaType(of: body, call.request), !content.types.isEmpty,
      !content.types.contains(where: { takes($0, type) })
    else { return }
    let types = content.types.prefix(3).joined(separator: ", ")
    found.append(
      finding(
        "the body is \(type), but the API takes \(types)", at: body.node.range,
        related: [content.node.related("the body is described here")]))
  }

  /// The media type that a body has by its form; `nil` if the author decides it.
  private static func mediaType(of body: Body, _ request: Request) -> String? {
    guard !request.headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") })
    else { return nil }
    switch body.content {
    case .json, .graphQL: return "application/json"
    case .form: return "application/x-www-form-urlencoded"
    case .multipart: return "multipart/form-data"
    case .text, .madeText, .file: return nil
    }
  }

  private static func takes(_ described: String, _ type: String) -> Bool {
    let essence = described.prefix(before: ";").lowercased().trimmed
    if type == "application/json" { return APIDescription.isJSON(essence) }
    let family = type.prefix(before: "/") + "/*"
    return essence.equals(bytes: type) || essence == "*/*" || essence.equals(bytes: family)
  }
}

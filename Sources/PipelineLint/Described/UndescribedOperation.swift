import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A request to a path or with a method that the API does not describe.
enum UndescribedOperation: DescribedRule {
  static let explanation = Explanation(
    "undescribed-operation", .error, PackageResources.undescribed_operation_md)

  static func check(_ call: DescribedCall, _ found: inout [Diagnostic]) {
    let endpoint = call.request.endpoint
    let file = call.description.file.path
    if call.operations.isEmpty {
      let range = endpoint.range(of: endpoint.value.urlRange)
      let described = call.api.operations
      let alike = described.paths(
        like: PathSegments.split(call.path), method: call.request.method)
      let filled = Spelling.nearest(to: call.path, among: alike)
      let hasTemplate = call.path.contains(bytes: "{{")
      let near =
        filled
        ?? (hasTemplate ? nil : Spelling.nearest(to: call.path, among: described.paths))
      // A path with parameters is a template there, and not what is sent.
      let isSent = filled != nil || near?.contains(bytes: "{") == false
      let place =
        isSent ? endpoint.node.document.bytes.place(ofName: call.path, in: range) : nil
      let proposal = Proposal.didYouMean(near, at: place)
      found.append(
        finding(
          "'\(file)' describes no path '\(call.path)'" + proposal.text, at: range,
          fix: proposal.fix))
      return
    }
    // A server that answers GET may answer HEAD, and OPTIONS is about the server.
    let method = call.request.method
    let methods = Set(call.operations.map(\.method))
    guard !methods.contains(method), method != "OPTIONS",
      method != "HEAD" || !methods.contains("GET"), let first = call.operations.first
    else { return }
    found.append(
      finding(
        "'\(first.path)' has no \(method) in '\(file)'; it has"
          + " \(methods.sorted().joined(separator: ", "))",
        at: endpoint.range(of: endpoint.value.methodRange ?? endpoint.value.urlRange),
        related: [first.item.related("the path is described here")]))
  }
}

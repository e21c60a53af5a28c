import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// A query parameter that the operation does not have.
enum UndescribedParameter: OperationRule {
  static let explanation = Explanation(
    "undescribed-parameter", .warning, PackageResources.undescribed_parameter_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    let parameters = call.description.parameters(of: operation)
    // Such a parameter has names that are not listed.
    guard !parameters.contains(where: { $0.place == .querystring || $0.isSentInParts }) else {
      return
    }
    let described = parameters.filter { $0.place == .query }.map(\.name)
    let keys = call.description.securityAlternatives(of: operation).joined().compactMap {
      if case .apiKey(let name, "query") = $0 { name } else { nil }
    }
    let fixed = DescribedCall.fields(inQueryOf: operation.path).map(\.name)
    let names = Set((described + keys + fixed).map(plain))
    let free = described.filter { name in !call.request.query.contains { $0.name == name } }
    let endpoint = call.request.endpoint
    let inEndpoint = call.query.map { ($0.name, endpoint.range(of: endpoint.value.urlRange)) }
    let own = call.request.query.filter { !$0.isInherited }.map { ($0.name, $0.nameRange) }
    for (name, range) in inEndpoint + own
    where !name.contains(bytes: "{{") && !names.contains(plain(name)) {
      let near = Spelling.nearest(to: name, among: free)
      let place = endpoint.node.document.bytes.place(ofName: name, in: range)
      let proposal =
        near == nil
        ? Proposal.oneOf(described, at: nil, "it has", quoted: false)
        : Proposal.didYouMean(near, at: place)
      found.append(
        finding(
          "the API describes no parameter '\(name)' here" + proposal.text, at: range,
          related: [operation.node.related("the operation is described here")],
          fix: proposal.fix))
    }
  }

  /// A name without the brackets of a list or an object.
  private static func plain(_ name: String) -> String { String(name.prefix(before: "[")) }
}

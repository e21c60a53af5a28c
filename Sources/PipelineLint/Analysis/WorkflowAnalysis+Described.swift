import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineTemplates

/// What the description of an API says about a place of a file.
extension WorkflowAnalysis {
  /// The operation that the endpoint at a place calls.
  func operation(at offset: Int) -> WorkflowSymbol.Operation? {
    guard let described, let number = described.context.viewpoint(at: offset).step,
      let (request, _) = described.context.steps[number].requests.first(where: { request, _ in
        let range = request.endpoint.range
        return range.lowerBound <= offset && offset <= range.upperBound
      }), let call = described.call(of: request, described.context.steps[number]),
      let operation = call.reached.first
    else { return nil }
    let description = call.description
    let parameters = description.parameters(of: operation).map { parameter in
      let words = parameter.shape.words.map { ", " + $0 } ?? ""
      return "\(parameter.name) (\(parameter.place.rawValue)\(words)"
        + (parameter.isRequired ? ", required)" : ")")
    }
    let responses = description.statuses(of: operation).map { status in
      let shape = description.responseShape(of: operation) { $0 == status }
      return status + (shape.words.map { " (\($0))" } ?? "")
    }
    return WorkflowSymbol.Operation(
      signature: operation.signature, range: request.endpoint.range, summary: operation.summary,
      parameters: parameters, responses: responses, isDeprecated: operation.isDeprecated,
      position: operation.node.position)
  }
}

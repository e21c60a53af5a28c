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

  /// The members that the description of the API gives to what a query of the body selects.
  func describedMembers(of query: Query, around offset: Int) -> [(name: String, type: String)] {
    guard let described, let number = described.context.viewpoint(at: offset).step,
      let call = described.calls[number]
    else { return [] }
    return Self.members(of: call.responseShape.reading(query.segments).shape)
  }

  /// The members that the description gives to a value of the scope, such as `get.pet`.
  func describedMembers(ofScope query: Query, from viewpoint: Viewpoint) -> [(
    name: String, type: String
  )] {
    guard let described, let name = query.firstName,
      let definition = described.context.definition(of: name, from: viewpoint)
    else { return [] }
    let start = described.start(
      of: query, definition, block: viewpoint.block, step: viewpoint.step)
    guard let reading = start?.reading, !reading.isMany else { return [] }
    return Self.members(of: reading.shape)
  }

  private static func members(of shape: SchemaShape) -> [(name: String, type: String)] {
    shape.properties.map { property in
      (property.name, SchemaShape(property.node, in: shape.description).words ?? "any JSON")
    }
  }
}

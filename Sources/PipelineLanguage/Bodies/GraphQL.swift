package import PipelineTemplates

/// An operation of GraphQL over HTTP.
package struct GraphQL: Sendable {
  package let query: Body.Text
  package let variables: DataTemplate?
  package let operationName: Written<Template>?

  /// Calls `visit` with each part that is read for a request.
  func forEachPart(_ visit: (StepPart) -> Void) {
    for line in query.lines { visit(.text(line)) }
    if let variables { visit(.data(variables)) }
    if let operationName { visit(.text(operationName)) }
  }
}

extension GraphQL: DeclaredObject {
  init?(_ keys: inout Keys) {
    let query = keys.required(
      "query", .lines, "The operation, or a list of its lines.",
      example: #""{ viewer { login } }""#,
      foreign: ["operation document mutation body text"])
    variables = keys.optional(
      "variables", .data, "The operation's variables.", example: #"{"id": "{{inputs.id}}"}"#,
      foreign: ["vars input inputs args arguments params"])
    operationName = keys.optional(
      "operationName", .template, "The operation to run, if the query holds several.",
      example: #""Viewer""#, foreign: ["name operationId"])
    guard let query else { return nil }
    self.query = query
  }
}

extension Keys {
  mutating func graphQL() -> GraphQL? {
    optional(
      "graphql", .object(.graphql, GraphQL.self),
      "A GraphQL operation; errors in the response fail the step.",
      example: #"{"query": "{ viewer { login } }"}"#,
      foreign: [
        .says("query", "write 'graphql': {\"query\": …}"),
        .says("variables operationName", "write it into 'graphql', beside 'query'"),
      ])
  }
}

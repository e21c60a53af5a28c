import PipelineJSONText
package import PipelineTemplates

/// A failure that the author asks for.
package struct IntendedFailure: Sendable {
  package let message: Written<Template>
  package let details: DataTemplate?
}

extension IntendedFailure: DeclaredObject {
  init?(_ keys: inout Keys) {
    let message = keys.required(
      "message", .template, "The failure's message.", example: #""{{job.id}} failed""#,
      foreign: ["text error reason title name msg"])
    details = keys.optional(
      "details", .data, "Any data about the failure, for `error.details` and the report.",
      example: #"{"job": "{{job.id}}"}"#,
      foreign: [
        "data info context body", .says("status code", "write 'details': {\"status\": …}"),
      ])
    guard let message else { return nil }
    self.message = message
  }
}

/// The value of `fail`: a message, or an object.
struct IntendedFailureType: ValueType {
  var description: LanguageType { .either([.template, .object(.failure)]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> IntendedFailure? {
    if node.kind == .string {
      return decoder.template(node, name, allowsEmpty: false).map {
        IntendedFailure(message: $0, details: nil)
      }
    }
    return decoder.fields(of: node, .failure, .key(name), wanted: "a message, or an object")
      .flatMap { decoder.object(IntendedFailure.self, $0) }
  }
}

package import PipelineJSONPaths
package import PipelineJSONSchemas
package import PipelineJSONText
package import PipelineTemplates

/// Conditions on a response, or on a step's values.
///
/// By reference: most steps have that of the file's defaults, or none.
package final class Expectation: Sendable {
  /// The statuses that pass; `2xx` if the author gives none.
  package let status: [StatusPattern]
  package let statusNode: JSONNode?
  package let checks: [Check]
  /// The media type that the response must have.
  package let contentType: Written<String>?
  /// A JSON Schema (draft 2020-12) that the body must satisfy.
  package let schema: Schema?
  /// Whether a check reads what was extracted, `@.values`.
  package let readsValues: Bool

  /// The expectation if the author gives none.
  static let standard = Expectation()

  init(
    status: [StatusPattern] = [.class(2)], statusNode: JSONNode? = nil, checks: [Check] = [],
    contentType: Written<String>? = nil, schema: Schema? = nil
  ) {
    self.status = status
    self.statusNode = statusNode
    self.checks = checks
    self.contentType = contentType
    self.schema = schema
    readsValues = checks.contains { $0.condition.value.mayRead("values") }
  }

  /// A condition, and the message if it does not hold.
  package struct Check: Sendable {
    package var condition: Written<Condition>
    package var message: Written<Template>?

    package init(condition: Written<Condition>, message: Written<Template>?) {
      self.condition = condition
      self.message = message
    }
  }
}

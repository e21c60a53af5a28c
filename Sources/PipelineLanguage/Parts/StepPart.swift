package import PipelineJSONPaths
package import PipelineTemplates

/// A text, a value, a query or a condition that an author wrote in a step, and its place.
///
/// `Step.forEachPart` lists the parts of a step. Planning, lint and secrecy learn from these parts
/// what a step reads, so a new key of the language is added there only.
package struct StepPart {
  package enum Content {
    case text(Written<Template>, Site)
    /// A text that names a file to read.
    case path(Written<Template>, Site)
    case url(Written<URLTemplate>)
    case baseURL(Written<BaseURL>)
    case endpoint(Written<Endpoint>)
    case data(DataTemplate, Site)
    /// A query of the scope.
    case scopeQuery(Written<Query>)
    /// A query of a response's body.
    case bodyQuery(Written<Query>)
    case condition(Written<Condition>, ConditionPlace)
  }

  package let content: Content
  let mode: Use.Mode
  /// Whether it comes from the file's `defaults`.
  package var isInherited = false
}

/// The key that holds a condition, which decides what the condition may read.
package enum ConditionPlace {
  case when, expect, poll
  /// Reads a row of a collection.
  case row
  /// Reads a response as it came, before anything is extracted.
  case answer
  /// Reads one event of a response that is read as a stream.
  case event

  /// A condition that could be there.
  var example: String {
    switch self {
    case .when: "$.list.total > 0"
    case .row: "@.found"
    case .event: "@.data == '[DONE]'"
    case .expect, .poll, .answer: "@.body.state == 'done'"
    }
  }
}

extension StepPart {
  static func text(
    _ template: Written<Template>, _ site: Site = .text, mode: Use.Mode = .needs
  ) -> StepPart {
    StepPart(content: .text(template, site), mode: mode)
  }

  static func path(_ template: Written<Template>, _ site: Site = .text) -> StepPart {
    StepPart(content: .path(template, site), mode: .needs)
  }

  static func data(
    _ data: DataTemplate, _ site: Site = .data, mode: Use.Mode = .needs
  ) -> StepPart {
    StepPart(content: .data(data, site), mode: mode)
  }

  static func parameter(_ parameter: RequestParameter, _ site: Site) -> StepPart {
    data(parameter.value, site).inherited(parameter.isInherited)
  }

  static func bodyQuery(_ query: Written<Query>) -> StepPart {
    StepPart(content: .bodyQuery(query), mode: .needs)
  }

  /// A condition waits for its values: what is missing is absent in it.
  static func condition(
    _ condition: Written<Condition>, _ place: ConditionPlace
  ) -> StepPart {
    StepPart(content: .condition(condition, place), mode: .waits)
  }

  func inherited(_ isInherited: Bool) -> StepPart {
    var part = self
    part.isInherited = isInherited
    return part
  }
}

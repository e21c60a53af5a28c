package import PipelineJSONPaths

/// Fetches page after page and joins what the extractors find.
package struct Pagination: Sendable {
  /// How the next page is found.
  package enum Form: Sendable {
    /// The `Link` header's target of this relation (RFC 8288).
    case link(relation: String)
    /// The next page's URL in the body.
    case next(Written<Query>)
    /// A cursor in the body, sent as a parameter.
    case cursor(Written<Query>, parameter: String)
    /// A page number sent as a parameter; `by`: how many records a page has, `pages`: how many
    /// pages there are.
    case page(parameter: String, from: Int, by: Int?, pages: Written<Query>?)
    /// An offset sent as a parameter; `total`: how many records there are.
    case offset(parameter: String, by: Int, total: Written<Query>?)
  }

  /// Where the parameter goes.
  package enum Place: String, Sendable, CaseIterable {
    case query, body
  }

  package var form: Form
  /// In the body of GraphQL: among the variables.
  package var place = Place.query
  /// The page's records. An empty page, or under `by` a short one, is the last.
  package var items: Written<Query>?
  /// Another page follows only while it holds of an answer.
  package var `while`: Written<Condition>?
  /// Reaching it is an error.
  package var maxPages = 1000

  package init(form: Form) {
    self.form = form
  }
}

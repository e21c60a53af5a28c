public import JSONPaths

/// Fetches page after page and joins what the extractors find.
public struct Pagination: Sendable {
  /// How the next page is found.
  public enum Form: Sendable {
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
  public enum Place: String, Sendable, CaseIterable {
    case query, body
  }

  public var form: Form
  public var place = Place.query
  /// The page's records; an empty page, or under `by` a short one, is the last.
  public var items: Written<Query>?
  /// Another page follows only while it holds of an answer.
  public var `while`: Written<Condition>?
  /// Reaching it is an error.
  public var maxPages = 1000

  public init(form: Form) {
    self.form = form
  }
}

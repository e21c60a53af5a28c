package import PipelineTemplates

/// Where a value of the scope goes.
package enum Site: Sendable, Hashable {
  /// A part of a URL.
  case url(Position)
  case header, cookie
  /// A parameter of the URL's query.
  case parameter(RequestParameter.Style)
  /// A field of a form.
  case field(RequestParameter.Style)
  /// JSON: a body, a value, an output.
  case data
  /// A text: a password, a path, a message.
  case text
  /// The path of a file that a part of a body carries.
  case file
  /// A bound of a range.
  case bound
  /// The text of a credential.
  case credential
  /// A query or a condition: nothing is inserted, or only as a value.
  case query

  /// The site in a message: `a URL path takes one value`.
  package var words: String {
    switch self {
    case .url(.path): "a URL path"
    case .url(.query): "a URL's query"
    case .url(.authority): "a URL's host"
    case .url: "a URL"
    case .header: "a header"
    case .cookie: "a cookie"
    case .parameter, .field: "a parameter"
    case .data, .text: "a text"
    case .file: "a path"
    case .bound: "a range"
    case .credential: "a credential"
    case .query: "a query"
    }
  }
}

import PipelineJSONPaths
import PipelineJSONText

/// A cursor in the body is a parameter of the next page.
struct CursorPages: PageForm {
  static let lead = "cursor"
  static let setsParameter = true
  static let elsewhere = ForeignPages(types: "cursor token", values: ForeignPages.paths)
  let query: Written<Query>?
  let parameter: String?
  let numbering: PageNumbering? = nil
  private let cursor: Written<Query>

  init?(_ keys: inout Keys) {
    let cursor = keys.required(
      Self.lead, .bodyQuery, "The next page's cursor in the body.", example: #""$.meta.next""#,
      foreign: ["cursorPath nextToken nextCursor token nextPageToken"])
    parameter = keys.cursorParameter()
    guard let cursor, parameter != nil else { return nil }
    self.cursor = cursor
    query = cursor
  }

  var planText: String { "by cursor \(cursor.value.text) in '\(parameter ?? "")'" }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    try answer.value(of: cursor).map { .setting($0.text) } ?? .last
  }
}

extension Keys {
  /// The parameter of a form whose pages have cursors.
  mutating func cursorParameter() -> String? {
    required(
      "param", TextType.parameterName, "The parameter that sends the cursor.",
      example: #""cursor""#,
      foreign: ["cursorParam parameter tokenParam cursorField queryParam"])
  }
}

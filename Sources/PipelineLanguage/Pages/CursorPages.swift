import PipelineJSONText

/// A cursor in a response is a parameter of the next page.
struct CursorPages: PageForm {
  static let lead = "cursor"
  static let setsParameter = true
  static let elsewhere = ForeignPages(types: "cursor token", values: ForeignPages.paths)
  let sources: [PageSource]
  let parameter: String?
  let numbering: PageNumbering? = nil
  let carried: [PageValue] = []
  private let source: PageSource

  init?(_ keys: inout Keys) {
    let source = keys.required(
      Self.lead, .pageSource(.next),
      "The next page's cursor, in the body or as an extractor takes it.",
      example: #""$.meta.next""#, foreign: ["cursorPath nextToken nextCursor token nextPageToken"])
    parameter = keys.cursorParameter()
    guard let source, parameter != nil else { return nil }
    self.source = source
    sources = [source]
  }

  var planText: String { "by cursor \(source.text) in '\(parameter ?? "")'" }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    try answer.lead(from: source).map { .setting($0.text) } ?? .last
  }
}

extension Keys {
  /// The parameter of a form whose pages have cursors.
  mutating func cursorParameter() -> String? {
    required(
      "param", TextType.parameterName, "The parameter that sends the cursor.",
      example: #""cursor""#,
      foreign: ["cursorParam parameter cursorField queryParam"])
  }
}

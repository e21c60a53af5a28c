import PipelineJSONText

/// A cursor in a header is a parameter of the next page.
struct HeaderCursorPages: PageForm {
  static let lead = "cursorHeader"
  static let setsParameter = true
  static let elsewhere = ForeignPages(types: "")
  let sources: [PageSource]
  let parameter: String?
  let numbering: PageNumbering? = nil
  let carried: [PageValue] = []
  private let source: PageSource

  init?(_ keys: inout Keys) {
    let header = keys.required(
      Self.lead, .written(TextType()), "The header of a response with the next page's cursor.",
      example: #""X-Next-Cursor""#, foreign: ["headerCursor"])
    let source = header.map { PageSource(header: $0, Self.lead) }
    parameter = keys.cursorParameter()
    guard let source, parameter != nil else { return nil }
    self.source = source
    sources = [source]
  }

  var planText: String { "by cursor of \(source.text) in '\(parameter ?? "")'" }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    try answer.lead(from: source).map { .setting($0.text) } ?? .last
  }
}

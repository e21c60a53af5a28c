import PipelineJSONText

/// A response has the next page's URL.
struct NextPages: PageForm {
  static let lead = "next"
  static let setsParameter = false
  static let elsewhere = ForeignPages(types: "next url nexturl", values: ForeignPages.paths)
  let sources: [PageSource]
  let parameter: String? = nil
  let numbering: PageNumbering? = nil
  let carried: [PageValue] = []
  private let source: PageSource

  init?(_ keys: inout Keys) {
    let source = keys.required(
      Self.lead, .pageSource(.next),
      "The next page's URL, in the body or as an extractor takes it.",
      example: #""$.next""#, foreign: ["nextUrl nextUrlPath nextLink nextPage"])
    guard let source else { return nil }
    self.source = source
    sources = [source]
  }

  var planText: String { "by the URL \(source.text)" }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    guard let value = try answer.lead(from: source) else { return .last }
    guard let text = value.string else {
      throw PageProblem(source: source, wanted: "a URL or absent", found: value.kind)
    }
    return .url(text)
  }
}

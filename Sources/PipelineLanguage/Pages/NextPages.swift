import PipelineJSONPaths
import PipelineJSONText

/// The body has the next page's URL.
struct NextPages: PageForm {
  static let lead = "next"
  static let setsParameter = false
  static let elsewhere = ForeignPages(types: "next url nexturl", values: ForeignPages.paths)
  let query: Written<Query>?
  let parameter: String? = nil
  let numbering: PageNumbering? = nil
  private let url: Written<Query>

  init?(_ keys: inout Keys) {
    let url = keys.required(
      Self.lead, .bodyQuery, "The next page's URL in the body.", example: #""$.next""#,
      foreign: ["nextUrl nextUrlPath nextLink nextPage nextPath"])
    guard let url else { return nil }
    self.url = url
    query = url
  }

  var planText: String { "by the URL \(url.value.text)" }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    guard let value = try answer.value(of: url) else { return .last }
    guard let text = value.string else {
      throw PageProblem(query: url, wanted: "a URL or absent", found: value.kind)
    }
    return .url(text)
  }
}

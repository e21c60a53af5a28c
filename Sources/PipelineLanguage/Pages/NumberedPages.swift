/// The number of a page is its parameter.
struct NumberedPages: PageForm {
  static let lead = "page"
  static let setsParameter = true
  static let elsewhere = ForeignPages(
    types: "page pagenumber pageincrement", values: ForeignPages.parameters, usual: #""page""#)
  let parameter: String?
  let carried: [PageValue] = []
  let numbering: PageNumbering?
  var sources: [PageSource] { [numbering?.count].compactMap { $0 } }

  init?(_ keys: inout Keys) {
    let parameter = keys.required(
      Self.lead, TextType.parameterName, "The parameter that sends the page's number.",
      example: #""page""#, foreign: ["pageParam number"])
    let from = keys.value(
      "from", .integer(atLeast: 0), default: 1, "The first page's number.", example: "0",
      foreign: ["start startPage first initial basePage initialPage"])
    let pages = keys.optional(
      "pages", .pageSource(.count),
      "The number of pages, in the body or as an extractor takes it.", example: #""$.total_pages""#,
      foreign: ["totalPages lastPage pageCount"])
    let size = keys.optional(
      PageNumbering.sizeKey, OffsetPages.size.type, OffsetPages.size.meaning, example: "100",
      foreign: [OffsetPages.size.foreign])
    keys.missing(
      "items", beside: PageNumbering.sizeKey,
      "'by' tells a short page by its records; write 'items', the query for them")
    guard let parameter else { return nil }
    self.parameter = parameter
    numbering = PageNumbering(
      first: from, step: 1, size: size, count: pages, unit: 1, countKey: "pages", startKey: "from")
  }

  var planText: String {
    "by number in '\(parameter ?? "")', from \(numbering?.first ?? 1)"
      + (numbering?.size.map { ", \($0) together" } ?? "")
      + (numbering?.count.map { ", of " + $0.text } ?? "")
  }

  func move(after answer: PageAnswer) -> PageMove { numbering?.move ?? .last }
}

package import PipelineJSONPaths
package import PipelineJSONText
import PipelineSourceText

/// A way to find the next page: its keys, what it reads, its words in a plan, and its steps from
/// page to page. A new form is a new file and a line in `Pagination.forms`.
package protocol PageForm: Sendable {
  /// The key that chooses the form.
  static var lead: String { get }
  /// Whether each page sets a parameter, so that `while` may be beside the form.
  static var setsParameter: Bool { get }

  /// How other tools choose the form.
  static var elsewhere: ForeignPages { get }

  init?(_ keys: inout Keys)

  /// The parameter that each page sets; `nil`: the response names the next page's URL.
  var parameter: String? { get }
  /// The query of the body that leads to the next page, or counts the pages.
  var query: Written<Query>? { get }
  /// How the pages are counted; `nil`: only a response leads to the next page.
  var numbering: PageNumbering? { get }
  /// As `pipeline plan` shows it: `by cursor $.next in 'after'`.
  var planText: String { get }

  /// What follows a page, if neither `items` nor `while` ends the pages.
  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove
}

/// How other tools choose a form of pages: by a word in a member of its own.
package struct ForeignPages: Sendable {
  /// The words, with blanks between them.
  let types: String
  /// The words of the members that hold the lead's value, with blanks between them.
  var values = ""
  /// The lead's value, as JSON text, if there is no such member; `nil`: it has to be given.
  var usual: String?

  static let parameters = "param parameter pageparam offsetparam cursorparam"
  static let paths = "path cursorpath nextpath nexturlpath nexttoken"
}

/// A step from a page to the next one. Runs and journals know these steps, and no form.
package enum PageMove: Sendable {
  /// The page is the last.
  case last
  /// To the page of the following number.
  case number
  /// To a URL, as the response has it.
  case url(String)
  /// To the first request with this value, which is JSON text, as its parameter.
  case setting(String)
}

/// The parts of a response that lead to the next page.
package struct PageAnswer {
  /// The URL that answered.
  package let url: String
  /// The values of a header, by its name in any case.
  package let header: (String) -> [String]
  /// The body; `nil` if it is not JSON.
  package let body: QueryContext?

  package init(url: String, body: QueryContext?, header: @escaping (String) -> [String]) {
    self.url = url
    self.body = body
    self.header = header
  }

  /// A cursor or a URL in the body; `nil` if it says that there is no next page.
  func value(of query: Written<Query>) throws(PageProblem) -> JSONNode? {
    guard let body, let value = query.value.nodes(in: body).first else { return nil }
    if value.isNull || value.string?.isEmpty == true || value.boolean == false { return nil }
    guard value.kind != .object, value.kind != .array else {
      throw PageProblem(query: query, wanted: "one value", found: value.kind)
    }
    return value
  }
}

/// A value of a response that cannot lead to the next page.
package struct PageProblem: Error {
  package let query: Written<Query>
  /// What the value must be: `a URL or absent`.
  package let wanted: String
  /// The kind of the value; `nil`: there is none.
  package let found: JSONKind?
}

/// The parameter of pages that are counted.
package struct PageNumbering: Sendable {
  /// Its value on the first page.
  package let first: Int
  /// Its growth from page to page.
  package let step: Int
  /// The number of records on a page. A page with fewer is the last.
  package let size: Int?
  /// The number of pages, or of records, in the body.
  package let count: Written<Query>?
  /// What the count counts on each page: 1 for pages, their records for records.
  let unit: Int
  /// The key that holds the count.
  package let countKey: String
  /// The key that holds the number of records on a page.
  package static let sizeKey = "by"
  /// The key that sets the first value; `nil`: it is always the same.
  package let startKey: String?

  /// The parameter's value on a page that is counted from 0; `nil`: it is too large.
  package func value(onPage number: Int) -> Int? {
    let (growth, isTooLarge) = step.multipliedReportingOverflow(by: number)
    let (value, isOver) = first.addingReportingOverflow(growth)
    return isTooLarge || isOver ? nil : value
  }

  /// The number of pages; `nil` if no key leads to it.
  package func pages(_ answer: PageAnswer) throws(PageProblem) -> Int? {
    guard let count else { return nil }
    let value = answer.body.flatMap { count.value.nodes(in: $0).first }
    guard let value, !value.isNull else {
      throw PageProblem(query: count, wanted: "a whole number", found: nil)
    }
    guard let number = value.number?.int ?? value.string.flatMap({ Int($0) }), number >= 0 else {
      throw PageProblem(query: count, wanted: "a whole number", found: value.kind)
    }
    return number / unit + (number % unit == 0 ? 0 : 1)
  }

  /// Only after a page without records the number of pages is not known, although a key counts them.
  var move: PageMove { count == nil ? .number : .last }
}

extension TextType {
  /// The name of a parameter.
  static let parameterName = TextType { _ in "; write the parameter's name" }
}

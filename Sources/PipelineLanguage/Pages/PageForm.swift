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

  /// The parameter that each page sets; `nil` if the response names the next page's URL.
  var parameter: String? { get }
  /// The parts of a response that lead to the next page, or count the pages.
  var sources: [PageSource] { get }
  /// The values that pages hand on under names. Only a form of such values has any.
  var carried: [PageValue] { get }
  /// How the pages are counted; `nil` if only a response leads to the next page.
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
  /// The lead's value, as JSON text, if there is no such member; `nil` if it has to be given.
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
  /// To the first request with this value, which is JSON text, as its parameter; or with the members
  /// of this object as the carried values.
  case setting(String)
}

/// The parts of a response that lead to the next page.
package struct PageAnswer {
  /// The URL that answered.
  package let url: String
  /// The values of a header. Its name is compared without regard to case.
  package let header: (String) -> [String]
  /// What each source of the form finds; `nil` if there is nothing.
  package let found: [JSONNode?]

  package init(url: String, found: [JSONNode?], header: @escaping (String) -> [String]) {
    self.url = url
    self.found = found
    self.header = header
  }

  /// Whether a value says that there is no next page.
  static func endsPages(_ value: JSONNode, _ source: PageSource) -> Bool {
    value.isNull || value.string?.isEmpty == true || value.boolean == false
      // A header has no other way to write null.
      || source.query == nil && value.string == "null"
  }

  /// The cursor or URL that the only source finds; `nil` if it says that there is no next page.
  func lead(from source: PageSource) throws(PageProblem) -> JSONNode? {
    guard let found = found.first ?? nil, !Self.endsPages(found, source) else { return nil }
    guard found.kind != .object, found.kind != .array else {
      throw PageProblem(source: source, wanted: "one value", found: found.kind)
    }
    return found
  }
}

/// A value of a response that cannot lead to the next page.
package struct PageProblem: Error {
  package let source: PageSource
  /// What the value must be: `a URL or absent`.
  package let wanted: String
  /// The kind of the value; `nil` if there is none.
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
  /// The number of pages, or of records.
  package let count: PageSource?
  /// What the count counts on each page: 1 for pages, their records for records.
  let unit: Int
  /// The key that holds the count.
  package let countKey: String
  /// The key that holds the number of records on a page.
  package static let sizeKey = "by"
  /// The key that sets the first value; `nil` if it is always the same.
  package let startKey: String?

  /// The parameter's value on a page that is counted from 0; `nil` if it is too large.
  package func value(onPage number: Int) -> Int? {
    let (growth, isTooLarge) = step.multipliedReportingOverflow(by: number)
    let (value, isOver) = first.addingReportingOverflow(growth)
    return isTooLarge || isOver ? nil : value
  }

  /// The number of pages; `nil` if no key leads to it.
  package func pages(_ answer: PageAnswer) throws(PageProblem) -> Int? {
    guard let count else { return nil }
    guard let value = answer.found.first ?? nil, !value.isNull else {
      throw PageProblem(source: count, wanted: "a whole number", found: nil)
    }
    guard let number = value.number?.int ?? value.string.flatMap({ Int($0) }), number >= 0 else {
      throw PageProblem(source: count, wanted: "a whole number", found: value.kind)
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

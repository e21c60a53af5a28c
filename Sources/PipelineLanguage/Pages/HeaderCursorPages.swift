import PipelineJSONPaths
import PipelineJSONText

/// A cursor in a header is a parameter of the next page.
struct HeaderCursorPages: PageForm {
  static let lead = "cursorHeader"
  static let setsParameter = true
  static let elsewhere = ForeignPages(types: "")
  let parameter: String?
  let query: Written<Query>? = nil
  let numbering: PageNumbering? = nil
  private let header: String

  init?(_ keys: inout Keys) {
    let header = keys.required(
      Self.lead, TextType(), "The header of a response with the next page's cursor.",
      example: #""X-Next-Cursor""#, foreign: ["nextHeader headerCursor tokenHeader"])
    parameter = keys.cursorParameter()
    guard let header, parameter != nil else { return nil }
    self.header = header
  }

  var planText: String { "by cursor of the header '\(header)' in '\(parameter ?? "")'" }

  func move(after answer: PageAnswer) -> PageMove {
    guard let cursor = answer.header(header).first, !cursor.isEmpty, cursor != "null" else {
      return .last
    }
    return .setting(JSONValue.string(cursor).node.text)
  }
}

/// The number of records before a page is its parameter.
struct OffsetPages: PageForm {
  static let lead = "offset"
  static let setsParameter = true
  static let elsewhere = ForeignPages(
    types: "offset offsetincrement", values: ForeignPages.parameters, usual: #""offset""#)
  let parameter: String?
  let carried: [PageValue] = []
  let numbering: PageNumbering?
  var sources: [PageSource] { [numbering?.count].compactMap { $0 } }

  /// The number of records on a page, which numbered pages may have, too.
  static let size = (
    type: IntegerType(minimum: 1), meaning: "The number of records on a page.",
    foreign: Foreign.says(
      "limit pageSize perPage size count batchSize",
      "write 'by' for the records on a page, and send the limit in 'query'", as: "…")
  )

  init?(_ keys: inout Keys) {
    let parameter = keys.required(
      Self.lead, TextType.parameterName, "The parameter that sends the number of records to skip.",
      example: #""offset""#, foreign: ["offsetParam skip start_index"])
    let size = keys.required(
      PageNumbering.sizeKey, Self.size.type, Self.size.meaning, example: "100",
      foreign: [Self.size.foreign])
    let total = keys.optional(
      "total", .pageSource(.count),
      "The number of records, in the body or as an extractor takes it.", example: #""$.total""#,
      foreign: ["totalPath totalCount totalItems"])
    guard let parameter, let size else { return nil }
    self.parameter = parameter
    numbering = PageNumbering(
      first: 0, step: size, size: size, count: total, unit: size, countKey: "total", startKey: nil)
  }

  var planText: String {
    "by offset in '\(parameter ?? "")', \(numbering?.step ?? 1) together"
      + (numbering?.count.map { ", of " + $0.text } ?? "")
  }

  func move(after answer: PageAnswer) -> PageMove { numbering?.move ?? .last }
}

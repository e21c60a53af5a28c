internal import PipelineByteText
internal import PipelineJSONText

/// The forms that data may hold, by their names.
///
/// By reference: each parser of data has them.
package final class FormSet: Sendable {
  /// In the order of their table.
  package let tables: [FormTable]
  let names: [String]
  private let byName: [ExactText: FormTable]

  init(_ tables: [FormTable]) {
    self.tables = tables
    names = tables.map(\.title.name)
    byName = Dictionary(uniqueKeysWithValues: tables.map { (ExactText($0.title.name), $0) })
  }

  /// No forms, for a parser that reads nothing.
  static let none = FormSet([])

  func table(_ name: String) -> FormTable? { byName[ExactText(name)] }

  // MARK: - Words of other tools

  /// The form that another name of one means: `$length`, `$concatenate`.
  func form(meantBy name: String) -> String? {
    let word = String(name.dropFirst(bytes: 1)).lowercased()
    return tables.first { $0.title.synonyms.contains(word) }?.title.name
      ?? ForeignFunctions.form(of: word)
  }

  /// The way to do what a form of another tool does, if no form here does it.
  static func advice(on member: JSONMember) -> String? {
    let text = member.value.string
    let isQuery = text?.hasPrefix(bytes: "$") == true || text?.hasPrefix(bytes: "{{") == true
    let literal = isQuery ? "" : "; to send the object unchanged, write {\"$literal\": …}"
    let word = String(member.name.dropFirst(bytes: 1)).lowercased()
    return advice(on: word, isQuery ? member.value.text : "\"$.list.rows\"").map { $0 + literal }
  }

  private static func advice(on word: String, _ list: String) -> String? {
    switch word {
    case "map", "each", "flatmap", "mapvalues", "transform", "foreach":
      "write a step with \"forEach\": \(list) and \"values\""
    case "filter", "where", "find", "select", "reject", "pick", "omit":
      "a query filters: \"$.list.items[?@.active == true]\""
    case "slice", "limit", "skip", "last", "nth", "head", "tail", "arrayelemat", "at", "get":
      "a query selects: \"$.list.items[0:10]\", or \"$.list.items[-1]\" for the last"
    case "round", "floor", "ceil":
      "'$quotient' by 1 rounds to its 'places'"
    case "mod", "modulo", "avg", "average", "mean", "abs", "pow":
      "numbers have '$sum', '$difference', '$product', '$quotient', '$min' and '$max'"
    case "reverse", "group", "groupby", "zip", "reduce", "fold":
      "no form does it; let the server do it, or a program after the run"
    case "if", "cond", "switch", "ternary", "case", "eq", "and", "or", "not":
      "write 'choose', or two steps with 'when'"
    case "now", "time", "timestamp", "today":
      "write '{{run.startedAt}}', or {\"$date\": {\"of\": \"{{run.startedAt}}\", \"format\": …}}"
    case "id": "write '{{run.id}}', which is another text in each run, or '$uuid'"
    default: nil
    }
  }

  // MARK: - Options in the wrong place

  /// An object with one form, whose other members are all options, as it should be written; `nil`
  /// if it is another object.
  static func withOptionsInside(_ object: JSONNode, _ table: FormTable) -> String? {
    let name = table.title.name
    guard object.count > 1, let value = object[name] else { return nil }
    var options: [String] = []
    for member in object.members where member.name != name {
      guard table.option(member.name) != nil else { return nil }
      options.append("\"\(member.name)\": \(member.value.text)")
    }
    let inside = (["\"\(table.title.valueName)\": \(value.text)"] + options).joined(separator: ", ")
    return "{\"\(name)\": {\(inside)}}"
  }
}

import PipelineJSONPaths
import PipelineJSONText
package import PipelineTemplates

/// A value that each page hands to the next one, under a name that the request's settings read.
package struct PageValue: Sendable {
  package let name: String
  package let nameRange: Range<Int>
  /// The value of the first page; `nil` if it is absent there.
  package let first: DataTemplate?
  /// The part of a response that is the value of the next page.
  package let source: PageSource
}

/// The author says where the values of a page go: their names are templates of the request.
struct CarryPages: PageForm {
  static let lead = "carry"
  static let setsParameter = true
  static let elsewhere = ForeignPages(types: "")
  let sources: [PageSource]
  let parameter: String? = nil
  let numbering: PageNumbering? = nil
  let carried: [PageValue]

  init?(_ keys: inout Keys) {
    let carried = keys.required(
      Self.lead, PageValuesType(),
      "Values that a page hands to the next one, by name; templates of the request insert them.",
      example: #"{"next": "$.meta.next"}"#, names: .scope)
    guard let carried, !carried.isEmpty else { return nil }
    self.carried = carried
    sources = carried.map(\.source)
  }

  var planText: String {
    "by carrying " + carried.map { "'\($0.name)' of \($0.source.text)" }.joined(separator: ", ")
  }

  func move(after answer: PageAnswer) throws(PageProblem) -> PageMove {
    var writer = JSONWriter(style: .compact)
    var isLast = true
    writer.beginObject()
    for (value, found) in zip(carried, answer.found) {
      guard let found, !PageAnswer.endsPages(found, value.source) else { continue }
      isLast = false
      writer.name(value.name)
      writer.value(found)
    }
    writer.endObject()
    return isLast ? .last : .setting(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// A carried value that says more than its query.
private struct PageValueKeys: DeclaredObject {
  let first: DataTemplate?
  let next: PageSource?

  init(_ keys: inout Keys) {
    first = keys.optional(
      "default", .data, "The value of the first page; without it, the value is absent there.",
      example: #""{{inputs.start}}""#, foreign: ["initial start initialValue first from"])
    next = keys.required(
      "next", .pageSource(.carried),
      "The value of the next page, in the body or as an extractor takes it.",
      example: #""$.meta.next""#, foreign: ["value set update cursor"])
  }
}

extension LanguageObject {
  /// A member of `carry` in `paginate`.
  static let pageValue = LanguageObject(
    .pageValue, "carried value", place: "in a carried value", of: PageValueKeys.self)
}

/// The value of `carry`: for each name the source of its next value, perhaps with the first one.
private struct PageValuesType: ValueType {
  var description: LanguageType {
    .map(.either([.bodyQuery, .object(.extractor), .object(.pageValue)]))
  }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [PageValue]? {
    guard
      decoder.isMap(
        node, name, "an object of names and queries such as {\"next\": \"$.meta.next\"}")
    else { return nil }
    let values = node.members.map { member in
      decoder.checkName(member.name, .scope, at: member.nameRange)
      decoder.checkHiding(member.name, at: member.nameRange)
      return Self.value(member, &decoder)
    }
    if node.count == 0 {
      decoder.report(.invalidValue, "an empty '\(name)' decides nothing", at: node.range)
    }
    return values
  }

  private static func value(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> PageValue {
    let node = member.value
    var first: DataTemplate?
    let source: PageSource?
    if node["next"] != nil || node["default"] != nil && node.count == 1 {
      let keys = decoder.fields(of: node, .pageValue, .named("carried value", member.name))
        .flatMap { decoder.object(PageValueKeys.self, $0) }
      first = keys?.first
      source = keys?.next
    } else {
      source = PageSourceType(purpose: .carried).read(node, member.name, &decoder)
    }
    if source == nil { decoder.incomplete.insert(node.index) }
    // The name exists all the same, so its readers are not reported.
    return PageValue(
      name: member.name, nameRange: member.nameRange, first: first,
      source: source ?? PageSource(extractor: Extractor(member, .status, .none)))
  }
}

import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A member of `extract` that says more than its query.
struct ExtractorOptions: Sendable, DeclaredObject {
  let source: Extractor.Source?
  let take: Written<Extractor.Take>?
  let type: Written<Extractor.ValueType>?
  let isOptional: Bool
  let defaultValue: JSONNode?
  let isSecret: Bool
  let decode: TextDecoding?
  let pattern: Written<IRegexp>?
  let all: Bool
  let parameter: Written<String>?

  /// The options of an extractor that declares none.
  static let none = {
    var keys = Keys.absent
    return ExtractorOptions(&keys)
  }()

  init(_ keys: inout Keys) {
    let source = keys.one(of: Extractor.Source.forms, or: "regex")
    let pattern = keys.regex()
    self.pattern = pattern
    // Alone it searches the body's text.
    self.source = source ?? (pattern == nil ? nil : .text)
    take = keys.optional(
      "take", .written(.choice(Extractor.Take.self)),
      "Takes one element of a query's list; `one` fails if there is none or more than one.",
      example: #""first""#, beside: ["body"],
      foreign: [
        .says(
          "index nth", "write 'take': \"first\" or \"last\", or [0] in the query")
      ])
    type = keys.optional(
      "type", .written(.choice(Extractor.ValueType.self)),
      "The type of the value; a text is converted to it.", example: #""integer""#,
      foreign: ["cast convert as"])
    isOptional = keys.value(
      "optional", .boolean, default: false,
      "Whether the value may be missing; it is then absent.", example: "true",
      foreign: ["nullable missing"])
    defaultValue = keys.optional(
      "default", .json, "The value if nothing is found.", example: "0",
      foreign: ["fallback orElse"])
    isSecret = keys.value(
      "secret", .boolean, default: false,
      "Whether the value is shown as `•••` in everything that the run prints.", example: "true",
      foreign: ["sensitive masked hidden"])
    decode = keys.optional(
      "decode", .choice(TextDecoding.self), "Decodes a text.", example: #""base64""#,
      foreign: ["encoding decoder"])
    all = keys.value(
      "all", .boolean, default: false, "Takes every header of this name, as a list.",
      example: "true", beside: ["header"], foreign: ["many list"])
    parameter = keys.optional(
      "param", .written(.text), "Takes this query parameter of a URL and decodes it.",
      example: #""code""#, foreign: ["parameter queryParam"])
    for name in ["headers", "status"] {
      for key in ["regex", "param"] {
        keys.conflict(
          key, with: name, "'\(key)' takes a part of a text, which '\(name)' does not give")
      }
      keys.conflict("decode", with: name, "'decode' decodes a text, which '\(name)' does not give")
    }
    keys.advise([
      .says("required mandatory", "it is, unless 'optional' is true"),
      .says("name key id", "the extractor's name is its key: 'extract': {\"id\": …}"),
    ])
  }
}

/// The value of `extract`.
struct ExtractorsType: ValueType {
  var description: LanguageType { .map(.either([.bodyQuery, .object(.extractor)])) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Extractor]? {
    guard
      decoder.isMap(
        node, name, "an object of names and queries such as {\"id\": \"$.data.id\"}")
    else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, .value, at: member.nameRange)
      if let extractor = Self.extractor(member, &decoder) { return extractor }
      // The name exists all the same, so its readers are not reported.
      decoder.incomplete.insert(member.value.index)
      return Extractor(member, .status, .none)
    }
  }

  private static func extractor(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> Extractor? {
    let node = member.value
    if node.kind == .string {
      return query(of: node, member.name, &decoder).map { Extractor(member, .body($0), .none) }
    }
    guard
      let fields = decoder.fields(
        of: node, .extractor, .named("extractor", member.name),
        wanted: "a query such as \"$.data.id\", or an object"),
      let options = decoder.object(ExtractorOptions.self, fields), let source = options.source
    else { return nil }
    return Extractor(member, source, options)
  }

  /// The query that a reference with a wildcard or an index can only mean: references have none.
  private static func meantQuery(_ text: String) -> String? {
    guard text.hasSuffix(bytes: "}}"), text.contains(bytes: "[") else { return nil }
    let path = String(text.dropFirst(bytes: 2).dropLast(bytes: 2)).trimmed
    let query = path.hasPrefix(bytes: "$") ? path : "$." + path
    guard case .success = Query.parse(query) else { return nil }
    return query
  }

  /// A query of the body, or what was likely meant by a text that is none.
  private static func query(
    of node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Query>? {
    guard let text = node.string, text.hasPrefix(bytes: "{{") else {
      return decoder.bodyQuery(node, name)
    }
    if let meant = meantQuery(text) {
      let fix = JSONValue.string(meant).node.text
      decoder.report(
        .query, "an extractor takes a query of the body; write \(fix)", at: node.range,
        fix: .replacing(node.range, with: fix, isSafe: false))
      return nil
    }
    decoder.report(
      .query, "an extractor takes a query; write {\"value\": \(node.text)} to carry a value",
      at: node.range,
      fix: .replacing(node.range, with: "{\"value\": \(node.text)}", isSafe: false))
    return nil
  }
}

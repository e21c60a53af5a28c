import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineURIs

/// Reads a schema into rules. Collects problems and continues.
///
/// Schemas wait in a queue, so nesting and chains of references do not make this recurse.
struct SchemaParser {
  let document: JSONDocument
  let start: Int
  let formats: Schema.FormatUse
  var subschemas: [Subschema] = []
  var problems: [SchemaProblem] = []
  var patternCount = 0

  /// The position in `subschemas` of the schema at a tape index.
  private var positions: [Int: Int] = [:]
  /// How many rules lead to each schema.
  private var uses: [Int] = []
  /// Tape indexes of schemas that are still to be read.
  private var pending: [Int] = []
  /// The base URI of the schema at a tape index, by its position in `uris`.
  var bases: [Int: Int] = [:]
  var uris: [URI] = []
  /// The tape index of the schema with that `$id`.
  var resources: [String: Int] = [:]
  /// The tape index of the schema with that `$anchor`. Names are `base#anchor`.
  var anchors: [String: Int] = [:]

  /// The members of objects that references lead through, by the object's tape index.
  var members: [Int: [ExactText: Int]] = [:]

  init(_ node: JSONNode, formats: Schema.FormatUse) {
    document = node.document
    start = node.index
    self.formats = formats
  }

  /// - Returns: The position of the whole schema.
  mutating func parse() -> Int {
    let node = JSONNode(document: document, index: start)
    guard isSchema(node) else {
      problems.append(
        SchemaProblem(
          .value, "a schema is an object, 'true' or 'false', but this is \(node.phrase)",
          at: node.range))
      return 0
    }
    locateDocument()
    let root = use(start)
    while let index = pending.popLast() {
      guard let position = positions[index] else { continue }
      read(JSONNode(document: document, index: index), into: position)
    }
    for position in subschemas.indices { subschemas[position].isShared = uses[position] > 1 }
    if !problems.contains(where: { $0.severity == .error }) { refuseLoops() }
    return root
  }

  /// The position of the schema at a tape index, for a rule that leads to it. It is read later.
  mutating func use(_ index: Int) -> Int {
    let position = define(index)
    uses[position] += 1
    return position
  }

  /// The same for a schema that only a `$ref` can reach.
  @discardableResult mutating func define(_ index: Int) -> Int {
    if let position = positions[index] { return position }
    positions[index] = subschemas.count
    subschemas.append(Subschema())
    uses.append(0)
    pending.append(index)
    return subschemas.count - 1
  }

  func isSchema(_ node: JSONNode) -> Bool { node.kind == .object || node.kind == .boolean }

  private mutating func read(_ node: JSONNode, into position: Int) {
    if let boolean = node.boolean {
      guard !boolean else { return }
      subschemas[position].rules = [Rule(neverAt: node.range)]
      subschemas[position].isNever = true
      return
    }
    let fields = keywords(of: node)
    defineUnused(fields)
    var rules = valueRules(fields)
    rules += arrayRules(fields)
    rules += objectRules(fields)
    rules += applicators(fields, of: node)
    subschemas[position].rules = rules.enumerated()
      .sorted { ($0.element.check.rank, $0.offset) < ($1.element.check.rank, $1.offset) }
      .map(\.element)
    subschemas[position].collects =
      fields[.unevaluatedItems] != nil || fields[.unevaluatedProperties] != nil
  }

  /// The keywords of a schema, the first of each name. Unknown keywords are reported.
  private mutating func keywords(of node: JSONNode) -> [Keyword: JSONNode] {
    var fields: [Keyword: JSONNode] = [:]
    for member in node.members {
      guard let keyword = Keyword(rawValue: member.name) else {
        judgeUnknown(member)
        continue
      }
      if fields[keyword] == nil { fields[keyword] = member.value }
      switch keyword {
      case .dynamicRef, .vocabulary:
        problems.append(
          SchemaProblem(
            .unsupported,
            "'\(member.name)' is not supported"
              + (keyword == .dynamicRef ? "; write '$ref'" : ""), at: member.nameRange))
      case .schema: judgeDialect(member.value)
      case .comment, .title, .description, .contentEncoding, .contentMediaType:
        if member.value.string == nil { mistyped(keyword, member.value, "a string") }
      case .deprecated, .readOnly, .writeOnly:
        if member.value.boolean == nil { mistyped(keyword, member.value, "true or false") }
      case .examples:
        if member.value.kind != .array { mistyped(keyword, member.value, "an array") }
      default: break
      }
    }
    return fields
  }

  /// The name that was probably meant. Only the first problems have it, because all names are
  /// compared.
  func nearest(to name: String, among names: some Sequence<String>) -> String? {
    problems.count < 100 ? Spelling.nearest(to: name, among: names) : nil
  }

  private mutating func judgeUnknown(_ member: JSONMember) {
    let name = member.name
    if let advice = Keyword.refused[name] {
      problems.append(
        SchemaProblem(
          .unsupported, "'\(name)' is not in JSON Schema 2020-12; \(advice)",
          at: member.nameRange))
    } else if !name.hasPrefix(bytes: "x-") {
      let foreign = Keyword.foreign[name]
      let near = foreign == nil ? nearest(to: name, among: Keyword.names) : nil
      let advice = foreign.map { "; " + $0 } ?? near.map { "; did you mean '\($0)'?" } ?? ""
      problems.append(
        SchemaProblem(
          .unknownKeyword,
          "'\(name)' is not a keyword of JSON Schema 2020-12 and has no effect\(advice)",
          at: member.nameRange, fix: near.map { "\"\($0)\"" }))
    }
  }

  private mutating func judgeDialect(_ value: JSONNode) {
    let supported = "https://json-schema.org/draft/2020-12/schema"
    guard let text = value.string else { return mistyped(.schema, value, "'\(supported)'") }
    guard text != supported, text != supported + "#" else { return }
    problems.append(
      SchemaProblem(
        .unsupported, "the dialect '\(text)' is not supported; '$schema' is '\(supported)'",
        at: value.range))
  }

  /// Schemas that no rule leads to are read all the same: their problems count, and a `$ref` may
  /// lead there.
  private mutating func defineUnused(_ fields: [Keyword: JSONNode]) {
    for keyword in [Keyword.defs, .definitions, .contentSchema, .then, .else] {
      guard let value = fields[keyword] else { continue }
      if keyword.schemas == .one {
        if check(value, keyword) { define(value.index) }
      } else if value.kind == .object {
        for member in value.members where check(member.value, keyword) {
          define(member.value.index)
        }
      } else {
        mistyped(keyword, value, "an object of schemas")
      }
    }
  }

  // MARK: - Values

  mutating func mistyped(_ keyword: Keyword, _ value: JSONNode, _ expected: String) {
    problems.append(
      SchemaProblem(
        .value, "'\(keyword.rawValue)' takes \(expected), but has \(value.phrase)",
        at: value.range))
  }

  /// Whether a value of the keyword, or in it, is a schema. Reported if it is not.
  mutating func check(_ value: JSONNode, _ keyword: Keyword) -> Bool {
    if isSchema(value) { return true }
    let advice = keyword == .items && value.kind == .array ? "; write 'prefixItems' for a list" : ""
    switch keyword.schemas {
    case .list: mistyped(keyword, value, "an array of schemas (objects, 'true' or 'false')")
    case .map: mistyped(keyword, value, "an object of schemas (objects, 'true' or 'false')")
    default:
      problems.append(
        SchemaProblem(
          .value,
          "'\(keyword.rawValue)' takes a schema (an object, 'true' or 'false'), but has "
            + "\(value.phrase)\(advice)", at: value.range))
    }
    return false
  }
}

import PipelineByteText
import PipelineFormats
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A query that the format of the body cannot answer.
enum QueryOfFormat: LintRule {
  static let explanation = Explanation(
    "query-of-format", .error, PackageResources.query_of_format_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, let read = request.read else { return }
    let queries = request.bodyQueries
    for query in queries { judge(query, read, context, &found) }
    // 'retry' also sees answers with a status that is not expected, which are not read this way.
    let again = request.retry.when?.node.range
    for condition in step.parts.conditions
    where condition.written.node.range != again && condition.place != .event {
      for query in condition.walk.queries
      where query.anchor == .current && query.segments.first?.name == "body" {
        judge(query, in: condition.written, read, context, &found)
      }
    }
    let sources = queries.map(\.node.range)
    for (comparison, node) in step.parts.comparisons where node.range != again {
      let isOfRow = sources.contains { $0 == node.range }
      judge(comparison, in: node, isOfRow: isOfRow, read, context, &found)
    }
  }

  // MARK: Queries

  /// A query whose `$` is the body.
  private static func judge(
    _ query: Written<Query>, _ read: ResponseFormat, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    guard query.value.anchor == .root else { return }
    if case .text = read.format, !query.value.segments.isEmpty {
      found.append(
        finding(
          "the body is a text here, in which '\(query.value.text)' finds nothing; write"
            + " {\"body\": \"$\"}, with 'regex' for a part of it", at: query.range))
      return
    }
    if query.value.segments.first?.name != nil, read.format.givesRows {
      let meant = "$[*]" + query.value.text.dropFirst(bytes: 1)
      found.append(
        finding(
          "'$' is the list of rows here; write '\(meant)'", at: query.range,
          fix: WorkflowDecoder.fix(
            meant, for: 0..<query.value.text.utf8.count, in: query.node, isSafe: false)))
      return
    }
    judgeLists(
      query.value.segments[...], of: query.value, at: { query.range(of: $0) }, read, context, &found
    )
    judgeNames(query.value.segments[...], at: { query.range(of: $0) }, read, &found)
  }

  /// Names that no row has.
  private static func judgeNames(
    _ segments: ArraySlice<Segment>, at place: (Range<Int>) -> Range<Int>, _ read: ResponseFormat,
    _ found: inout [Diagnostic]
  ) {
    guard let shape = ValueShape(read.format) else { return }
    judgeNames(segments, from: shape, at: place, read, &found)
  }

  private static func judgeNames(
    _ segments: ArraySlice<Segment>, from shape: ValueShape,
    at place: (Range<Int>) -> Range<Int>, _ read: ResponseFormat, _ found: inout [Diagnostic]
  ) {
    var way = ShapeWalk(shape)
    for segment in segments {
      let row = way.shape
      if way.follow(segment) {
        for case .filter(let expression) in segment.selectors.map(\.kind) {
          for query in ConditionWalk(expression).queries where query.anchor == .current {
            judgeNames(query.segments[...], from: way.shape, at: place, read, &found)
          }
        }
        continue
      }
      guard let name = segment.name, row.contentKind == .object else { return }
      let what = read.format == .events ? "an event" : "a row"
      let names = row.memberNames
      let list = names.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
      let meant = Spelling.didYouMean(name, among: names)
      let way = meant.isEmpty ? "; it has " + list : meant
      found.append(
        finding("\(what) has no '\(name)'\(way)", at: place(segment.range)))
      return
    }
  }

  /// A query of a condition, which begins with `@.body`.
  private static func judge(
    _ query: Query, in condition: Written<Condition>, _ read: ResponseFormat,
    _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    let rest = query.segments.dropFirst()
    if read.format.givesRows, rest.first?.name != nil {
      let text = query.text.utf8
      let end = query.segments[0].range.upperBound - query.segments[0].range.lowerBound + 1
      let meant = "@.body[0]" + String(decoding: text.dropFirst(end), as: UTF8.self)
      found.append(
        finding(
          "'@.body' is the list of rows here; write '\(meant)'",
          at: condition.range(of: query.range)))
      return
    }
    judgeLists(
      rest, of: query, at: { condition.range(of: $0) }, read, context, &found)
    judgeNames(rest, at: { condition.range(of: $0) }, read, &found)
  }

  /// Elements of XML that are taken for lists.
  private static func judgeLists(
    _ segments: ArraySlice<Segment>, of query: Query, at place: (Range<Int>) -> Range<Int>,
    _ read: ResponseFormat, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    guard case .xml(let format) = read.format else { return }
    for (segment, next) in zip(segments, segments.dropFirst()) {
      guard let name = segment.name, next.reach == .child, next.takesElements,
        !format.lists.contains(name), !name.hasPrefix(bytes: "@"), !name.hasPrefix(bytes: "#")
      else { continue }
      found.append(
        finding(
          "'\(name)' is a list only if it comes twice; write \"read\": {\"xml\": {\"lists\":"
            + " [\"\(name)\"]}}", at: place(segment.range.lowerBound..<next.range.upperBound),
          fix: adding(list: name, to: read, context)))
      return
    }
  }

  // MARK: Texts that are compared with numbers

  private static func judge(
    _ comparison: Comparison, in node: JSONNode, isOfRow: Bool, _ read: ResponseFormat,
    _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    guard let (name, meant, isWithoutType) = text(in: comparison, isOfRow: isOfRow, read) else {
      return
    }
    let range = node.sourceRange(ofDecoded: comparison.range)
    guard case .separated = read.format else {
      found.append(
        finding(
          "an XML value is a text, which no number is compared with; extract it with \"type\":"
            + " \"\(meant)\", and compare '@.values'", at: range))
      return
    }
    found.append(
      finding(
        "a \(read.format.words) field is a text, which no number is compared with; write"
          + " \"columns\": {\"\(name)\": \"\(meant)\"}", at: range,
        fix: isWithoutType ? adding(column: name, meant, to: read, context) : nil))
  }

  /// Whether a comparison of a condition compares a text of the body with a number.
  static func comparesText(_ comparison: Comparison, in step: LintStep) -> Bool {
    step.request?.read.map { text(in: comparison, isOfRow: false, $0) != nil } ?? false
  }

  /// The name of a text that is compared with a number, the type that is meant, and whether its column
  /// has none.
  private static func text(
    in comparison: Comparison, isOfRow: Bool, _ read: ResponseFormat
  ) -> (name: String, meant: String, isWithoutType: Bool)? {
    let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
    for case (.query(let query), .literal(let literal)) in sides {
      guard case .number(let digits) = literal.value, query.anchor == .current,
        let name = query.segments.last?.name
      else { continue }
      let isOfBody = query.segments.count > 2 && query.segments[0].name == "body"
      guard isOfBody || isOfRow && query.segments.count == 1 else { continue }
      let meant = JSONNumber(digits)?.isInteger == true ? "integer" : "number"
      switch read.format {
      case .separated(let format):
        let type = format.columns.first { $0.name == name }?.type
        guard !format.isTyped, type == nil || type == .string else { continue }
        return (name, meant, type == nil)
      case .xml: return (name, meant, false)
      case .json, .text, .lines, .events: continue
      }
    }
    return nil
  }

  // MARK: Edits

  private static func adding(
    column name: String, _ type: String, to read: ResponseFormat, _ context: LintContext
  ) -> DiagnosticFix? {
    let member = "\(JSONValue.string(name).node.text): \"\(type)\""
    let format = read.format.name
    guard read.node.kind == .object else {
      return replacing(read, "{\"\(format)\": {\"columns\": {\(member)}}}", context)
    }
    return edit(read.node[format]?.adding("columns", member), "write 'columns'", read, context)
  }

  private static func adding(
    list name: String, to read: ResponseFormat, _ context: LintContext
  ) -> DiagnosticFix? {
    let element = JSONValue.string(name).node.text
    guard let options = read.node["xml"] else {
      return replacing(read, "{\"xml\": {\"lists\": [\(element)]}}", context)
    }
    let message = "write 'lists'"
    if let lists = options["lists"] {
      let start = lists.range.lowerBound + 1
      return edit(
        DiagnosticFix.Edit(
          range: start..<start, replacement: element + (lists.count == 0 ? "" : ", ")),
        message, read, context)
    }
    let start = options.range.lowerBound + 1
    return edit(
      DiagnosticFix.Edit(
        range: start..<start,
        replacement: " \"lists\": [\(element)]" + (options.count == 0 ? " " : ",")),
      message, read, context)
  }

  private static func replacing(
    _ read: ResponseFormat, _ text: String, _ context: LintContext
  ) -> DiagnosticFix? {
    edit(
      DiagnosticFix.Edit(range: read.node.range, replacement: text), "write \(text)", read, context)
  }

  /// Nothing is edited in a file that this one builds on.
  private static func edit(
    _ edit: DiagnosticFix.Edit?, _ message: String, _ read: ResponseFormat, _ context: LintContext
  ) -> DiagnosticFix? {
    guard let edit, read.node.document.bytes == context.workflow.document.bytes else { return nil }
    return DiagnosticFix(message: message, edits: [edit], isSafe: false)
  }
}

extension Segment {
  /// Whether it is written for the elements of a list. `.*` also goes through members.
  fileprivate var takesElements: Bool {
    selectors.contains { selector in
      switch selector.kind {
      case .index, .slice, .filter: true
      // `[*]` is as long as its brackets and the star.
      case .wildcard: range.count > 2
      case .name, .key: false
      }
    }
  }
}

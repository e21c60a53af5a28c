import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineRecordings
import PipelineSourceText

/// An extractor, or a query of pages, that finds nothing in any answer.
enum NeverFound: RecordedRule {
  static let explanation = Explanation("never-found", .warning, PackageResources.never_found_md)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    let bodies = step.expected(answers).compactMap(\.body)
    guard !bodies.isEmpty else { return }
    for (subject, query, mayBeAbsent) in queries(of: step) {
      guard !bodies.contains(where: { query.value.first(in: QueryContext($0)) != nil }) else {
        continue
      }
      let count =
        bodies.count == 1 ? "the recorded answer" : "any of \(bodies.count) recorded answers"
      var message = "\(subject) finds nothing in \(count)"
      var fix: DiagnosticFix?
      if let better = nearest(to: query.value, in: bodies) {
        message += "; did you mean '\(better)'?"
        fix = WorkflowDecoder.fix(
          better, for: 0..<query.value.text.utf8.count, in: query.node, isSafe: false)
      } else if mayBeAbsent {
        continue
      } else if let name = names(of: query.value).last, let path = path(of: name, in: bodies) {
        message += "; '\(name)' is at '\(path)'"
      }
      found.append(finding(message, at: query.range, fix: fix))
    }
  }

  /// The queries of a step's responses, with the words for each, and whether it need not find
  /// anything.
  private static func queries(
    of step: Step
  ) -> [(subject: String, query: Written<Query>, mayBeAbsent: Bool)] {
    var queries = step.bodyExtractors.map { extractor, query in
      (
        "extractor '\(extractor.name)'", query,
        extractor.isOptional || extractor.defaultValue != nil
      )
    }
    if case .request(let request) = step.action, let pages = request.paginate {
      queries += pages.queries.map { ("'\($0.name)'", $0.query, $0.endsPages) }
    }
    return queries
  }

  /// The query with the name that was probably meant in place of the first that is not there.
  private static func nearest(to query: Query, in bodies: [JSONNode]) -> String? {
    let text = Array(query.text.utf8)
    for segment in query.segments {
      guard segment.range.upperBound <= text.count,
        let before = nodes(Array(text[..<segment.range.lowerBound]), bodies), !before.isEmpty
      else { return nil }
      guard let name = segment.name else { continue }
      if before.contains(where: { $0[name] != nil }) { continue }
      let known = before.flatMap { $0.members.map(\.name) }
      guard let better = Spelling.nearest(to: name, among: known) else { return nil }
      let start = String(decoding: text[..<segment.range.lowerBound], as: UTF8.self)
      let rest = String(decoding: text[segment.range.upperBound...], as: UTF8.self)
      let whole = JSONDifference.path(start, better) + rest
      guard case .success(let parsed) = Query.parse(whole),
        bodies.contains(where: { parsed.first(in: QueryContext($0)) != nil })
      else { return nil }
      return whole
    }
    return nil
  }

  private static func nodes(_ text: [UInt8], _ bodies: [JSONNode]) -> [JSONNode]? {
    guard case .success(let query) = Query.parse(String(decoding: text, as: UTF8.self)) else {
      return nil
    }
    return bodies.flatMap { query.nodes(in: QueryContext($0)) }
  }

  private static func names(of query: Query) -> [String] {
    query.segments.compactMap(\.name)
  }

  /// Where a name is first, at any depth.
  private static func path(of name: String, in bodies: [JSONNode]) -> String? {
    for body in bodies {
      var open: [(node: JSONNode, path: String)] = [(body, "$")]
      var visited = 0
      while let (node, path) = open.popLast(), visited < 10_000 {
        visited += 1
        for member in node.members {
          let place = JSONDifference.path(path, member.name)
          if member.name.equals(bytes: name) { return place }
          open.append((member.value, place))
        }
        if node.kind == .array, let first = node[0] { open.append((first, path + "[*]")) }
      }
    }
    return nil
  }
}

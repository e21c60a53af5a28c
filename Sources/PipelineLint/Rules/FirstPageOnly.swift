import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelineSourceText

/// A value that only the first page gives, although all pages were meant.
enum FirstPageOnly: LintRule {
  static let explanation = Explanation(
    "first-page-only", .warning, PackageResources.first_page_only_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var iterated: Set<String>?
    var found: [Diagnostic] = []
    for step in context.steps {
      guard let request = step.request, let paginate = request.paginate else { continue }
      for extractor in request.extract {
        guard case .body(let query) = extractor.source, query.value.isSingular,
          extractor.take == nil
        else { continue }
        let path = step.step.id.value + "." + extractor.name
        let isItems = paginate.items.map { $0.value.text.equals(bytes: query.value.text) } ?? false
        if !isItems, !query.value.segments.isEmpty, extractor.type?.value != .array {
          let all = iterated ?? Self.iterated(context)
          iterated = all
          guard all.contains(path) else { continue }
        }
        found.append(
          finding(
            "'\(extractor.name)' keeps only what the first page gives; write '\(query.value.text)[*]' for"
              + " the elements of all pages", at: query.range,
            fix: WorkflowDecoder.fix(
              query.value.text + "[*]", for: 0..<query.value.text.utf8.count, in: query.node,
              isSafe: false)))
      }
    }
    return found
  }

  /// The values that steps run over: `list.users`.
  private static func iterated(_ context: LintContext) -> Set<String> {
    var paths: Set<String> = []
    for step in context.steps {
      guard case .query(let query)? = step.step.forEach?.source.value else { continue }
      let names = query.value.segments.prefix(2).compactMap(\.name)
      if names.count == 2 { paths.insert(names.joined(separator: ".")) }
    }
    return paths
  }
}

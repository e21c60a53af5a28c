import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A parameter that two places set.
enum ParameterTwice: LintRule {
  static let explanation = Explanation(
    "parameter-twice", .warning, PackageResources.parameter_twice_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (request, node) in step.requests { check(query: request, node, &found) }
    guard let request = step.request else { return }
    if request.auth != nil,
      let header = request.headers.first(where: {
        $0.name.equalsIgnoringASCIICase("authorization")
      })
    {
      var finding = finding(
        "'auth' writes this header as well; keep one of them",
        at: header.nameRange,
        fix: .suggesting(
          "remove '\(header.name)'", [step.step.node.removing(header.name, from: "headers")]))
      finding.isInherited = header.isInherited
      found.append(finding)
    }
    guard let paginate = request.paginate, paginate.place == .query,
      let name = paginate.form.parameter
    else { return }
    let numbering = paginate.form.numbering
    if names(inQueryOf: request.endpoint.value.url.text).contains(name) {
      found.append(
        finding(
          "'paginate' sends '\(name)' itself; take it out of the endpoint",
          at: request.endpoint.range(of: request.endpoint.value.urlRange)))
    }
    // The first page of a cursor may have one of its own.
    if let numbering, let parameter = request.query.first(where: { $0.name == name }) {
      let start =
        numbering.startKey.map { "; write the first one as '\($0)'" } ?? "; leave it out"
      found.append(
        finding(
          "'paginate' sends '\(name)' itself" + start, at: parameter.nameRange,
          fix: moved(parameter, startKey: numbering.startKey, step.step)))
    }
    for parameter in request.query {
      guard let wanted = numbering?.size, sizes.contains(parameter.name.lowercasedASCII),
        let size = parameter.value.literal?.number?.int
          ?? parameter.value.literal?.string.flatMap(Int.init),
        size != wanted
      else { continue }
      found.append(
        finding(
          "the request asks for \(size) records, but '\(PageNumbering.sizeKey)' is \(wanted), so pages are"
            + " left out or taken for the last; write \"\(PageNumbering.sizeKey)\": \(size)",
          at: parameter.node.range,
          fix: step.step.node["paginate"]?.suggesting(PageNumbering.sizeKey, "\(size)")))
    }
  }

  private static func check(
    query request: Request, _ node: JSONNode, _ found: inout [Diagnostic]
  ) {
    let inURL = names(inQueryOf: request.endpoint.value.url.text)
    let urlRange = request.endpoint.range(of: request.endpoint.value.urlRange)
    for parameter in request.query where !parameter.isInherited {
      if inURL.contains(parameter.name) {
        found.append(
          finding(
            "'\(parameter.name)' is in the endpoint as well, and is sent twice; keep one",
            at: parameter.nameRange,
            related: [.init(range: urlRange, message: "the other one is here")],
            fix: .suggesting(
              "remove '\(parameter.name)'",
              [node.removing(parameter.name, from: "query")])))
      }
    }
  }

  /// The edits that leave the parameter to `paginate`, with its value as the first page.
  private static func moved(
    _ parameter: Request.Parameter, startKey: String?, _ step: Step
  ) -> DiagnosticFix? {
    let removal = step.node.removing(parameter.name, from: "query")
    guard let startKey, let first = parameter.value.literal?.number?.int, first != 1,
      let paginate = step.node["paginate"], paginate[startKey] == nil
    else { return .suggesting("remove '\(parameter.name)'", [removal]) }
    return .suggesting(
      "write \"\(startKey)\": \(first)", [removal, paginate.setting(startKey, to: "\(first)")])
  }

  private static let sizes: Set<String> = [
    "limit", "per_page", "perpage", "page_size", "pagesize", "size", "count", "$top", "top",
    "page[size]", "max_results", "maxresults", "first", "rows",
  ]

  /// The names of the parameters that the author wrote into a URL.
  private static func names(inQueryOf url: String) -> Set<String> {
    guard let mark = url.firstIndex(ascii: "?") else { return [] }
    let pairs = url[url.utf8.index(after: mark)...].split(ascii: "&")
    return Set(pairs.map { String($0.prefix(before: "=")) }.filter { !$0.contains(bytes: "{{") })
  }
}

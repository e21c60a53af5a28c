import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A parameter that two places set.
enum ParameterTwice: LintRule {
  static let explanation = Explanation(
    "parameter-twice", .warning,
    what: "A parameter of the URL, or the `Authorization` header, is set in two places.",
    why: """
      `paginate` sends the number, offset or cursor of each page itself, so a value of your own \
      is sent beside it, or replaced. A parameter in the endpoint and in `query` is sent twice. \
      `auth` writes the `Authorization` header itself. \
      The limit that the request sends should be the `by` that pages are counted with.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users?page=1",
            "query": { "page": 2 }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "query": { "page": 2 }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
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
              [step.step.node.removing(parameter.name, from: "query")])))
      }
    }
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
    guard let paginate = request.paginate, paginate.place == .query else { return }
    let name: String
    var by: Int?
    // The first page of a cursor may have one of its own.
    var isCounted = true
    switch paginate.form {
    case .page(let parameter, _, let records, _): (name, by) = (parameter, records)
    case .offset(let parameter, let records, _): (name, by) = (parameter, records)
    case .cursor(_, let parameter): (name, isCounted) = (parameter, false)
    case .link, .next: return
    }
    if inURL.contains(name) {
      found.append(
        finding("'paginate' sends '\(name)' itself; take it out of the endpoint", at: urlRange))
    }
    if isCounted, let parameter = request.query.first(where: { $0.name == name }) {
      let start = paginate.isPaged ? "; write the first one as 'from'" : "; leave it out"
      found.append(
        finding(
          "'paginate' sends '\(name)' itself" + start, at: parameter.nameRange,
          fix: moved(parameter, isPaged: paginate.isPaged, step.step)))
    }
    for parameter in request.query {
      guard let by, sizes.contains(parameter.name.lowercasedASCII),
        let size = parameter.value.literal?.number?.int
          ?? parameter.value.literal?.string.flatMap(Int.init),
        size != by
      else { continue }
      found.append(
        finding(
          "the request asks for \(size) records, but 'by' is \(by), so pages are left out or taken for the"
            + " last; write \"by\": \(size)", at: parameter.node.range,
          fix: step.step.node["paginate"]?.suggesting("by", "\(size)")))
    }
  }

  /// The edits that leave the parameter to `paginate`, with its value as the first page.
  private static func moved(
    _ parameter: Request.Parameter, isPaged: Bool, _ step: Step
  ) -> DiagnosticFix? {
    let removal = step.node.removing(parameter.name, from: "query")
    guard isPaged, let first = parameter.value.literal?.number?.int, first != 1,
      let paginate = step.node["paginate"], paginate["from"] == nil
    else { return .suggesting("remove '\(parameter.name)'", [removal]) }
    return .suggesting(
      "write \"from\": \(first)", [removal, paginate.setting("from", to: "\(first)")])
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

extension Pagination {
  /// Whether the pages are numbered.
  fileprivate var isPaged: Bool { if case .page = form { true } else { false } }
}

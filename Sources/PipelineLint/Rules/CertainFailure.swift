import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

/// A value that is known before the run and fails where it is used.
///
/// It is evaluated by the functions that the run calls, so the message is that of the run.
enum CertainFailure: LintRule {
  static let explanation = Explanation(
    "certain-failure", .error, PackageResources.certain_failure_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let known = context.known
    for data in step.parts.forms { judge(data, known, &found) }
    for (request, _) in step.requests { judge(request, known, &found) }
    guard known.readsDefault(step.uses.lazy.map(\.use.query)), !context.isGuarded(step) else {
      return
    }
    step.step.forEach?.forEachPart { judgeDefaults($0, known, &found) }
    step.step.forEachPart { judgeDefaults($0, known, &found) }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for block in context.blocks {
      for data in block.outputs.forms { judge(data, context.known, &found) }
    }
    for field in context.workflow.block.outputs ?? []
    where context.known.readsDefault(field.value.uses.lazy.map(\.query)) {
      judgeDefaults(field.value, isInherited: false, context.known, &found)
    }
    return found
  }

  // MARK: What is certain

  private static func judge(
    _ data: DataTemplate, _ known: KnownValues, _ found: inout [Diagnostic]
  ) {
    let failures = data.knownFailures(from: known.source) { known.standing(of: $0) == .certain }
    for failure in failures { found.append(finding(failure.message, at: failure.range)) }
  }

  private static func judge(
    _ request: Request, _ known: KnownValues, _ found: inout [Diagnostic]
  ) {
    let (query, headers, cookies) = (request.query, request.headers, request.cookies)
    for parameter in query { judge(parameter, known, &found) { $0.problemAsPair($1) } }
    for header in headers { judge(header, known, &found) { $0.problemAsHeader($1) } }
    for cookie in cookies { judge(cookie, known, &found) { $0.problemAsCookie($1) } }
    if case .form(let fields)? = request.body?.content {
      for field in fields { judge(field, known, &found) { $0.problemAsPair($1) } }
    }
    if let proxy = request.proxy, let url = proxy.value.literal,
      let problem = ProxyURL.problem(in: url)
    {
      found.append(finding("the proxy \(problem)", at: proxy.range))
    }
  }

  private static func judge(
    _ parameter: Request.Parameter, _ known: KnownValues, _ found: inout [Diagnostic],
    _ problem: (Request.Parameter, JSONNode) -> Request.Parameter.Problem?
  ) {
    let value =
      parameter.value.literal
      ?? parameter.value.knownValue(from: known.source) { known.standing(of: $0) == .certain }
    guard let value, let problem = problem(parameter, value) else { return }
    var finding = finding(problem.message, at: parameter.node.range)
    finding.isInherited = parameter.isInherited
    found.append(finding)
  }

  // MARK: Defaults

  private static func judgeDefaults(
    _ part: StepPart, _ known: KnownValues, _ found: inout [Diagnostic]
  ) {
    switch part.content {
    case .text(let template, _), .path(let template, _):
      guard known.readsDefault(template.value.references.lazy.map(\.query)),
        template.value.references.allSatisfy({ known.standing(of: $0.query) != nil })
      else { return }
      judge(template, part, known, &found) { value throws(ExpansionError) in
        _ = try template.value.expand(at: .text, value)
      }
    case .url(let url):
      judge(url, part, known, &found) { value throws(ExpansionError) in
        _ = try url.value.expand(base: anyBase, value)
      }
    case .endpoint(let endpoint):
      judge(endpoint, part, known, &found) { value throws(ExpansionError) in
        _ = try endpoint.value.url.expand(base: anyBase, value)
      }
    case .baseURL(let base):
      judge(base, part, known, &found) { value throws(ExpansionError) in
        _ = try base.value.expand(value)
      }
    case .data(let data, _):
      guard known.readsDefault(data.uses.lazy.map(\.query)) else { return }
      judgeDefaults(data, isInherited: part.isInherited, known, &found)
    case .scopeQuery, .bodyQuery, .condition: break
    }
  }

  private static let anyBase = "https://api.example.com"
  /// In place of what is not known: it fits each place of a URL but its start.
  private static let anySegment = JSONValue.string("1").node

  private static func judge<Value>(
    _ written: Written<Value>, _ part: StepPart, _ known: KnownValues,
    _ found: inout [Diagnostic],
    _ expand: ((Template.Reference) -> JSONNode?) throws(ExpansionError) -> Void
  ) {
    do throws(ExpansionError) {
      try expand { reference in
        known.standing(of: reference.query) == nil
          ? anySegment : known.value(of: reference.query)
      }
    } catch {
      guard let reference = error.reference,
        known.standing(of: reference.query) == .byDefault
      else { return }
      append(error.message, at: written.range(of: reference.range), part.isInherited, &found)
    }
  }

  private static func judgeDefaults(
    _ data: DataTemplate, isInherited: Bool, _ known: KnownValues, _ found: inout [Diagnostic]
  ) {
    // What fails without them has been reported.
    let certain = Set(
      data.knownFailures(from: known.source) { known.standing(of: $0) == .certain })
    let failures = data.knownFailures(from: known.source) { known.standing(of: $0) != nil }
    for failure in failures where !certain.contains(failure) {
      append(failure.message, at: failure.range, isInherited, &found)
    }
  }

  private static func append(
    _ message: String, at range: Range<Int>, _ isInherited: Bool, _ found: inout [Diagnostic]
  ) {
    var finding = finding("with the defaults of the inputs, " + message, at: range)
    finding.severity = .warning
    finding.isInherited = isInherited
    found.append(finding)
  }
}

extension LintContext {
  /// Whether a condition decides if the step is carried out. It may ask for a value that the step
  /// takes.
  fileprivate func isGuarded(_ step: LintStep) -> Bool {
    var step = step
    while true {
      if step.step.when != nil { return true }
      let block = blocks[step.block]
      if block.resolution.block.isChoice { return true }
      guard let parent = block.parent else { return false }
      step = steps[parent]
    }
  }
}

extension Request.Parameter {
  fileprivate func problemAsPair(_ value: JSONNode) -> Problem? {
    problem { () throws(Problem) in _ = try pairs(of: value, encodedBy: { $0 }) }
  }

  fileprivate func problemAsHeader(_ value: JSONNode) -> Problem? {
    problem { () throws(Problem) in _ = try headerValues(of: value) }
  }

  fileprivate func problemAsCookie(_ value: JSONNode) -> Problem? {
    problem { () throws(Problem) in _ = try cookieValues(of: value) }
  }

  private func problem(_ texts: () throws(Problem) -> Void) -> Problem? {
    do throws(Problem) {
      try texts()
      return nil
    } catch {
      return error
    }
  }
}

extension [Diagnostic] {
  /// Without failures whose cause has another error already.
  func withoutExplainedFailures() -> [Diagnostic] {
    guard contains(where: { $0.code == CertainFailure.code }) else { return self }
    let errors = filter { $0.severity == .error && $0.code != CertainFailure.code }.map(\.range)
    return filter { finding in
      finding.code != CertainFailure.code || !errors.contains { $0.overlaps(finding.range) }
    }
  }
}

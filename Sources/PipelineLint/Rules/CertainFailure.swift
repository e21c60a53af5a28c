import PipelineByteText
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
    for (request, _) in step.requests { judge(request, known, &found) }
    judgeCall(step, context, nil, &found)
    judgeCollection(step, context, nil, &found)
    if let assumption = defaults(for: step, context) {
      step.step.forEach?.forEachPart { judge($0, assumption, &found) }
      judge(step, assumption, &found)
      judgeCall(step, context, assumption, &found)
      judgeCollection(step, context, assumption, &found)
    }
    judgeItems(of: step, context, &found)
  }

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    let known = context.known
    context.judgeForms(of: parts, in: reader, &found) { data, found in
      let failures = data.knownFailures(from: known.source) { known.standing(of: $0) == .certain }
      for failure in failures { found.append(finding(failure.message, at: failure.range)) }
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    judgeRequests(context, &found)
    let assumption = Assumption(defaultsOf: context)
    for field in context.workflow.block.outputs ?? [] {
      judge(field.value, isInherited: false, assumption, &found)
    }
    return found
  }

  // MARK: What is certain

  private static func judge(
    _ request: Request, _ known: KnownValues, _ found: inout [Diagnostic]
  ) {
    forEachParameter(of: request) { parameter, problem in
      let value =
        parameter.value.literal
        ?? parameter.value.knownValue(from: known.source) { known.standing(of: $0) == .certain }
      guard let value, let problem = problem(value) else { return }
      var finding = finding(problem.message, at: parameter.node.range)
      finding.isInherited = parameter.isInherited
      found.append(finding)
    }
    for extractor in request.extract {
      guard case .value(let data) = extractor.source, let type = extractor.type,
        let value = data.literal
          ?? data.knownValue(from: known.source, { known.standing(of: $0) == .certain }),
        let problem = problem(with: value, of: extractor)
      else { continue }
      found.append(finding(problem, at: type.range))
    }
    if let proxy = request.proxy, let url = proxy.value.literal,
      let problem = ProxyURL.problem(in: url)
    {
      found.append(finding("the proxy \(problem)", at: proxy.range))
    }
  }

  /// Why a value is not of an extractor's type.
  static func problem(with value: JSONNode, of extractor: Extractor) -> String? {
    guard let type = extractor.type, extractor.part == nil,
      type.value == .url
        ? value.kind != .string && value.kind != .array
        : ValueCheck.convert(value, to: type.value) == nil
    else { return nil }
    return
      "extractor '\(extractor.name)' must be \(type.value.article), but is \(words(for: value))"
  }

  /// A value in a message. One that stands in for others is called by its kind.
  static func words(for value: JSONNode) -> String {
    guard let text = value.string else { return WorkflowDecoder.words(for: value) }
    return RFC3339.isDate(text) ? "a date" : RFC3339.isDateTime(text) ? "a moment" : "a text"
  }

  /// A value that is written out in a message, unless it is long.
  static func shown(_ value: JSONNode) -> String {
    value.text.utf8.count > 60 ? words(for: value) : value.text
  }

  /// Calls `visit` with each member of `query`, `headers`, `cookies` and a form, and with what is
  /// wrong with a value of it.
  static func forEachParameter(
    of request: Request,
    _ visit: (Request.Parameter, (JSONNode) -> Request.Parameter.Problem?) -> Void
  ) {
    for parameter in request.query { visit(parameter) { parameter.problemAsPair($0) } }
    for header in request.headers { visit(header) { header.problemAsHeader($0) } }
    for cookie in request.cookies { visit(cookie) { cookie.problemAsCookie($0) } }
    if case .form(let fields)? = request.body?.content {
      for field in fields { visit(field) { field.problemAsPair($0) } }
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

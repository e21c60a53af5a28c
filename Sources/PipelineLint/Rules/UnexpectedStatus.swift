import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A status that is compared or retried, and never comes that far.
enum UnexpectedStatus: LintRule {
  static let explanation = Explanation(
    "unexpected-status", .warning, PackageResources.unexpected_status_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions where condition.place != .answer {
      for comparison in condition.walk.comparisons where comparison.comparator == .equal {
        guard let (query, code) = comparison.queryAndNumber, let code, (100...599).contains(code),
          let asked = context.stepWithStatus(query, in: step),
          !asked.step.expect.status.contains(where: { $0.matches(code) }),
          !asked.step.expect.status.isEmpty
        else { continue }
        let own = asked.number == step.number ? "the step" : "step '\(asked.step.id.value)'"
        let list = "[\(words(asked.step.expect.status, isJSON: true)), \(code)]"
        found.append(
          finding(
            "\(own) expects \(words(asked.step.expect.status)), so its status is never \(code); write"
              + " \"expect\": {\"status\": \(list)}",
            at: condition.range(of: comparison.range), fix: expecting(list, asked.step)))
      }
    }
    guard let request = step.request else { return }
    checkRetry(request, step, &found)
    checkRecovery(step, &found)
    checkRedirects(request, step, &found)
  }

  /// The edit that lets a step expect these statuses.
  private static func expecting(_ list: String, _ step: Step) -> DiagnosticFix? {
    let message = "write \"status\": \(list)"
    guard let own = step.node["expect"], own.kind == .object else {
      return .suggesting(message, [step.node.setting("expect", to: "{ \"status\": \(list) }")])
    }
    return .suggesting(message, [own.setting("status", to: list)])
  }

  /// The edit that retries by a condition what `on` names by its code.
  private static func retrying(_ on: JSONNode, _ step: Step) -> DiagnosticFix? {
    let codes = on.elements.compactMap { $0.number?.int }
    guard codes.count == on.count, let retry = step.node["retry"], retry["when"] == nil,
      let member = retry.members.first(where: { $0.name == "on" })
    else { return nil }
    let condition = codes.map { "@.status == \($0)" }.joined(separator: " || ")
    return .replacing(
      member.nameRange.lowerBound..<member.value.range.upperBound,
      with: "\"when\": \"\(condition)\"", isSafe: false)
  }

  private static func checkRetry(
    _ request: Request, _ step: LintStep, _ found: inout [Diagnostic]
  ) {
    guard let on = step.step.node["retry"]?["on"] else { return }
    for element in on.elements {
      guard let code = element.number?.int,
        step.step.expect.status.contains(where: { $0 == .code(code) })
      else { continue }
      found.append(
        finding(
          "\(code) is a status that 'expect' lets through, so it is not retried; write a condition:"
            + " \"retry\": {\"when\": …}", at: element.range, fix: retrying(on, step.step)))
    }
  }

  private static func checkRecovery(_ step: LintStep, _ found: inout [Diagnostic]) {
    guard let causes = step.step.node["onError"]?["recover"], causes.kind == .array else { return }
    for element in causes.elements {
      guard let code = element.number?.int,
        step.step.expect.status.contains(where: { $0 == .code(code) })
      else { continue }
      found.append(
        finding(
          "\(code) is a status that 'expect' lets through, so it is no failure; leave it out here,"
            + " or there", at: element.range,
          fix: .suggesting("remove it", [causes.removing(element: element)])))
    }
  }

  private static func checkRedirects(
    _ request: Request, _ step: LintStep, _ found: inout [Diagnostic]
  ) {
    let codes: [Int] = step.step.expect.status.compactMap {
      if case .code(let code) = $0 { code } else { nil }
    }
    guard request.redirects > 0, let code = codes.first, let node = step.step.expect.statusNode,
      codes.count == step.step.expect.status.count,
      codes.allSatisfy([301, 302, 303, 307, 308].contains)
    else { return }
    var finding = finding(
      "redirects are followed, so the status is never \(code); write \"redirects\": 0",
      at: node.range, fix: step.step.node.suggesting("redirects", "0"))
    finding.isInherited = !step.step.node.range.contains(node.range.lowerBound)
    found.append(finding)
  }

  private static func words(_ status: [StatusPattern], isJSON: Bool = false) -> String {
    status.map { pattern in
      if case .class = pattern, isJSON { return "\"\(pattern)\"" }
      return "\(pattern)"
    }.joined(separator: ", ")
  }
}

extension Comparison {
  /// A query that is compared with a number.
  fileprivate var queryAndNumber: (query: Query, number: Int?)? {
    switch (left, right) {
    case (.query(let query), .literal(let literal)), (.literal(let literal), .query(let query)):
      guard case .number(let digits) = literal.value else { return nil }
      return (query, JSONNumber(digits)?.int)
    default: return nil
    }
  }
}

extension LintContext {
  /// The step whose status a query reads: its own as `@.status`, or another's extracted one.
  fileprivate func stepWithStatus(_ query: Query, in step: LintStep) -> LintStep? {
    if query.anchor == .current {
      return step.request != nil && query.segments.count == 1 && query.firstName == "status"
        ? step : nil
    }
    guard query.segments.count == 2, let owner = query.firstName, let name = query.segments[1].name,
      case .step(let level, let index)? = step.definition(of: owner),
      let block = ancestor(of: step.block, level: level)
    else { return nil }
    let source = steps[blocks[block].steps[index]]
    let isStatus = source.request?.extract.contains { extractor in
      if case .status = extractor.source, extractor.name == name { true } else { false }
    }
    // The replacement of a failed step may be any number.
    return isStatus == true && source.step.otherwise == nil ? source : nil
  }
}

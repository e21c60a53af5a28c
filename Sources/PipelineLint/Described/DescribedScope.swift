import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A rule that compares what a workflow reads of responses with the descriptions.
protocol DescribedScopeRule: ExplainedRule {
  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic])
}

/// What descriptions say of the values that steps have.
struct DescribedScope {
  let context: LintContext
  let apis: DescribedAPIs
  /// The described requests, by the numbers of their steps.
  let calls: [Int: DescribedCall]

  /// - Parameters:
  ///   - incomplete: The values that could not be read completely.
  ///   - callees: The files that steps run.
  init(
    _ workflow: Workflow, incomplete: Set<Int>, callees: [ExactText: LintedWorkflow],
    _ apis: DescribedAPIs
  ) {
    var calls: [Int: DescribedCall] = [:]
    let context = LintContext(workflow, incomplete: incomplete, callees: callees) { context in
      calls = apis.calls(in: context)
      return calls.compactMapValues(\.body)
    }
    self.context = context
    self.apis = apis
    self.calls = calls.mapValues { $0.known(in: context) }
  }

  /// A request of a step as a described one: its own, or a look-up.
  func call(of request: Request, _ step: LintStep) -> DescribedCall? {
    request === step.request
      ? calls[step.number] : DescribedCall(request, of: step, in: context, apis)
  }
}

extension DescribedCall {
  /// What is known of the body that the step reads; `nil` if there is nothing.
  var body: ValueShape? {
    let shape = responseShape
    guard !shape.isUnknown, !shape.isEmpty else { return nil }
    return ValueShape(DescribedSource(step: step.number) { shape })
  }

  /// The same call, with what is known of all values.
  func known(in context: LintContext) -> DescribedCall {
    var call = self
    call.context = context
    return call
  }

  static func responseShape(
    of reached: [Operation], _ step: LintStep, _ request: Request, _ description: APIDescription
  ) -> SchemaShape {
    guard request.read == nil, !reached.isEmpty, request === step.request else {
      return .unknown(in: description)
    }
    let patterns = step.step.expect.status
    return .union(
      reached.map { operation in
        let documented = description.statuses(of: operation)
        return description.responseShape(of: operation) { status in
          Self.isMeant(status, by: patterns, documented)
        }
      }, in: description)
  }

  /// Whether a documented status is one that a step expects.
  private static func isMeant(
    _ status: String, by patterns: [StatusPattern], _ documented: [String]
  ) -> Bool {
    patterns.contains { pattern in
      switch pattern {
      case .code(let code):
        let (exact, range) = ("\(code)", "\(code / 100)XX")
        if status == "default" {
          return !documented.contains { $0 == exact || $0.uppercased() == range }
        }
        return status == exact
          || status.uppercased() == range && !documented.contains(exact)
      case .class(let hundreds):
        // Beside other statuses it is rather that of failures.
        if status == "default" { return documented.count == 1 }
        return status.hasPrefix(bytes: "\(hundreds)") && status.utf8.count == 3
      }
    }
  }
}

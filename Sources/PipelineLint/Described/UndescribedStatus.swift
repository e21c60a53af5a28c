import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// An expected status that the operation does not have.
enum UndescribedStatus: OperationRule {
  static let explanation = Explanation(
    "undescribed-status", .warning, PackageResources.undescribed_status_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    let expect = call.step.step.expect
    let documented = call.description.statuses(of: operation)
    guard let node = expect.statusNode, call.request === call.step.request, !documented.isEmpty,
      !documented.contains("default"),
      let responses = operation.node["responses"]
    else { return }
    // Many descriptions leave failures out. They are missed only if nothing else is expected.
    let isHopeless = !documented.contains { status in
      expect.status.contains { pattern in
        switch pattern {
        case .code(let code): status == "\(code)" || status.uppercased() == "\(code / 100)XX"
        case .class(let hundreds): status.hasPrefix(bytes: "\(hundreds)")
        }
      }
    }
    let nodes = node.kind == .array ? Array(node.elements) : [node]
    for (pattern, node) in zip(expect.status, nodes) where nodes.count == expect.status.count {
      guard case .code(let code) = pattern, code / 100 == 2 || code / 100 == 1 || isHopeless,
        code / 100 != 3,
        !documented.contains(where: {
          $0 == "\(code)" || $0.uppercased() == "\(code / 100)XX"
        })
      else { continue }
      let successes = documented.filter { $0.hasPrefix(bytes: "2") }
      let fix =
        successes.count == 1 && nodes.count == 1 && Int(successes[0]) != nil
        ? DiagnosticFix.replacing(node.range, with: successes[0], isSafe: false) : nil
      found.append(
        finding(
          "the API describes no status \(code) here; it has"
            + " \(documented.prefix(8).joined(separator: ", "))", at: node.range,
          related: [responses.related("the responses are described here")], fix: fix))
    }
  }
}

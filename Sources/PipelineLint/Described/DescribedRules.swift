import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A rule that compares a request with the description of the API.
protocol DescribedRule: ExplainedRule {
  static func check(_ call: DescribedCall, _ found: inout [Diagnostic])
}

/// A rule about one operation. A finding holds only if each operation that a request may reach has
/// it.
protocol OperationRule: DescribedRule {
  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic])
}

extension OperationRule {
  static func check(_ call: DescribedCall, _ found: inout [Diagnostic]) {
    guard let first = call.reached.first else { return }
    var own: [Diagnostic] = []
    check(call, first, &own)
    for operation in call.reached.dropFirst() where !own.isEmpty {
      var others: [Diagnostic] = []
      check(call, operation, &others)
      own.removeAll { finding in
        !others.contains {
          $0.range == finding.range && $0.code == finding.code && $0.message == finding.message
        }
      }
    }
    found += own
  }
}

/// Judges the requests of workflows by the descriptions of the APIs that they call.
///
/// A request is judged only if its URL begins with a server that is described, and only by what holds
/// for every operation that it may reach.
enum DescribedRules {
  static let all: [any DescribedRule.Type] = [
    UndescribedOperation.self, MissingParameter.self, UndescribedParameter.self,
    UndescribedValue.self, UndescribedBody.self, MissingProperty.self, UndescribedProperty.self,
    UndescribedStatus.self, MissingCredentials.self, DeprecatedPart.self,
  ]
  static let ofScope: [any DescribedScopeRule.Type] = [
    UndescribedMember.self, UndescribedType.self,
  ]

  private static let ofRules = all.map { $0.explanation } + ofScope.map { $0.explanation }
  static let explanations = ofRules + [ChangedResponse.explanation]
  /// The codes of rules that read one description. A change has two descriptions.
  static let codes = Set(ofRules.map(\.code))

  static func findings(_ scope: DescribedScope) -> [Diagnostic] {
    var found = scope.apis.problems
    if scope.apis.all.isEmpty { return found }
    for step in scope.context.steps {
      for (request, _) in step.requests {
        guard let call = scope.call(of: request, step) else { continue }
        for rule in all { rule.check(call, &found) }
      }
    }
    for rule in ofScope { rule.check(scope, &found) }
    DeprecatedPart.checkReads(scope, &found)
    return found
  }
}

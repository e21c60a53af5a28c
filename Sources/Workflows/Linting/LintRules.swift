import SourceText

/// Every rule.
enum LintRules {
  static let all: [any LintRule] = [
    // What cannot run.
    UnknownReference(), UnknownResponsePart(), SelfReference(), UnknownDependency(),
    DependencyCycle(),
    CallInputs(), EndlessPagination(), ContainerInScalarPlace(), BodyFilterOfScope(),
    ExistenceOfPresent(), PatternSyntax(), PatternAnchor(),
    // What hardly does what was meant.
    ConstantComparison(), ConstantCondition(), AbsentComparison(), CountOfSingle(), UnusedInput(),
    UnusedValue(),
    UnusedStep(), UnreachableStep(), OtherwiseIncomplete(), UnexpectedBody(), RetryOfUnsafe(),
    DoubleSlash(),
    ConcurrencyAboveLimit(), TimeoutBeyondDeadline(), SecretInURL(), SecretInOutput(),
    PlainHTTPCredentials(), HardCodedCredential(),
    // What is worth knowing.
    MethodLeftOut(), RedundantDependency(), HostFromResponse(), UnboundedPagination(),
    UnboundedPolling(), UnorderedWrites(),
  ]
}

extension LintContext {
  /// What all rules find, in no order.
  var findings: [Diagnostic] {
    let bySteps = inStretches(upTo: steps.count) { numbers in
      var found: [Diagnostic] = []
      for number in numbers {
        for rule in LintRules.all { rule.check(steps[number], self, &found) }
      }
      return found
    }
    // In a small workflow a thread costs more than it saves.
    let share = bySteps.count > 1 ? 1 : LintRules.all.count
    let byRules = inStretches(of: share, upTo: LintRules.all.count) { numbers in
      numbers.flatMap { LintRules.all[$0].check(self) }
    }
    return Array((bySteps + byRules).joined())
  }
}

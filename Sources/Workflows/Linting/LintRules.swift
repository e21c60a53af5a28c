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
  /// What a processor does at a time.
  private enum Job {
    /// Judges what is no one step's by one rule.
    case whole(any LintRule)
    /// Judges a stretch of the steps by all rules.
    case steps(Range<Int>)
  }

  private func perform(_ job: Job, _ found: inout [Diagnostic]) {
    switch job {
    case .whole(let rule): found += rule.check(self)
    case .steps(let numbers):
      for number in numbers {
        for rule in LintRules.all { rule.check(steps[number], self, &found) }
      }
    }
  }

  /// What all rules find, in no order.
  var findings: [Diagnostic] {
    let length = 512
    // The long ones first, so that all processors end together.
    let wholes: [Job] = steps.count > length ? LintRules.all.reversed().map(Job.whole) : []
    let stretches = stride(from: 0, to: steps.count, by: length).map { start in
      Job.steps(start..<min(start + length, steps.count))
    }
    let jobs = wholes + stretches
    // In a small workflow a thread costs more than it saves.
    let found = inStretches(of: 1, upTo: jobs.count) { numbers in
      var found: [Diagnostic] = []
      for number in numbers { perform(jobs[number], &found) }
      return found
    }
    return joined(found + (wholes.isEmpty ? LintRules.all.map { $0.check(self) } : []))
  }
}

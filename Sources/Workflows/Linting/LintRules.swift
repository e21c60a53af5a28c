import SourceText

/// Every rule.
enum LintRules {
  static let all: [any LintRule.Type] = [
    // What cannot run.
    UnknownReference.self, UnknownResponsePart.self, SelfReference.self, UnknownDependency.self,
    DependencyCycle.self,
    CallInputs.self, EndlessPagination.self, ContainerInScalarPlace.self, BodyFilterOfScope.self,
    ExistenceOfPresent.self, PatternSyntax.self, PatternAnchor.self,
    // What hardly does what was meant.
    ConstantComparison.self, ConstantCondition.self, AbsentComparison.self, CountOfSingle.self,
    UnusedInput.self,
    UnusedValue.self,
    UnusedStep.self, UnreachableStep.self, OtherwiseIncomplete.self, UnexpectedBody.self,
    RetryOfUnsafe.self,
    DoubleSlash.self,
    ConcurrencyAboveLimit.self, TimeoutBeyondDeadline.self, SecretInURL.self, SecretInOutput.self,
    PlainHTTPCredentials.self, HardCodedCredential.self,
    // What is worth knowing.
    MethodLeftOut.self, RedundantDependency.self, HostFromResponse.self, UnboundedPagination.self,
    UnboundedPolling.self, UnorderedWrites.self,
  ]
}

extension LintContext {
  /// What a processor does at a time.
  private enum Job: Sendable {
    /// Judges what is no one step's by the rule of this number.
    case whole(Int)
    /// Judges a stretch of the steps by all rules.
    case steps(Range<Int>)
  }

  private func perform(_ job: Job, _ found: inout [Diagnostic]) {
    switch job {
    case .whole(let rule): found += LintRules.all[rule].check(self)
    case .steps(let numbers):
      let rules = LintRules.all
      for number in numbers {
        let step = steps[number]
        for rule in rules { rule.check(step, self, &found) }
      }
    }
  }

  /// What all rules find, in no order.
  var findings: [Diagnostic] {
    let length = 512
    // The long ones first, so that all processors end together.
    let wholes: [Job] =
      steps.count > length ? LintRules.all.indices.reversed().map { .whole($0) } : []
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

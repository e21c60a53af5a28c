import PipelineLanguage
import PipelineSourceText

/// Every rule.
enum LintRules {
  static let all: [any LintRule.Type] = [
    // Workflows that cannot run.
    UnknownReference.self, UnknownResponsePart.self, SelfReference.self, UnknownDependency.self,
    DependencyCycle.self,
    CallInputs.self, SecretInState.self, StateKey.self, NextType.self, ContractOfRows.self,
    IdleUntil.self,
    EndlessPagination.self,
    ContainerInScalarPlace.self, FormOfWrongType.self, ForEachType.self, BoundType.self,
    ComputedKey.self, CertainFailure.self,
    BodyFilterOfScope.self, QueryOfFormat.self,
    ExistenceOfPresent.self, PatternSyntax.self, PatternAnchor.self,
    ProxyFromResponse.self, LoginFromResponse.self, UncachedMethod.self, PathOutside.self,
    // Files that hardly do what was meant.
    ExtractorType.self, ConstantComparison.self, ConstantCondition.self, AbsentComparison.self,
    CountOfSingle.self,
    UnreadPlaceholder.self, SaveOverwrites.self, FirstPageOnly.self, UnexpectedStatus.self,
    FlagExists.self, QuestionMisused.self, MediaTypeMismatch.self, DataAsText.self,
    GraphQLVariables.self,
    OptionalInText.self,
    ParameterTwice.self, CookieHeader.self, DateAsText.self, MomentAsText.self, UnusedInput.self,
    UnusedState.self,
    StateWithoutNext.self, NextMayBeAbsent.self,
    UnusedValue.self, UnusedCarry.self,
    UnusedStep.self, UnreachableStep.self, UnreachableBranch.self, OtherwiseIncomplete.self,
    UnusedOtherwise.self,
    UnexpectedBody.self, QueryOfNoBody.self,
    RetryOfUnsafe.self, RetryOfBlock.self,
    DoubleSlash.self, HostInPath.self, URLInParameter.self, BodyRoot.self, FirstOfList.self,
    FirstOfMany.self,
    IdleForEach.self, LimitWithoutEffect.self,
    ConcurrencyAboveLimit.self, TimeoutBeyondDeadline.self, LimitBeyondTotal.self, SecretInURL.self,
    SecretInOutput.self,
    PlainHTTPCredentials.self, HardCodedCredential.self, UnmarkedSecret.self, SchemeTwice.self,
    UnsentCredentials.self,
    // Facts that are worth knowing.
    StateMayStay.self, NestedForms.self, TokenByHand.self, CredentialsByHand.self,
    RetryAsPolling.self, SimplerThanRepeat.self,
    RecoverWithoutOtherwise.self,
    MethodLeftOut.self, RedundantDependency.self,
    StepWithoutCredentials.self, HostFromResponse.self, UnboundedPagination.self,
    UnboundedPolling.self, UnorderedWrites.self,
  ]
}

extension LintContext {
  /// The work of a processor at a time.
  private enum Job: Sendable {
    /// Applies the rule of this number to everything that does not belong to one step.
    case whole(Int)
    /// Judges a stretch of the steps by all rules.
    case steps(Range<Int>)
  }

  private func perform(_ job: Job) -> [Diagnostic] {
    let rules = LintRules.all
    switch job {
    case .whole(let number):
      let rule = rules[number]
      var found = rule.check(self)
      for (number, block) in blocks.enumerated() {
        rule.check(block.outputs, of: .outputs(number), self, &found)
      }
      return found
    case .steps(let numbers):
      var found: [Diagnostic] = []
      for step in steps[numbers] {
        for rule in rules where step.isWhole || !rule.needsWholeStep {
          rule.check(step, self, &found)
          rule.check(step.parts, of: .step(step.number), self, &found)
        }
      }
      return found
    }
  }

  /// The findings of all rules, in no order.
  var findings: [Diagnostic] {
    // The long ones first, so that all processors end together.
    let wholes = LintRules.all.indices.reversed().map { Job.whole($0) }
    let stretches = stretches(upTo: steps.count).map { Job.steps($0) }
    // In a small workflow a thread costs more than it saves.
    guard stretches.count > 1 else { return (stretches + wholes).flatMap(perform) }
    let jobs = wholes + stretches
    return joined(
      inStretches(of: 1, upTo: jobs.count) { numbers in numbers.flatMap { perform(jobs[$0]) } })
  }
}

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

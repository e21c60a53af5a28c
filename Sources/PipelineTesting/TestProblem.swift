package import PipelineLanguage

/// Why a test failed.
package struct TestProblem: Sendable, Hashable {
  /// The problem, as one phrase.
  package let message: String
  /// Where in the test file it was written otherwise.
  package let range: Range<Int>
  /// Lines that show more.
  package let details: [String]

  package init(_ message: String, at range: Range<Int>, details: [String] = []) {
    self.message = message
    self.range = range
    self.details = details
  }
}

/// The result of a test.
package struct TestResult: Sendable {
  package let name: String
  /// The name's bytes in the test file.
  package let range: Range<Int>
  /// Why the test failed; empty if it passed.
  package internal(set) var problems: [TestProblem]
  /// What the test does not judge, and its author may want to know.
  package internal(set) var notes: [TestProblem] = []
  /// The requests and outputs of each run of the test. The first run has the order in which it
  /// sends.
  package let outcome: TestOutcome?
  /// Which steps and branches were taken.
  package let coverage: TestCoverage
  /// The number of times that the workflow was run.
  package let runCount: Int

  package var passed: Bool { problems.isEmpty }

  init(
    name: String, range: Range<Int>, problems: [TestProblem], outcome: TestOutcome?,
    coverage: TestCoverage, runCount: Int
  ) {
    self.name = name
    self.range = range
    self.problems = problems
    self.outcome = outcome
    self.coverage = coverage
    self.runCount = runCount
  }

  /// The result of a test that was not run in virtual time.
  package init(_ test: WorkflowTest, problems: [TestProblem]) {
    self.init(
      name: test.name.value, range: test.name.range, problems: problems, outcome: nil,
      coverage: TestCoverage(), runCount: 1)
  }
}

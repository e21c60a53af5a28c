package import PipelineByteText
import PipelineJSONText
import PipelineTemplates
package import PipelineLanguage
package import PipelineOpenAPI
import PipelinePlanning
package import PipelineSourceText

/// Judges workflow files: everything that can be known to be wrong, or is likely to be, before
/// anything is sent.
///
/// Opens no socket and reads no file but through its loader.
package struct Linter: Sendable {
  let loader: (any FileLoader)?

  /// The recorded responses of its steps.
  let recorded: RecordedAnswers

  /// The description of the API that its steps call.
  let described: APIDescription?

  /// Reads the descriptions that workflows name; `nil` if they are left alone, as in a run.
  let shelf: DescriptionShelf?

  /// The files that are linted beside it.
  let others: Set<ExactText>

  /// - Parameters:
  ///   - loader: Reads the files that a workflow names. Without one it is an error to name any.
  ///   - recorded: The recorded responses of its steps.
  ///   - described: The description of the API that its steps call, in place of those that it names.
  ///   - shelf: Reads the descriptions that it names; `nil` if they are left alone.
  ///   - others: The workflow files that are linted, too, by their normalized names. What is wrong
  ///     with one of them is not reported where it is called, so `hasErrors` leaves that out.
  package init(
    loader: (any FileLoader)? = nil, recorded: RecordedAnswers = RecordedAnswers(),
    described: APIDescription? = nil, shelf: DescriptionShelf? = nil,
    others: Set<ExactText> = []
  ) {
    self.loader = loader
    self.recorded = recorded
    self.described = described
    self.shelf = shelf
    self.others = others
  }

  /// Every finding of a file, sorted by position. Files that it runs are linted too.
  ///
  /// - Complexity: O(size of the files), except for findings, whose proposals look at all names.
  package func lint(_ source: SourceFile) -> LintedWorkflow { lint(WorkflowText(source)) }

  /// The same of a file that was parsed.
  package func lint(_ text: WorkflowText) -> LintedWorkflow { lintDescribed(text).linted }

  /// Lints with what the descriptions say about the APIs that the file calls.
  func lintDescribed(
    _ text: WorkflowText
  ) -> (linted: LintedWorkflow, described: DescribedScope?) {
    var session = LintSession(
      loader: loader, recorded: recorded, described: described, shelf: shelf, others: others)
    let linted = session.lint(text)
    return (linted, session.scope)
  }
}

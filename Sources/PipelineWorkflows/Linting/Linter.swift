package import PipelineByteText
import PipelineJSONText
package import PipelineSourceText

/// Judges workflow files: everything that can be known to be wrong, or is likely to be, before
/// anything is sent.
///
/// Opens no socket and reads no file but through its loader.
package struct Linter: Sendable {
  let loader: (any FileLoader)?

  /// The recorded responses of its steps.
  let recorded: RecordedAnswers

  /// The files that are linted beside it.
  let others: Set<ExactText>

  /// - Parameters:
  ///   - loader: Reads the files that a workflow names. Without one it is an error to name any.
  ///   - recorded: The recorded responses of its steps.
  ///   - others: The workflow files that are linted, too, by their normalized names. What is wrong
  ///     with one of them is not reported where it is called, so `hasErrors` leaves that out.
  package init(
    loader: (any FileLoader)? = nil, recorded: RecordedAnswers = RecordedAnswers(),
    others: Set<ExactText> = []
  ) {
    self.loader = loader
    self.recorded = recorded
    self.others = others
  }

  /// Every finding of a file, sorted by position. Files that it runs are linted too.
  ///
  /// - Complexity: O(size of the files), except for findings, whose proposals look at all names.
  package func lint(_ source: SourceFile) -> LintedWorkflow { lint(WorkflowText(source)) }

  /// The same of a file that was parsed.
  package func lint(_ text: WorkflowText) -> LintedWorkflow {
    var session = LintSession(loader: loader, recorded: recorded, others: others)
    return session.lint(text)
  }

  /// A path without `.` and `..` if they can be taken out: two that are equal name one file.
  package static func normalized(_ path: String) -> String { LintSession.normalized(path) }
}

/// A file that was linted.
package struct LintedWorkflow: Sendable {
  package let file: SourceFile
  let document: JSONDocument
  /// Sorted by position.
  package let diagnostics: [Diagnostic]
  /// The facts about its parts; `nil` if the file does not hold an object.
  let context: LintContext?

  /// The readable part of the workflow. It may only be run if there are no errors.
  package var workflow: Workflow? { context?.workflow }

  /// The files that its steps run, by path as written.
  package var callees: [ExactText: LintedWorkflow] { context?.callees ?? [:] }

  /// Whether anything keeps the workflow from being run.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The plan of the workflow and of its called files; `nil` if there are errors.
  package var plan: Plan? {
    plan(PlanMemory())
  }

  /// - Parameter memory: Results that the file and its called files share.
  func plan(_ memory: PlanMemory) -> Plan? {
    var plans: [ExactText: Plan] = [:]
    return plan(&plans, memory)
  }

  /// - Parameter plans: Those made so far, by the file's name: a file may be called often.
  private func plan(_ plans: inout [ExactText: Plan], _ memory: PlanMemory) -> Plan? {
    if let plan = plans[ExactText(file.name)] { return plan }
    guard !hasErrors, let workflow else { return nil }
    var called: [ExactText: Plan] = [:]
    for (path, callee) in callees {
      guard let plan = callee.plan(&plans, memory) else { return nil }
      called[path] = plan
    }
    let plan = Plan(workflow, callees: called, memory: memory)
    plans[ExactText(file.name)] = plan
    return plan
  }
}

/// Reads the files that a workflow names.
package protocol FileLoader: Sendable {
  /// The file at `path`, as written in the file called `file`.
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError>

  /// Whether it is certain that no file exists at `path`, as written in the file called `file`.
  func isMissing(_ path: String, relativeTo file: String) -> Bool

  /// What reads the workflow that the test file `file` names as `path`, and the files that this
  /// workflow names.
  func forWorkflow(at path: String, testedBy file: String) -> any FileLoader
}

extension FileLoader {
  package func isMissing(_ path: String, relativeTo file: String) -> Bool { false }

  package func forWorkflow(at path: String, testedBy file: String) -> any FileLoader { self }
}

/// Why a file cannot be read, in a phrase for its reader.
package struct FileLoadError: Error, Sendable {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

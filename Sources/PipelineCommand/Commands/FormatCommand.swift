internal import PipelineJSONText
internal import PipelineSourceText

/// `pipeline format`: rewrites workflow files in place, in the one standard form.
struct FormatCommand: ComputedCommand {
  private let paths: [String]
  private let checks: Bool

  static let page = CommandPage(
    name: "format",
    summary: "Rewrite workflow files in their canonical form",
    discussion: [
      "The form depends only on the content: an indentation of two spaces, a line for each"
        + " member of the file and each step, and one line for any other value that fits into 100"
        + " columns. Keys keep their order, and numbers and strings keep their text. A file with"
        + " JSON errors is left as it is, and so is one that is not a workflow or test file. '-'"
        + " formats stdin to stdout."
    ],
    examples: [
      Example(line: "pipeline format workflows", meaning: "Format every workflow of a folder"),
      Example(line: "pipeline format --check workflows", meaning: "Check in CI"),
    ])

  init(_ arguments: inout Arguments) {
    paths = arguments.operands("FILE|FOLDER", .file(ending: ".json"), help: "What to format")
    checks = arguments.flag(
      "check",
      help: "Change nothing; list the files that would change, and fail if there are any")
  }

  /// The outcome for one file.
  private enum Verdict {
    case unchanged, changed, refused
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    let verdicts = WorkflowFiles(files: console.files, kinds: [.workflows, .tests]).read(paths).map
    { result in
      switch result {
      case .failure(let problem):
        console.complain("cannot read '\(problem.path)': \(problem.reason)")
        return Verdict.refused
      case .success(let file):
        return format(file, console)
      }
    }
    let changed = verdicts.count { $0 == .changed }
    let refused = verdicts.count { $0 == .refused }
    var summary =
      checks
      ? "\(changed.grouped) of \(verdicts.count.counting("file")) would change"
      : "Formatted \(changed.grouped) of \(verdicts.count.counting("file"))"
    if refused > 0 { summary += "; \(refused.grouped) cannot be formatted" }
    if paths != ["-"] { console.error.write(summary + "\n") }
    return refused > 0 || (checks && changed > 0) ? .invalid : .success
  }

  /// A file of the language has one of these.
  private static let keys = [
    "steps", "tests", "inputs", "defaults", "limits", "environments", "extends", "api",
  ]

  private func format(_ file: SourceFile, _ console: Console) -> Verdict {
    let (document, problems) = JSONDocument.parseRecovering(file.bytes)
    guard problems.isEmpty else {
      let diagnostics = problems.map { problem in
        Diagnostic(
          code: problem.code.rawValue, severity: .error, message: problem.message,
          range: problem.range,
          related: problem.related.map { .init(range: $0.range, message: $0.message) })
      }
      let renderer = console.renderer(for: console.error, color: .auto)
      let findings = Findings(file: file, diagnostics: diagnostics)
      console.error.write(wrapping: FindingsText(renderer: renderer).text([findings]))
      return .refused
    }
    guard Self.keys.contains(where: { document.root[$0] != nil }) else {
      console.complain(
        "'\(file.name)' is left as it is: it is not a workflow or test file, which has 'steps',"
          + " 'tests', 'inputs', 'defaults' or 'limits'")
      return .refused
    }
    let text = WorkflowLayout.text(of: document.root)
    let verdict: Verdict = text == file.bytes ? .unchanged : .changed
    if checks {
      if verdict == .changed { console.output.write(line: file.name) }
      return verdict
    }
    if file.name == "-" {
      console.data.write(text)
    } else if verdict == .changed {
      do throws(PathProblem) {
        try AtomicFile(path: file.name).write(text)
      } catch {
        console.complain("cannot write '\(error.path)': \(error.reason)")
        return .refused
      }
    }
    return verdict
  }
}

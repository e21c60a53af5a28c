internal import JSONText
internal import SourceText

/// `pipeline format`: the one form of workflow files, in place.
struct FormatCommand: Sendable {
  let console: Console

  /// What became of one file.
  private enum Verdict {
    case unchanged, changed, refused
  }

  func run(_ invocation: Invocation) -> ExitStatus {
    let checks = invocation.has("check")
    let verdicts = WorkflowFiles(files: console.files).read(invocation.operands).map { result in
      switch result {
      case .failure(let problem):
        console.complain("cannot read '\(problem.path)': \(problem.reason)")
        return Verdict.refused
      case .success(let file):
        return format(file, checks: checks)
      }
    }
    let changed = verdicts.count { $0 == .changed }
    let refused = verdicts.count { $0 == .refused }
    var summary =
      checks
      ? "\(changed.grouped) of \(verdicts.count.counting("file")) would change"
      : "Formatted \(changed.grouped) of \(verdicts.count.counting("file"))"
    if refused > 0 { summary += "; \(refused.grouped) cannot be formatted" }
    if invocation.operands != ["-"] { console.error.write(summary + "\n") }
    return refused > 0 || (checks && changed > 0) ? .invalid : .success
  }

  private func format(_ file: SourceFile, checks: Bool) -> Verdict {
    let (document, problems) = JSONDocument.parseRecovering(file.bytes)
    guard problems.isEmpty else {
      let diagnostics = problems.map { problem in
        Diagnostic(
          code: problem.code.rawValue, severity: .error, message: problem.message,
          range: problem.range,
          related: problem.related.map { .init(range: $0.range, message: $0.message) })
      }
      let renderer = console.renderer(for: console.error, color: nil)
      let findings = Findings(file: file, diagnostics: diagnostics)
      console.error.write(FindingsText(renderer: renderer).text([findings]))
      return .refused
    }
    let text = WorkflowLayout.text(of: document.root)
    let verdict: Verdict = text == file.bytes ? .unchanged : .changed
    if checks {
      if verdict == .changed { console.output.write(file.name + "\n") }
      return verdict
    }
    if file.name == "-" {
      console.output.write(text)
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

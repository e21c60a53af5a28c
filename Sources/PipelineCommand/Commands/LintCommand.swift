internal import ByteText
internal import JSONText
internal import SourceText
internal import Workflows

/// `pipeline lint`: every problem of every file.
struct LintCommand: Sendable {
  let console: Console
  let version: String
  /// What is to be said about a workflow.
  let lint: @Sendable (WorkflowText) -> [Diagnostic]

  /// How often fixes are made and the result checked anew: one fix may show the next.
  private static let mostRounds = 10

  func run(_ invocation: Invocation) -> ExitStatus {
    let format = invocation.value("format").flatMap(FindingsFormat.init(rawValue:)) ?? .text
    var fixed = 0
    var fixedFiles = 0
    let results = WorkflowFiles(files: console.files).read(invocation.operands)
    let bases = Self.bases(of: results)
    let lint = { (file: SourceFile) in
      let text = WorkflowText(file)
      return text.isBase
        ? Linter().lintBase(text, isNamed: bases.contains(ExactText(Linter.normalized(file.name))))
        : self.lint(text)
    }
    let all = results.map { result in
      switch result {
      case .failure(let problem): return Findings(problem)
      case .success(let file):
        let findings = Findings(file: file, diagnostics: lint(file).sortedByPosition())
        guard invocation.has("fix"), file.name != "-" else { return findings }
        let (better, count) = fix(findings, lint)
        if count > 0 {
          fixed += count
          fixedFiles += 1
        }
        return better
      }
    }
    let renderer = console.renderer(for: console.output, color: invocation.value("color"))
    console.output.write(format.bytes(all, renderer: renderer, version: version))

    let counts = FindingCounts(all)
    if fixed > 0 {
      console.error.write("Fixed \(fixed.counting("problem")) in \(fixedFiles.counting("file"))\n")
    }
    var summary = counts.summary
    if counts.fixable > 0, !invocation.has("fix") {
      summary += "; --fix can fix \(counts.fixable.grouped)"
    }
    console.error.write(summary + "\n")
    let fails = counts.errors > 0 || (invocation.has("strict") && counts.warnings > 0)
    return fails ? .invalid : .success
  }

  /// The files that others among these build on.
  private static func bases(of results: [Result<SourceFile, PathProblem>]) -> Set<ExactText> {
    var names: Set<ExactText> = []
    guard results.count > 1 else { return names }
    for case .success(let file) in results {
      guard file.bytes.contains(subsequence: Array("\"extends\"".utf8)),
        let path = JSONDocument.parseRecovering(file.bytes).document.root["extends"]?.string
      else { continue }
      let folder = AtomicFile.folder(of: file.name)
      let name = path.hasPrefix(bytes: "/") || folder == "." ? path : folder + "/" + path
      names.insert(ExactText(Linter.normalized(name)))
    }
    return names
  }

  /// Makes the fixes in the file, and gives what is left and how many were made.
  private func fix(
    _ original: Findings, _ lint: (SourceFile) -> [Diagnostic]
  ) -> (Findings, count: Int) {
    var findings = original
    var count = 0
    for _ in 0..<Self.mostRounds {
      let fixes = findings.diagnostics.compactMap(\.fix)
      guard !fixes.isEmpty else { break }
      let (bytes, applied) = findings.file.applying(fixes)
      guard applied > 0, bytes != findings.file.bytes else { break }
      let file = SourceFile(name: findings.file.name, bytes: bytes)
      let better = Findings(file: file, diagnostics: lint(file).sortedByPosition())
      // A fix that makes things worse is none.
      guard FindingCounts([better]).errors <= FindingCounts([findings]).errors else { break }
      findings = better
      count += applied
    }
    guard count > 0 else { return (original, 0) }
    do {
      try AtomicFile(path: findings.file.name).write(findings.file.bytes)
      return (findings, count)
    } catch {
      var unchanged = original
      unchanged.diagnostics.append(
        Diagnostic(
          code: "file", severity: .error, message: "cannot be fixed in place: \(error.reason)",
          range: 0..<0))
      return (unchanged, 0)
    }
  }
}

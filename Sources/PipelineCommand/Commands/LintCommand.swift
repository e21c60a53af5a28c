internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineOpenAPI
internal import PipelinePlanning
internal import PipelineSourceText

/// `pipeline lint`: every problem of every file.
struct LintCommand: ComputedCommand {
  private let paths: [String]
  private let format: FindingsFormat
  private let isStrict: Bool
  private let fixes: Bool
  private let color: ColorChoice
  /// A recording that all of the files are compared with.
  private let recording: String?
  /// The description of an API that all of the files are compared with.
  private let description: String?

  /// The maximum number of times that fixes are made and the result is checked again: one fix may
  /// reveal the next.
  private static let mostRounds = 10
  /// The maximum number of fixes that are tried one by one.
  private static let mostAlone = 50

  static let page = CommandPage(
    name: "lint",
    summary: "Check workflow files without sending anything",
    discussion: [
      "Reports every problem in every file, with its place and the way out. A folder stands for"
        + " the workflow files below it: the *.json files that have \"steps\", and the files that"
        + " these run. Without operands, the folder 'workflows' is checked, or the current folder if"
        + " it does not exist.",
      "Test files (*.test.json) are checked, too. A workflow is compared with the answers in its"
        + " recording: for users.json, that is users.har beside it, or in the folder 'recordings' or"
        + " 'tests/recordings' there.",
    ],
    examples: [
      Example(line: "pipeline lint", meaning: "Check the workflows of this project"),
      Example(
        line: "pipeline lint --strict --format github workflows",
        meaning: "Check in CI, with annotations"),
      Example(
        line: "pipeline lint users.json --with today.har",
        meaning: "Compare extractors and expectations with recorded answers"),
      Example(
        line: "pipeline lint --against petstore.yaml",
        meaning: "Find requests that the API does not describe"),
      Example(
        line: "pipeline lint --against v1.yaml..v2.yaml",
        meaning: "Find what a new version of the API breaks"),
    ])

  init(_ arguments: inout Arguments) {
    paths = arguments.operands("FILE|FOLDER", .file(ending: ".json"), help: "What to check")
    format =
      arguments.choice(
        "format", "FORMAT",
        help: "text, json, sarif (2.1.0) or github (annotations of a workflow run)") ?? .text
    isStrict = arguments.flag("strict", help: "Also fail on warnings")
    fixes = arguments.flag("fix", help: "Apply the safe fixes in place")
    recording = arguments.value(
      "with", "FILE", .file(ending: ".har"),
      help: "Compare the workflows with the answers in a recording")
    description = arguments.value(
      "against", "FILE", .file(ending: nil),
      help: "Compare the requests with an API's description, or with OLD..NEW for what breaks")
    color = arguments.color()
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    var (old, api): (APIDescription?, APIDescription?) = (nil, nil)
    if let description {
      let versions = Self.versions(description, console.files)
      guard let read = DescribedAPI.read(versions.last ?? description, console) else {
        return .usage
      }
      api = read
      if versions.count > 1 {
        guard !fixes else {
          console.complain("--fix takes one description, not two versions")
          return .usage
        }
        guard let read = DescribedAPI.read(versions[0], console) else { return .usage }
        old = read
      }
    }
    var fixed = 0
    var fixedFiles = 0
    let targets = LintTargets(paths, console.files)
    let recordings = LintRecordings(files: console.files)
    let shelf = DescriptionShelf()
    let given: RecordedAnswers?
    do throws(PathProblem) {
      given = try recording.map { path throws(PathProblem) in try recordings.answers(at: path) }
    } catch {
      console.complain("'\(error.path)' \(error.reason)")
      return .usage
    }
    // Files as they are shown: without the credentials that are written in them.
    var shown: [String: SourceFile] = [:]
    let lint = { (text: WorkflowText) in
      let name = text.source.name
      if let old, let api {
        let loader = LintedFiles(root: name, files: console.files)
        return text.isTest || targets.isBase(text)
          ? [] : Linter(loader: loader, others: targets.workflows).breaks(text, from: old, to: api)
      }
      if targets.isBase(text) {
        return Linter().lintBase(text, isNamed: targets.isExtended(text))
      }
      let loader = LintedFiles(root: name, files: console.files)
      if text.isTest {
        return Linter(loader: loader, others: targets.workflows).lintTests(text).diagnostics
      }
      let answers = given ?? recordings.answers(beside: name)
      let linter = Linter(
        loader: loader, recorded: answers, described: api, shelf: shelf,
        others: targets.workflows)
      let linted = program.linted.keep(linter.lint(text))
      shown[name] = linted.workflow?.shownSource
      return linted.diagnostics
    }
    var all = targets.texts.map { result in
      switch result {
      case .failure(let problem): return Findings(problem)
      case .success(let text):
        let findings = Findings(file: text.source, diagnostics: lint(text).sortedByPosition())
        guard fixes, text.source.name != "-" else { return findings }
        let (better, count) = fix(findings, lint)
        if count > 0 {
          fixed += count
          fixedFiles += 1
        }
        return better
      }
    }
    // A file may have been judged before the one that it builds on was fixed.
    if fixedFiles > 0 {
      for index in all.indices where all[index].diagnostics.contains(where: \.isOfBase) {
        let file = all[index].file
        all[index] = Findings(
          file: file, diagnostics: lint(WorkflowText(file)).sortedByPosition())
      }
    }
    all.removeRepeatsOfBases()
    for index in all.indices where all[index].isReadable {
      guard let file = shown[all[index].file.name], file.bytes == all[index].file.bytes else {
        continue
      }
      all[index] = Findings(file: file, diagnostics: all[index].diagnostics)
    }
    write(all, program)
    if fixed > 0 {
      console.error.write("Fixed \(fixed.counting("problem")) in \(fixedFiles.counting("file"))\n")
    }
    let status = summarize(FindingCounts(all), console)
    let isBroken = all.contains { !$0.diagnostics.isEmpty }
    return old == nil || !all.allSatisfy(\.isReadable) ? status : isBroken ? .failure : .success
  }

  /// The file, or the old and the new one of `OLD..NEW`. Paths may have dots, so a file of that name
  /// is one.
  private static func versions(_ text: String, _ files: FileSystem) -> [String] {
    func isFile(_ path: String) -> Bool { !path.isEmpty && (try? files.kind(path)) != nil }
    if isFile(text) { return [text] }
    let bytes = Array(text.utf8)
    for start in bytes.indices.dropLast() where bytes[start] == 0x2E && bytes[start + 1] == 0x2E {
      let old = String(decoding: bytes[..<start], as: UTF8.self)
      let new = String(decoding: bytes[(start + 2)...], as: UTF8.self)
      if isFile(old), isFile(new) { return [old, new] }
    }
    return [text]
  }

  private func write(_ all: [Findings], _ program: Program) {
    let console = program.console
    let renderer = console.renderer(for: console.output, color: color)
    let text = format.bytes(
      all, renderer: renderer, version: program.table.version,
      paths: console.annotationPaths)
    if format == .text {
      console.output.write(wrapping: String(decoding: text, as: UTF8.self))
    } else {
      console.data.write(text)
    }
  }

  /// Writes the summary, and gives the status that follows from it.
  private func summarize(_ counts: FindingCounts, _ console: Console) -> ExitStatus {
    var summary = counts.summary
    if counts.fixable > 0, !fixes {
      summary += "; --fix can fix \(counts.fixable.grouped)"
    }
    if counts.suggested > 0, fixes {
      summary +=
        "; \(counts.suggested.counting("suggestion")) may change what the file does: see the"
        + " messages"
    }
    console.error.write(summary + "\n")
    let fails = counts.errors > 0 || (isStrict && counts.warnings > 0)
    return fails ? .invalid : .success
  }

  /// Makes the fixes in the file, and gives what is left and how many were made.
  private func fix(
    _ original: Findings, _ lint: (WorkflowText) -> [Diagnostic]
  ) -> (Findings, count: Int) {
    var findings = original
    var count = 0
    for _ in 0..<Self.mostRounds {
      let fixes = findings.diagnostics.compactMap(\.fix).filter(\.isSafe)
      guard !fixes.isEmpty else { break }
      var better = fixing(findings, fixes, lint)
      if better == nil {
        // One of them makes things worse. The others do not depend on it.
        let good = fixes.prefix(Self.mostAlone).filter { fixing(findings, [$0], lint) != nil }
        better = good.isEmpty ? nil : fixing(findings, good, lint)
      }
      guard let better else { break }
      findings = better.findings
      count += better.applied
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

  /// The findings after these fixes; `nil` if they change nothing, or if more is wrong then.
  private func fixing(
    _ findings: Findings, _ fixes: [DiagnosticFix], _ lint: (WorkflowText) -> [Diagnostic]
  ) -> (findings: Findings, applied: Int)? {
    let (bytes, applied) = findings.file.applying(fixes)
    guard applied > 0, bytes != findings.file.bytes else { return nil }
    let file = SourceFile(name: findings.file.name, bytes: bytes)
    let after = Findings(file: file, diagnostics: lint(WorkflowText(file)).sortedByPosition())
    let (counts, known) = (FindingCounts([after]), FindingCounts([findings]))
    let isBetter =
      counts.errors <= known.errors
      && counts.errors + counts.warnings <= known.errors + known.warnings
    return isBetter ? (after, applied) : nil
  }
}

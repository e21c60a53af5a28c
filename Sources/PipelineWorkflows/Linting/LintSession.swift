import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// Lints a file and the files that it runs, each once.
struct LintSession {
  let loader: (any FileLoader)?
  private let recorded: RecordedAnswers
  /// The files that are being linted, each one run by the one before it.
  private var open: [String] = []
  private var done: [ExactText: LintedWorkflow] = [:]

  private static let depthLimit = 32

  /// - Parameter recorded: The recorded responses of the first file's steps.
  init(loader: (any FileLoader)?, recorded: RecordedAnswers) {
    self.loader = loader
    self.recorded = recorded
  }

  mutating func lint(_ text: WorkflowText) -> LintedWorkflow {
    let source = text.source
    let decoded = DecodedWorkflow(text, loader: loader)
    var found = decoded.diagnostics
    var callees: [ExactText: LintedWorkflow] = [:]
    var context: LintContext?
    if let workflow = decoded.workflow {
      open.append(Self.normalized(source.name))
      for call in workflow.block.calls where callees[ExactText(call.path.value)] == nil {
        switch callee(of: call) {
        case .success(let callee): callees[ExactText(call.path.value)] = callee
        case .failure(let problem): found.append(problem.diagnostic)
        }
      }
      open.removeLast()
      let linted = LintContext(workflow, incomplete: decoded.incomplete, callees: callees)
      // If a text is not JSON, only the problems of its syntax are certain.
      if decoded.isJSON {
        found += linted.findings
        if let loader { found += missingFiles(of: linted, loader) }
        if open.isEmpty { found += RecordedRules.findings(of: workflow, recorded) }
      }
      found = found.withoutRepeats().withoutPartsOfUnknown().map { $0.told(in: workflow) }
      context = linted
    }
    found = Silencing.apply(
      decoded.silencings, to: found, isRecorded: open.isEmpty && !recorded.isEmpty)
    return LintedWorkflow(
      file: source, document: decoded.document,
      diagnostics: found.sortedByPosition().bounded(others: decoded.uncounted),
      context: context)
  }

  private struct Problem: Error {
    let diagnostic: Diagnostic

    init(_ code: String, _ message: String, at range: Range<Int>) {
      diagnostic = Diagnostic(code: code, severity: .error, message: message, range: range)
    }
  }

  private mutating func callee(of call: Call) -> Result<LintedWorkflow, Problem> {
    let path = call.path
    guard let loader else {
      return .failure(
        Problem("unreadable-file", "'\(path.value)' is not read here: no files are", at: path.range)
      )
    }
    let file: SourceFile
    switch loader.load(path.value, relativeTo: open.last ?? "") {
    case .success(let loaded): file = loaded
    case .failure(let error):
      return .failure(Problem("unreadable-file", error.message, at: path.range))
    }
    let name = Self.normalized(file.name)
    if let start = open.firstIndex(where: { $0.equals(bytes: name) }) {
      let way = (open[start...] + [name]).map { "'\($0)'" }.joined(separator: " runs ")
      return .failure(Problem("file-cycle", "files run each other: \(way)", at: path.range))
    }
    guard open.count < Self.depthLimit else {
      return .failure(
        Problem("file-cycle", "files run each other \(open.count) deep", at: path.range))
    }
    let linted =
      done[ExactText(name)] ?? lint(WorkflowText(SourceFile(name: name, bytes: file.bytes)))
    done[ExactText(name)] = linted
    guard let error = linted.diagnostics.first(where: { $0.severity == .error }) else {
      guard linted.workflow?.block.keepsState != true else {
        return .failure(
          Problem(
            "called-workflow",
            "'\(path.value)' cannot be called because it has 'state', which only the file that is"
              + " run can have; declare an input there, and return the next value as an output",
            at: path.range))
      }
      return .success(linted)
    }
    let position = linted.file.position(at: error.range.lowerBound)
    let message =
      "'\(path.value)' cannot be run: \(name):\(position.line):\(position.column): \(error.message)"
    return .failure(Problem("called-workflow", message, at: path.range))
  }

  /// The files that steps read, and that are not there. A file that a step saves may be read by a
  /// later one.
  private func missingFiles(of context: LintContext, _ loader: any FileLoader) -> [Diagnostic] {
    let name = context.workflow.source.name
    let saved = context.steps.compactMap { $0.request?.save?.value }
    guard saved.allSatisfy({ $0.literal != nil }) else { return [] }
    let written = Set(saved.map { ExactText(Self.normalized($0.text)) })
    var found: [Diagnostic] = []
    for step in context.steps {
      step.step.forEachFile { path, range, isInherited in
        guard !path.contains(bytes: "{{"), PathOutside.problem(path) == nil,
          !written.contains(ExactText(Self.normalized(path))),
          loader.isMissing(path, relativeTo: name)
        else { return }
        var finding = Diagnostic(
          code: "unreadable-file", severity: .warning,
          message: "'\(path)' cannot be read: no such file beside the workflow", range: range)
        finding.isInherited = isInherited
        found.append(finding)
      }
    }
    return found
  }

  /// The path without `.` and `..` if they can be taken out.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(ascii: "/", omittingEmptySubsequences: true) where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix(bytes: "/") ? "/" : "") + parts.joined(separator: "/")
  }
}

extension Block {
  /// The calls of other files, at any depth.
  var calls: [Call] {
    var calls: [Call] = []
    for list in [steps, finally] {
      for step in list {
        switch step.action {
        case .call(let call): calls.append(call)
        case .block(let block): calls += block.calls
        case .request, .values, .wait, .fail: break
        }
      }
    }
    return calls
  }
}

extension [Diagnostic] {
  /// Each finding once: what comes from the defaults is found in every step that inherits it.
  fileprivate func withoutRepeats() -> [Diagnostic] {
    var seen = Set<Finding>(minimumCapacity: count)
    return filter { diagnostic in
      let message = diagnostic.isInherited ? "" : diagnostic.message
      return seen.insert(
        Finding(code: diagnostic.code, range: diagnostic.range, message: message)
      ).inserted
    }
  }
}

extension [Diagnostic] {
  /// Without what is said of the form of a template that reads nothing: `${{ steps.a.outputs.b }}` is
  /// one mistake.
  fileprivate func withoutPartsOfUnknown() -> [Diagnostic] {
    guard contains(where: { $0.code == "foreign-template" }) else { return self }
    let unknown = filter { $0.code == "unknown-reference" }.map(\.range.lowerBound).sorted()
    guard !unknown.isEmpty else { return self }
    return filter { finding in
      guard finding.code == "foreign-template" else { return true }
      var (low, high) = (0, unknown.count)
      while low < high {
        let middle = (low + high) / 2
        if unknown[middle] < finding.range.lowerBound { low = middle + 1 } else { high = middle }
      }
      return low == unknown.count || !finding.range.contains(unknown[low])
    }
  }
}

private struct Finding: Hashable {
  let code: String
  let range: Range<Int>
  /// Empty if it names one of the steps that inherit what is wrong.
  let message: String
}

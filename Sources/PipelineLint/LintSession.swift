import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates

/// Lints a file and the files that it runs, each once.
struct LintSession {
  let loader: (any FileLoader)?
  private let recorded: RecordedAnswers
  private let described: APIDescription?
  private let shelf: DescriptionShelf?
  /// The files that are linted by themselves: what is wrong with one of them is reported there.
  private let others: Set<ExactText>
  /// The files that are being linted, each run by the one before it.
  private var open: [String] = []
  private var done: [ExactText: LintedWorkflow] = [:]
  /// What the descriptions of the APIs say that the first file calls; `nil` if it is no JSON.
  private(set) var scope: DescribedScope?
  /// What keeps those of the files from being run that cannot be.
  private var causes: [ExactText: Cause] = [:]

  private static let depthLimit = 32

  /// - Parameters:
  ///   - recorded: The recorded responses of the first file's steps.
  ///   - described: The description of the API that the first file's steps call.
  ///   - shelf: Reads the descriptions that the first file names.
  ///   - others: The files that are linted by themselves.
  init(
    loader: (any FileLoader)?, recorded: RecordedAnswers, described: APIDescription?,
    shelf: DescriptionShelf?, others: Set<ExactText>
  ) {
    self.loader = loader
    self.recorded = recorded
    self.described = described
    self.shelf = shelf
    self.others = others
  }

  mutating func lint(_ text: WorkflowText) -> LintedWorkflow {
    let source = text.source
    let decoded = DecodedWorkflow(text, loader: loader)
    var found = decoded.diagnostics
    var callees: [ExactText: LintedWorkflow] = [:]
    var problems: [Problem] = []
    var context: LintContext?
    let name = FilePath.normalized(source.name)
    if let workflow = decoded.workflow {
      open.append(name)
      var broken: Set<ExactText> = []
      for call in workflow.block.calls {
        let path = ExactText(call.path.value)
        guard callees[path] == nil, !broken.contains(path) else { continue }
        switch callee(of: call) {
        case .success(let callee): callees[path] = callee
        case .failure(let problem):
          problems.append(problem)
          // A file that is broken is one mistake, however often it is called.
          if problem.cause != nil { broken.insert(path) }
        }
      }
      open.removeLast()
      let isFirst = decoded.isJSON && open.isEmpty
      let scope = DescribedScope(
        workflow, incomplete: decoded.incomplete, callees: callees,
        isFirst ? DescribedAPIs(workflow, given: described, shelf, loader) : DescribedAPIs())
      var linted = scope.context
      // If a text is not JSON, only the problems of its syntax are certain.
      if decoded.isJSON {
        found += linted.findings
        if let loader { found += missingFiles(of: linted, loader) }
        if isFirst {
          found += RecordedRules.findings(of: workflow, recorded)
          found += DescribedRules.findings(scope)
          self.scope = scope
          if let known = linted.known(by: recorded) {
            found += Self.recordedFindings(known, but: found)
            linted = known
          }
        }
      }
      found = found.withoutRepeats().withoutExplainedFailures().withoutPartsOfUnknown()
        .withoutConsequences(in: source)
        .map { $0.told(in: workflow) }
      context = linted
    }
    causes[ExactText(name)] = cause(of: source, found, problems)
    found += problems.filter { !open.isEmpty || !isReportedElsewhere($0, than: name) }
      .map(\.diagnostic)
    found = Silencing.apply(
      decoded.silencings, to: found, isRecorded: open.isEmpty && !recorded.isEmpty,
      isDescribed: open.isEmpty && scope?.apis.all.isEmpty == false)
    return LintedWorkflow(
      file: source, document: decoded.document,
      diagnostics: found.sortedByPosition().bounded(others: decoded.uncounted),
      context: context)
  }

  /// What the types of recorded values make wrong. They are evidence, and not certain.
  private static func recordedFindings(
    _ context: LintContext, but known: [Diagnostic]
  ) -> [Diagnostic] {
    let places = Set(known.map { Finding(code: $0.code, range: $0.range, message: "") })
    return context.findings.compactMap { finding in
      guard !places.contains(Finding(code: finding.code, range: finding.range, message: "")) else {
        return nil
      }
      return finding.recorded
    }
  }

  /// What keeps a file from being run.
  private struct Cause {
    /// The files in which it is reported: those in which something is wrong, or those that call them.
    let files: Set<ExactText>
    /// What is wrong, with its place: `u.json:3:5: …`.
    let words: String
  }

  /// Why a call cannot be carried out.
  private struct Problem: Error {
    let diagnostic: Diagnostic
    /// What is wrong with the called file; `nil` where it is the call.
    let cause: Cause?

    init(
      _ code: String, _ message: String, _ proposal: Proposal = .none, at range: Range<Int>,
      because cause: Cause? = nil
    ) {
      diagnostic = Diagnostic(
        code: code, severity: .error, message: message + proposal.text, range: range,
        fix: proposal.fix)
      self.cause = cause
    }
  }

  /// Whether each mistake behind a problem of the file called `name` is reported in another file.
  private func isReportedElsewhere(_ problem: Problem, than name: String) -> Bool {
    guard let files = problem.cause?.files else { return false }
    return files.isSubset(of: others) && !files.contains(ExactText(name))
  }

  /// What keeps a file from being run; `nil` if there is nothing.
  ///
  /// - Parameters:
  ///   - found: What is wrong in the file itself.
  ///   - problems: Why its calls cannot be carried out.
  private func cause(
    of file: SourceFile, _ found: [Diagnostic], _ problems: [Problem]
  ) -> Cause? {
    let name = FilePath.normalized(file.name)
    let own =
      found.filter { $0.severity == .error }
      + problems.filter { $0.cause == nil }.map(\.diagnostic)
    var files = problems.reduce(into: Set<ExactText>()) { $0.formUnion($1.cause?.files ?? []) }
    // A file that is linted itself reports what is wrong with one that is not.
    let isReporter = others.contains(ExactText(name)) && !files.isSubset(of: others)
    if isReporter { files.formIntersection(others) }
    if isReporter || !own.isEmpty { files.insert(ExactText(name)) }
    let called = problems.first { !isReportedElsewhere($0, than: name) } ?? problems.first
    if let error = own.sortedByPosition().first {
      let position = file.position(at: error.range.lowerBound)
      return Cause(
        files: files,
        words:
          "\(name):\(position.line):\(position.column): \(error.message)\(error.advice?.proposal().text ?? "")"
      )
    }
    return called?.cause.map { Cause(files: files, words: $0.words) }
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
      return .failure(
        Problem("unreadable-file", error.message, error.proposal(at: path.range), at: path.range))
    }
    let name = FilePath.normalized(file.name)
    if let start = open.firstIndex(where: { $0.equals(bytes: name) }) {
      return .failure(cycle(Array(open[start...]), at: path.range))
    }
    guard open.count < Self.depthLimit else {
      let message = "files run each other \(open.count) deep"
      // Only from the first file is it so deep.
      let cause = Cause(files: [ExactText(open[0])], words: message)
      return .failure(Problem("file-cycle", message, at: path.range, because: cause))
    }
    let linted =
      done[ExactText(name)] ?? lint(WorkflowText(SourceFile(name: name, bytes: file.bytes)))
    done[ExactText(name)] = linted
    guard linted.hasErrors, let cause = causes[ExactText(name)] else {
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
    return .failure(
      Problem(
        "called-workflow", "'\(path.value)' cannot be run: \(cause.words)", at: path.range,
        because: cause))
  }

  /// Files that run each other. Of those that are linted, the first in order reports it.
  private func cycle(_ files: [String], at range: Range<Int>) -> Problem {
    let way = (files + files.prefix(1)).map { "'\($0)'" }.joined(separator: " runs ")
    let names = files.map { ExactText($0) }
    let reporter =
      names.filter(others.contains).min { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let message = "files run each other: \(way)"
    guard let reporter else { return Problem("file-cycle", message, at: range) }
    return Problem(
      "file-cycle", message, at: range, because: Cause(files: [reporter], words: message))
  }

  /// The files that steps read, and that are not there. A file that a step saves may be read by a
  /// later one.
  private func missingFiles(of context: LintContext, _ loader: any FileLoader) -> [Diagnostic] {
    let name = context.workflow.source.name
    let saved = context.steps.compactMap { $0.request?.save?.value }
    guard saved.allSatisfy({ $0.literal != nil }) else { return [] }
    let written = Set(saved.map { ExactText(FilePath.normalized($0.text)) })
    var found: [Diagnostic] = []
    func judge(_ path: String, _ range: Range<Int>, _ isInherited: Bool) {
      guard !path.contains(bytes: "{{"), PathOutside.problem(path) == nil,
        !written.contains(ExactText(FilePath.normalized(path))),
        loader.isMissing(path, relativeTo: name)
      else { return }
      var finding = Diagnostic(
        code: "unreadable-file", severity: .warning,
        message: "'\(path)' cannot be read: no such file beside the workflow", range: range)
      finding.isInherited = isInherited
      found.append(finding)
    }
    for step in context.steps { step.step.forEachFile(judge) }
    context.forEachFileOfOutputs { judge($0, $1, false) }
    return found
  }
}

extension Diagnostic {
  /// The same finding, by the evidence of recorded answers.
  fileprivate var recorded: Diagnostic {
    var finding = Diagnostic(
      code: code, severity: max(severity, .warning), message: message + " (in recorded answers)",
      range: range, related: related, fix: fix)
    finding.advice = advice
    finding.isInherited = isInherited
    return finding
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
        case .request, .values, .wait, .fail, .say, .ask: break
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
      let first = unknown.partitioningIndex { $0 >= finding.range.lowerBound }
      return first == unknown.count || !finding.range.contains(unknown[first])
    }
  }
}

extension [Diagnostic] {
  /// Without what follows from a mistake that is reported itself: a value is unused because the text
  /// that names it is not read.
  fileprivate func withoutConsequences(in file: SourceFile) -> [Diagnostic] {
    let isUnused = { (finding: Diagnostic) in
      ["unused-extractor", "unused-input"].contains(finding.code)
    }
    let keys = filter { $0.code == "computed-key" }.map(\.range)
    var found = self
    if !keys.isEmpty {
      found.removeAll { finding in
        finding.code == "list-in-scalar-place" && keys.contains { $0.overlaps(finding.range) }
      }
    }
    // The value of a key that is not known is in the words of another tool.
    let keyEnds = found.filter { $0.code == "unknown-key" }.map(\.range.upperBound)
    if !keyEnds.isEmpty {
      found.removeAll { finding in
        finding.code == "unknown-reference"
          && keyEnds.contains { file.isValue(finding.range.lowerBound, ofKeyBefore: $0) }
      }
    }
    // A placeholder of another tool is not of another type, too.
    let placeholders = found.filter { $0.code == "unread-placeholder" }.map(\.range)
    if !placeholders.isEmpty {
      found.removeAll { finding in
        finding.code == "wrong-type"
          && placeholders.contains { finding.range.contains($0.lowerBound) }
      }
    }
    guard found.contains(where: isUnused) else { return found }
    var words: Set<ArraySlice<UInt8>> = []
    for finding in found where Self.unreadTexts.contains(finding.code) {
      words.formUnion(file.words(around: finding.range))
    }
    guard !words.isEmpty else { return found }
    found.removeAll { isUnused($0) && !words.isDisjoint(with: file.words(in: $0.range)) }
    return found
  }

  /// The codes of texts that name values in a way that is not understood.
  private static var unreadTexts: Set<String> {
    [
      "unread-placeholder", "literal-query", "foreign-template", "url-character",
      "template-reference", "template-syntax", "condition-syntax", "query-syntax",
    ]
  }
}

extension SourceFile {
  /// Whether a place is in the string that is the value of the key that ends at another.
  fileprivate func isValue(_ place: Int, ofKeyBefore end: Int) -> Bool {
    guard place > end, place - end < 1_000, place <= bytes.count else { return false }
    var gap = bytes[end..<place].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    guard gap.popFirst() == UInt8(ascii: ":") else { return false }
    gap = gap.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return gap.popFirst() == UInt8(ascii: "\"") && !gap.contains(UInt8(ascii: "\""))
  }

  /// The names in a range.
  fileprivate func words(in range: Range<Int>) -> [ArraySlice<UInt8>] {
    bytes[range.clamped(to: 0..<bytes.count)].split { !ASCIISet.nameBytes.contains($0) }
  }

  /// The names in the string that a range is in.
  fileprivate func words(around range: Range<Int>) -> [ArraySlice<UInt8>] {
    guard range.upperBound <= bytes.count else { return [] }
    let quote = UInt8(ascii: "\"")
    var (start, end) = (range.lowerBound, range.upperBound)
    let most = 1_000
    while start > 0, range.lowerBound - start < most, bytes[start - 1] != quote { start -= 1 }
    while end < bytes.count, end - range.upperBound < most, bytes[end] != quote { end += 1 }
    return start <= end ? words(in: start..<end) : []
  }
}

extension ASCIISet {
  fileprivate static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_"))
}

private struct Finding: Hashable {
  let code: String
  let range: Range<Int>
  /// Empty if it names one of the steps that inherit what is wrong.
  let message: String
}

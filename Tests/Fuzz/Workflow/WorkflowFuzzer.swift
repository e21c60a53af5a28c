import PipelineJSONSchemas
import PipelineKit
@testable import PipelineLanguage
@testable import PipelineLint
@testable import PipelinePlanning
import PipelineSourceText

@testable import PipelineCommand
@testable import PipelineJSONText

// A workflow file: any bytes. All that is done with a file before anything is sent: it is linted by
// every rule, the findings are shown and their fixes made, the text is formatted, the plan made and
// drawn. What must hold is stated as preconditions: a broken one is a crash, which the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let file = SourceFile(
    name: "fuzz.json", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  let linted = lint(file)
  precondition(linted.diagnostics == lint(file).diagnostics, "linted again, it is judged otherwise")
  checkDiagnostics(linted)
  checkFixes(linted)
  checkFormat(linted)
  checkSchema(linted)
  checkPlan(linted)
  checkAnalysis(file)
  return 0
}

private func lint(_ file: SourceFile) -> LintedWorkflow {
  Linter(loader: FewFiles(itself: file)).lint(file)
}

/// What a fuzzed file may call and extend: a sound file, a broken one, a base, and itself.
private struct FewFiles: FileLoader {
  let itself: SourceFile

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    switch path {
    case "fuzz.json": return .success(itself)
    case "called.json":
      return success(
        path,
        #"""
        {"inputs": {"a": {"type": "string"}, "b": {"default": 1}},
         "steps": [{"id": "s", "endpoint": "GET https://h/{{inputs.a}}/{{inputs.b}}",
                    "extract": {"x": "$.x"}}],
         "outputs": {"x": "$.s.x"}}
        """#)
    case "base.json":
      return success(path, #"{"defaults": {"baseURL": "https://h/", "timeout": "5s"}}"#)
    case "broken.json": return success(path, #"{"steps": [{"id": "s", }]}"#)
    default: return .failure(FileLoadError("'\(path)' cannot be read: no such file"))
    }
  }

  private func success(_ path: String, _ text: String) -> Result<SourceFile, FileLoadError> {
    .success(SourceFile(name: path, bytes: Array(text.utf8)))
  }
}

// MARK: Findings

private func checkDiagnostics(_ linted: LintedWorkflow) {
  let file = linted.file
  let inside = offsetsInsideCharacters(of: file.bytes)
  for diagnostic in linted.diagnostics {
    precondition(Explanation[diagnostic.code] != nil, "no explanation: \(diagnostic.code)")
    precondition(!diagnostic.message.isEmpty && diagnostic.message.last != ".")
    check(diagnostic.range, in: file, inside)
    for related in diagnostic.related { check(related.range, in: file, inside) }
    for edit in diagnostic.fix?.edits ?? [] { check(edit.range, in: file, inside) }
    for renderer in [DiagnosticRenderer(width: 20), DiagnosticRenderer(style: .colored)] {
      let shown = renderer.render(diagnostic, in: file)
      precondition(shown.last == "\n")
      let controls = shown.utf8.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x1B || $0 == 0x7F }
      precondition(!controls, "a finding sends control characters to the terminal")
    }
  }
  let findings = [Findings(file: file, diagnostics: linted.diagnostics)]
  for format in FindingsFormat.allCases {
    let bytes = format.bytes(findings, renderer: DiagnosticRenderer(), version: "0")
    guard format == .json || format == .sarif else { continue }
    precondition((try? JSONDocument.parse(bytes)) != nil, "findings as \(format) are no JSON")
  }
}

private func check(_ range: Range<Int>, in file: SourceFile, _ inside: Set<Int>) {
  precondition(range.lowerBound >= 0 && range.upperBound <= file.bytes.count)
  precondition(
    !inside.contains(range.lowerBound) && !inside.contains(range.upperBound),
    "a range splits a character")
}

/// The places between two bytes of one well-formed sequence of UTF-8.
private func offsetsInsideCharacters(of bytes: [UInt8]) -> Set<Int> {
  var inside: Set<Int> = []
  var offset = 0
  while offset < bytes.count {
    let length = UTF8Sequence.length(in: bytes, at: offset)
    if length > 1 { inside.formUnion(offset + 1..<offset + length) }
    offset += max(length, 1)
  }
  return inside
}

/// What an editor is told of a place lies in the file, and a reading leads to a name that knows it.
private func checkAnalysis(_ file: SourceFile) {
  let analysis = WorkflowAnalysis(file, loader: FewFiles(itself: file))
  let inside = offsetsInsideCharacters(of: file.bytes)
  for offset in stride(from: 0, through: file.bytes.count, by: max(1, file.bytes.count / 24)) {
    for completion in analysis.completions(at: offset) { precondition(!completion.text.isEmpty) }
    guard let symbol = analysis.symbol(at: offset) else { continue }
    check(symbol.range, in: file, inside)
    switch symbol {
    case .key: break
    case .reference(let reference):
      guard let definition = reference.definition else { break }
      check(definition, in: file, inside)
    case .name(let name):
      for range in name.references { check(range, in: file, inside) }
    }
  }
}

private func checkFixes(_ linted: LintedWorkflow) {
  let fixes = linted.diagnostics.compactMap(\.fix)
  guard !fixes.isEmpty else { return }
  let isJSON = (try? JSONDocument.parse(linted.file.bytes)) != nil
  for some in fixes.prefix(20).map({ [$0] }) + [fixes] {
    let (bytes, applied) = linted.file.applying(some)
    precondition(applied > 0, "a fix cannot be made")
    precondition(bytes != linted.file.bytes, "a fix changes nothing: \(some[0].message)")
    guard isJSON else { continue }
    precondition(
      (try? JSONDocument.parse(bytes)) != nil, "fixed, it is no JSON: \(some[0].message)")
  }
  _ = lint(SourceFile(name: linted.file.name, bytes: linted.file.applying(fixes).bytes))
}

// MARK: Format

private func checkFormat(_ linted: LintedWorkflow) {
  let (document, problems) = JSONDocument.parseRecovering(linted.file.bytes)
  guard problems.isEmpty else { return }
  let text = WorkflowLayout.text(of: document.root)
  guard let formatted = try? JSONDocument.parse(text) else {
    preconditionFailure("formatted, it is no JSON")
  }
  precondition(isAlike(document, formatted), "formatted, it holds something else")
  precondition(WorkflowLayout.text(of: formatted.root) == text, "formatted twice differs")
  let again = lint(SourceFile(name: linted.file.name, bytes: text))
  precondition(
    again.diagnostics.map(\.code) == linted.diagnostics.map(\.code),
    "formatted, it is judged otherwise")
}

/// Whether two documents have the same names, values and order, to the letter.
private func isAlike(_ left: JSONDocument, _ right: JSONDocument) -> Bool {
  left.tape.count == right.tape.count
    && left.tape.indices.allSatisfy { index in
      let (one, other) = (left.element(at: index), right.element(at: index))
      guard one.kind == other.kind else { return false }
      if one.isContainer || one.isEnd { return one.span == other.span }
      return left.bytes[left.range(at: index)] == right.bytes[right.range(at: index)]
    }
}

// MARK: Schema

private let schema: Schema = {
  guard let document = try? JSONDocument.parse(LanguageSchema.text),
    let schema = Schema.parse(document.root).schema
  else { preconditionFailure("the language's schema is none") }
  return schema
}()

/// What the schema refuses, lint refuses too.
private func checkSchema(_ linted: LintedWorkflow) {
  guard let document = try? JSONDocument.parse(linted.file.bytes) else { return }
  precondition(
    linted.hasErrors || schema.validate(document.root).isEmpty, "only the schema refuses it")
}

// MARK: Plan

private func checkPlan(_ linted: LintedWorkflow) {
  if let workflow = linted.workflow { _ = Resolution.of(workflow).cycles }
  guard let plan = linted.plan else {
    precondition(linted.hasErrors, "without an error there is no plan")
    return
  }
  let graph = WorkflowGraph(plan)
  let stages = graph.stages
  precondition(stages.count == graph.nodes.count)
  for edge in graph.edges { precondition(stages[edge.from] < stages[edge.to], "an edge goes back") }
  let values = plan.inputs(given: [:]).values
  let (state, _) = plan.state(given: [:])
  precondition(
    !PlanText(plan: plan, inputs: values, state: state, kept: [:]).text.isEmpty)
  let title = plan.workflow.name
  let picture = GraphPicture.fitting(graph)
  let texts = [
    GraphTexts.text(graph, title: title), GraphTexts.mermaid(graph, title: title),
    GraphTexts.dot(graph, title: title), GraphSVG(picture: picture, title: title).text,
    GraphHTML(
      picture: picture, title: title, description: plan.workflow.description,
      stepCount: graph.stepCount
    ).text,
  ]
  precondition(texts.allSatisfy { !$0.isEmpty })
}

package import PipelineJSONText
package import PipelineSourceText

/// A file that another builds on: its inputs, environments, limits and defaults.
package struct BaseFile {
  let workflow: Workflow
  let defaults: Defaults
  let place: Workflow.Base
}

extension WorkflowDecoder {
  /// Reads the file that `extends` names.
  mutating func readBase(_ path: Written<String>) -> BaseFile? {
    guard let loader else {
      report(.unreadableFile, "'\(path.value)' is not read here: no files are", at: path.range)
      return nil
    }
    switch loader.load(path.value, relativeTo: source.name) {
    case .failure(let error):
      report(.unreadableFile, error.message, error.proposal(at: path.range), at: path.range)
      return nil
    case .success(let file):
      return base(in: SourceFile(name: FilePath.normalized(file.name), bytes: file.bytes))
    }
  }

  private mutating func base(in file: SourceFile) -> BaseFile {
    // White space before it moves the file past the end of this one.
    let offset = source.bytes.count + 1
    let bytes = [UInt8](repeating: 0x20, count: offset) + file.bytes
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    var decoder = WorkflowDecoder(
      source: SourceFile(name: file.name, bytes: bytes), document: document)
    var workflow = Workflow(source: file, document: document, name: file.name)
    if problems.isEmpty { decoder.readBase(into: &workflow) }
    for problem in problems { add(Diagnostic(problem)) }
    takeFindings(of: decoder)
    namesBaseURL = namesBaseURL || decoder.namesBaseURL
    return BaseFile(
      workflow: workflow, defaults: decoder.defaults,
      place: Workflow.Base(source: file, offset: offset))
  }
}

extension Diagnostic {
  /// The problem with a JSON text.
  package init(_ problem: JSONSyntaxError) {
    self.init(
      code: problem.code.rawValue, severity: .error,
      message: problem.code == .empty
        ? "the file is empty; a workflow begins with {\"steps\": […]}" : problem.message,
      range: problem.range,
      related: problem.related.map { Related(range: $0.range, message: $0.message) },
      fix: problem.fix.map { fix in
        DiagnosticFix(
          message: fix.message,
          edits: fix.edits.map { DiagnosticFix.Edit(range: $0.range, replacement: $0.replacement) },
          isSafe: !fix.isGuess)
      })
  }

  /// A finding in a base file of `workflow`, reported where that file is named.
  package func told(in workflow: Workflow) -> Diagnostic {
    let (file, range) = workflow.place(of: self.range)
    guard let base = workflow.base, range != self.range else {
      return withoutEdits(beside: workflow)
    }
    let position = file.position(at: range.lowerBound)
    var told = Diagnostic(
      code: code, severity: severity,
      message: "\(base.source.name):\(position.line):\(position.column): \(message)",
      range: workflow.extends?.range ?? 0..<0)
    // The edit would be one of the other file.
    told.advice = advice.map { advice in Advice { Proposal(advice.proposal().text) } }
    told.isOfBase = true
    return told
  }

  /// This finding without a fix that changes the file that the workflow builds on.
  private func withoutEdits(beside workflow: Workflow) -> Diagnostic {
    guard let base = workflow.base,
      let fix, fix.edits.contains(where: { $0.range.lowerBound >= base.offset })
    else { return self }
    var told = self
    told.fix = nil
    return told
  }
}

internal import PipelineLint
internal import PipelinePlanning
internal import PipelineSourceText

/// Reads the workflow of a command line as a plan, or says why there is none.
struct PlanSource: Sendable {
  let console: Console
  let color: ColorChoice
  /// Whether warnings are not mentioned.
  var isQuiet = false

  /// The file, linted, and its plan. Prints its errors.
  ///
  /// - Parameters:
  ///   - folders: Further folders whose files it may name.
  ///   - rows: The file for each of whose rows it is run; `nil` if it is run once.
  ///   - purpose: The act that is impossible if the file has errors: `run`.
  func plan(
    at path: String, allowing folders: [String] = [], each rows: String? = nil, to purpose: String
  ) -> (LintedWorkflow, Plan)? {
    let file: SourceFile
    switch WorkflowFiles(files: console.files).read(path) {
    case .success(let found): file = found
    case .failure(let problem):
      console.complain("cannot read '\(path)': \(problem.reason)")
      return nil
    }
    guard let found = plan(of: file, as: path, allowing: folders, to: purpose) else { return nil }
    guard let rows else { return found }
    do throws(RowsOfRuns.Problem) {
      let called = found.1.workflow
      let rows = RowsWorkflow(called: called, rows: try RowsOfRuns(rows, of: called))
      // The warnings of the called file have been counted.
      return PlanSource(console: console, color: color, isQuiet: true)
        .plan(of: rows.source, as: path, allowing: folders, to: purpose)
    } catch {
      for message in error.messages { console.complain(message) }
      return nil
    }
  }

  /// The same for a file that was read.
  func plan(
    of file: SourceFile, as path: String, allowing folders: [String] = [], to purpose: String
  ) -> (LintedWorkflow, Plan)? {
    let loader = LintedFiles(
      root: file.name, allowed: folders, files: console.files)
    let linted = Linter(loader: loader).lint(file)
    let errors = linted.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let findings = Findings(
        file: linted.workflow?.shownSource ?? file, diagnostics: errors)
      let renderer = console.renderer(for: console.error, color: color)
      console.error.write(wrapping: FindingsText(renderer: renderer).text([findings]))
      console.complain("\(path) cannot be \(purpose): " + errors.count.counting("error"))
      return nil
    }
    let warnings = linted.diagnostics.count { $0.severity == .warning }
    if warnings > 0, !isQuiet {
      console.error.write(
        line: "\(path) has \(warnings.counting("warning")); see 'pipeline lint \(path)'")
    }
    guard let plan = linted.plan else {
      console.complain("\(path) cannot be \(purpose): its steps wait for each other")
      return nil
    }
    return (linted, plan)
  }
}

extension Console {
  /// The plan of a workflow's file; `nil` if it cannot be read, or has errors.
  func plan(ofFile path: String) -> Plan? {
    guard case .success(let file) = WorkflowFiles(files: files).read(path) else { return nil }
    return Linter(loader: LintedFiles(root: path, files: files)).lint(file).plan
  }
}

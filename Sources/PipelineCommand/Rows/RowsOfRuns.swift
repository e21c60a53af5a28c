internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineSourceText

/// The rows of the file that `--each` names: a workflow is run once for each of them.
struct RowsOfRuns: Sendable {
  /// Why the workflow cannot be run for the rows.
  struct Problem: Error {
    /// At least one.
    let messages: [String]
  }

  /// The file, from the root and without links.
  let path: String
  let format: BodyFormat
  /// The names that the first line or any row has, in the order in which they come.
  let columns: [String]

  /// How many problems are reported.
  private static let mostProblems = 20

  /// Reads the file once: nothing is sent if a row does not fit the inputs.
  ///
  /// - Parameter path: As the command line names the file.
  /// - Complexity: O(bytes), in flat memory if the file is large and not packed.
  init(_ path: String, of workflow: Workflow) throws(Problem) {
    guard workflow.source.name != "-" else {
      throw Problem(
        "--each runs a workflow for each row, and cannot run one from stdin; name its file")
    }
    if let state = workflow.state.first {
      throw Problem(
        "--each cannot run '\(workflow.source.name)': it has 'state', and runs that take place at"
          + " the same time cannot leave '\(state.name)' to each other")
    }
    guard let format = BodyFormat(fileName: path), format.givesRows || format == .json else {
      throw Problem(
        "--each: '\(path)' does not say how its rows are read; the name of a file of rows ends with"
          + " .csv, .tsv, .ndjson, .jsonl or .json, and then perhaps .gz")
    }
    var check = RowCheck(workflow: workflow, file: path)
    let real: String
    do throws(FileError) {
      (real, columns) = try Self.columns(of: path, format, &check)
    } catch {
      let isSecret = workflow.inputs.contains(where: \.isSecret)
      throw Problem(
        isSecret
          ? "--each: '\(path)' " + InputArguments.hidden(error.message, format)
          : "--each: " + error.message)
    }
    if case .separated = format, columns.isEmpty {
      throw Problem("--each: '\(path)' has no line with the names of columns")
    }
    let problems = check.allProblems
    guard problems.isEmpty else {
      let rest = problems.count - Self.mostProblems
      throw Problem(
        messages: problems.prefix(Self.mostProblems)
          + (rest > 0 ? ["and " + rest.counting("more problem") + " in '\(path)'"] : []))
    }
    self.path = real
    self.format = format
  }

  private static func columns(
    of path: String, _ format: BodyFormat, _ check: inout RowCheck
  ) throws(FileError) -> (path: String, columns: [String]) {
    let files = try FolderFiles(workflow: check.workflow.source.name).reading(alsoFile: path)
    let real = try files.resolve(WorkflowPath.absolute(path))
    do throws(FileError) {
      check.add(columns: try format.columnNames(of: real, files))
      try format.forEachRow(of: real, files) { check.add($1, number: $0) }
    } catch {
      throw FileError(error.message.replacing(bytes: "'\(real)'", with: "'\(path)'"))
    }
    return (real, check.columns)
  }
}

extension RowsOfRuns.Problem {
  init(_ message: String) { self.init(messages: [message]) }
}

extension LintedWorkflow {
  /// Why values cannot be given beside the rows of `--each`; `nil` if they can.
  func problem(withRowsOf rows: String?, and given: InputArguments) -> String? {
    guard let rows else { return nil }
    let own = workflow?.inputs.map(\.name) ?? []
    let columns = files.flatMap { $0.workflow?.inputs.map(\.name) ?? [] }
    let twice = given.values.keys.sorted().first {
      !own.contains(bytes: $0) && columns.contains(bytes: $0)
    }
    return twice.map {
      "input '\($0)' is a column of '\(rows)', so it has a value in each row; leave one of them out"
    }
  }
}

/// Compares rows with the inputs of a workflow.
private struct RowCheck {
  let workflow: Workflow
  /// The file of the rows, as the command line names it.
  let file: String
  private(set) var columns: [String] = []

  private var inputs: [String: Input] = [:]
  private var known: Set<ExactText> = []
  private var problems: [String] = []
  /// The first row without a value for an input that needs one.
  private var missing: [String: Int] = [:]

  init(workflow: Workflow, file: String) {
    self.workflow = workflow
    self.file = file
    for input in workflow.inputs { inputs[input.name] = input }
  }

  /// A row as reports name it, counted from 0.
  private static func name(_ position: Int) -> String { "\(RowsWorkflow.step)[\(position)]" }

  mutating func add(_ row: JSONNode, number: Int) {
    guard row.kind == .object else {
      problems.append("\(Self.name(number)) of '\(file)' is not an object with the names of inputs")
      return
    }
    add(columns: row.members.map(\.name))
    for problem in workflow.problems(ofCallWith: row) {
      problems.append("\(Self.name(number)) of '\(file)': \(problem.message)")
    }
    for input in workflow.inputs
    where input.isRequired && row[input.name] == nil && missing[input.name] == nil {
      missing[input.name] = number
    }
  }

  mutating func add(columns names: [String]) {
    for name in names where known.insert(ExactText(name)).inserted {
      columns.append(name)
      if inputs[name] == nil { problems.append(unknown(name)) }
    }
  }

  private func unknown(_ column: String) -> String {
    let names = workflow.inputs.map(\.name)
    let advice =
      names.isEmpty
      ? ": the workflow has no inputs"
      : column.contains(bytes: ";")
        ? "; --each reads fields with ',' between them, and these seem to have ';': loop over a list"
          + " instead, {\"$file\": \"\(file)\", \"as\": {\"csv\": {\"delimiter\": \";\"}}}"
        : Spelling.nearest(to: column, among: names).map { "; did you mean '\($0)'?" }
          ?? "; there is: " + names.prefix(20).joined(separator: ", ")
    return "column '\(column)' of \(file) is not an input" + advice
  }

  /// With those of required inputs that some rows have, and others have not.
  var allProblems: [String] {
    problems
      + columns.compactMap { name in
        missing[name].map { "\(Self.name($0)) of '\(file)' has no value for the input '\(name)'" }
      }
  }
}

internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineKit

/// `pipeline import`: a workflow made of the files of another tool.
struct ImportCommand: ComputedCommand {
  private let paths: [String]
  private let output: String?
  private let isRelaxed: Bool
  private let isPartial: Bool
  private let format: Format

  private enum Format: String, WordChoice {
    case text, json
  }

  private static let sizeLimit = 64 << 20

  static let page = CommandPage(
    name: "import",
    summary: "Turn another tool's requests into a workflow",
    discussion: [
      "Reads a Postman collection (2.0, 2.1), an .http file (JetBrains, VS Code, Visual Studio) or a"
        + " curl command, with files of environments. The content decides what a file is. The"
        + " workflow goes to stdout, and the report to stderr: what was translated, what is"
        + " approximated, and what was refused, each with its line. If anything was refused, no"
        + " workflow is written unless --partial is given.",
      "Scripts are never executed: known patterns become extractors and expectations. Credentials"
        + " become secret inputs, and their values are not kept. The steps run in the order of the"
        + " file.",
    ],
    examples: [
      Example(
        line:
          "pipeline import shop.postman_collection.json dev.json > shop.json",
        meaning: "A collection with an environment"),
      Example(
        line: "pipeline import api.http --relax -o api.json",
        meaning: "Requests that do not read each other's answers run at the same time"),
    ])

  init(_ arguments: inout Arguments) {
    paths = arguments.operands("FILE", .file(ending: nil), help: "What to import; '-' is stdin")
    output = arguments.value(
      "output", letter: "o", "FILE", .file(ending: ".json"),
      help: "Write the workflow to FILE, which must not exist yet")
    isRelaxed = arguments.flag(
      "relax", help: "Order the steps only by the values that they read, not as in the file")
    isPartial = arguments.flag(
      "partial", help: "Write the workflow even if something was refused")
    format =
      arguments.choice(
        "format", "FORMAT",
        help: "text, or json: one object with the workflow and the report, on stdout") ?? .text
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard !paths.isEmpty else {
      console.complain("there is nothing to import: pipeline import FILE")
      return .usage
    }
    do {
      var files: [Importer.File] = []
      for path in paths { files.append(.init(name: path, bytes: try read(path, console.files))) }
      if files.count == 1, let command = Self.curl(files[0]) {
        return try finish(NewCommand.workflow(of: command, console), ImportReport(), console)
      }
      var importer = Importer(isRelaxed: isRelaxed)
      let workflow = try importer.workflow(of: files)
      return try finish(WorkflowLayout.text(of: workflow.node), importer.report, console)
    } catch let problem as Importer.Problem {
      console.complain("cannot import '\(problem.file)': \(problem.message)")
    } catch let problem as PathProblem {
      console.complain("cannot import '\(problem.path)': \(problem.reason)")
    } catch {
      console.complain("cannot import '\(paths[0])': \(error)")
    }
    return .usage
  }

  private func read(_ path: String, _ files: FileSystem) throws(PathProblem) -> [UInt8] {
    path == "-" ? try files.readInput(Self.sizeLimit) : try files.read(path, Self.sizeLimit)
  }

  /// The text of a file that is a curl command.
  private static func curl(_ file: Importer.File) -> String? {
    let text = String(decoding: file.bytes, as: UTF8.self)
    return ForeignKind(ofText: text) == .curl ? text.trimmed : nil
  }

  private func finish(
    _ workflow: [UInt8], _ report: ImportReport, _ console: Console
  ) throws(PathProblem) -> ExitStatus {
    let isWritten = isPartial || report.refused.isEmpty
    if format == .json {
      var members = report.members
      if isWritten, let document = try? JSONDocument.parse(workflow) {
        members.insert(.init("workflow", JSONValue(document.root)), at: 0)
      }
      console.json.write(JSONValue.object(members).node.text + "\n")
    } else {
      write(report, console)
      if isWritten, output == nil { console.json.write(workflow) }
    }
    if isWritten, let output { try NewFile.create(output, workflow, by: "import") }
    if !isWritten {
      console.error.write(
        line: "Nothing is written, because something was refused; --partial writes the rest.")
    }
    return report.refused.isEmpty || isPartial ? .success : .failure
  }

  private func write(_ report: ImportReport, _ console: Console) {
    for (word, entries) in [("approximated", report.approximated), ("refused", report.refused)] {
      for entry in entries {
        console.error.write(line: "\(entry.file):\(entry.line): \(word): \(entry.message)")
      }
    }
    console.error.write(line: report.summary)
  }
}

internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineTesting

/// `pipeline import`: a workflow made of the files of another tool.
struct ImportCommand: WaitingCommand {
  private let paths: [String]
  private let output: String?
  private let isRelaxed: Bool
  private let isPartial: Bool
  private let workflowID: String?
  private let explains: Bool
  private let writesTests: Bool
  private let format: Format

  private enum Format: String, WordChoice {
    case text, json
  }

  private static let sizeLimit = 64 << 20

  static let page = CommandPage(
    name: "import",
    summary: "Turn another tool's requests into a workflow",
    discussion: [
      "Reads a Postman collection (2.0, 2.1, or the folder of 3.0), an .http file (JetBrains, VS"
        + " Code, Visual Studio), a Hurl file, the files of a Bruno collection (.bru,"
        + " OpenCollection), an Insomnia file (4, 5), an Arazzo file (1.0, 1.1) with the descriptions of APIs"
        + " beside it, a HAR recording or a curl command, with files"
        + " of environments. Of a folder, it reads the files that it knows. The content decides"
        + " what a file is. The workflow goes to stdout, and the report to stderr: what was translated, what is"
        + " approximated, and what was refused, each with its line. If anything was refused, no"
        + " workflow is written unless --partial is given.",
      "Scripts are never executed: known patterns become extractors and expectations. Credentials"
        + " become secret inputs, and their values are not kept. The steps run in the order of the"
        + " file.",
      "Of a HAR recording, values of responses that later requests send become references. The"
        + " workflow is replayed against the recording to prove them. Two recordings of the same"
        + " show which other values are inputs.",
    ],
    examples: [
      Example(
        line:
          "pipeline import shop.postman_collection.json dev.json > shop.json",
        meaning: "A collection with an environment"),
      Example(
        line: "pipeline import postman/collections/Shop postman/environments > shop.json",
        meaning: "The folder of a collection with its environments"),
      Example(
        line: "pipeline import --explain shop.har > shop.json",
        meaning: "A recording of a browser, with the origin of each value"),
      Example(
        line: "pipeline import api.http --relax -o api.json",
        meaning: "Requests that do not read each other's answers run at the same time"),
    ])

  init(_ arguments: inout Arguments) {
    paths = arguments.operands(
      "FILE", .file(ending: nil), help: "What to import: files or folders; '-' is stdin")
    output = arguments.output(
      .file(ending: ".json"),
      help: "Write the workflow to FILE, which must not exist yet")
    isRelaxed = arguments.flag(
      "relax", help: "Order the steps only by the values that they read, not as in the file")
    isPartial = arguments.flag(
      "partial", help: "Write the workflow even if something was refused")
    workflowID = arguments.value(
      "workflow", "ID", .any,
      help: "Of an Arazzo file with several workflows: the one to import")
    explains = arguments.flag(
      "explain", help: "Of a recording: show where each value comes from, with the evidence")
    writesTests = arguments.flag(
      "tests",
      help: "Also write a test beside FILE, of a recording with its responses; needs --output")
    format =
      arguments.choice(
        "format", "FORMAT",
        help: "text, or json: one object with the workflow and the report, on stdout") ?? .text
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    guard !paths.isEmpty else {
      console.complain("there is nothing to import: pipeline import FILE")
      return .usage
    }
    if writesTests, output == nil {
      console.complain(
        "--tests needs --output, because it writes further files beside the workflow")
      return .usage
    }
    do {
      let input = paths.contains(bytes: "-") ? try console.files.readInput(Self.sizeLimit) : []
      var contents: [String: [UInt8]] = [:]
      if let importer = try recording(console.files, input: input, &contents) {
        return try await finish(await TrafficSession(importer), console)
      }
      var files: [Importer.File] = []
      for path in paths {
        if case .folder? = try? console.files.kind(path) {
          let found = try Self.files(in: path, console.files)
          guard !found.isEmpty else {
            throw Importer.Problem(
              file: path, message: "there is no file in this folder that import reads")
          }
          files += found
          continue
        }
        let bytes =
          path == "-" ? input : try contents[path] ?? console.files.read(path, Self.sizeLimit)
        files.append(.init(name: path, bytes: bytes))
      }
      guard !files.isEmpty else {
        throw PathProblem(
          path: paths[0],
          reason: "no file in it ends in "
            + Self.endings.dropLast().map { "'\($0)'" }.joined(separator: ", ")
            + " or '\(Self.endings.last ?? "")'")
      }
      if files.count == 1, !files[0].isFound, let text = Self.curl(files[0]) {
        return try finish(commands: text, of: files[0].name, console)
      }
      var importer = Importer(isRelaxed: isRelaxed, readCommands: CurlRequests.read)
      let workflow =
        try importer.arazzoWorkflow(of: files, chosen: workflowID, load: beside(console.files))
        ?? importer.workflow(of: files)
      let test: Result<ImportedTest, ImportedTest.Absence>?
      do throws(ImportedTest.Absence) {
        test =
          writesTests ? .success(try await ImportedTest(of: workflow, importer.answers)) : nil
      } catch {
        test = .failure(error)
      }
      return try finish(
        WorkflowLayout.text(of: workflow.node), importer.report, console, test: test)
    } catch let problem as Importer.Problem {
      console.complain("cannot import '\(problem.file)': \(problem.message)")
    } catch let problem as PathProblem {
      console.complain("cannot import '\(problem.path)': \(problem.reason)")
    } catch let problem as ShellWords.Problem {
      console.complain(
        "cannot import '\(paths[0])': the curl command cannot be read: \(problem.message)")
    } catch {
      console.complain("cannot import '\(paths[0])': \(error)")
    }
    return .usage
  }

  /// Reads files in the folder of the first file, and follows no links.
  private func beside(_ files: FileSystem) -> @Sendable (String) -> [UInt8]? {
    let folder = paths[0].lastIndex(ascii: "/").map { String(paths[0][...$0]) } ?? ""
    return { path in
      // A link may lead out of the folder.
      var part = folder
      for name in path.split(ascii: "/") {
        part += (part.isEmpty || part.hasSuffix(bytes: "/") ? "" : "/") + name
        if files.isLink(part) { return nil }
      }
      return try? files.readFile(folder + path, Self.sizeLimit)
    }
  }

  private static let endings = [".bru", ".yml", ".yaml", ".json", ".http", ".rest", ".hurl"]
  private static let fileLimit = 10_000

  /// The files in a folder that may belong to a collection.
  private static func files(
    in folder: String, _ files: FileSystem
  ) throws -> [Importer.File] {
    var found: [Importer.File] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      for name in try files.names(folder) {
        let path = folder.hasSuffix(bytes: "/") ? folder + name : folder + "/" + name
        let isHidden = name.hasPrefix(bytes: ".") && !name.equals(bytes: ".resources")
        guard !isHidden, !name.equals(bytes: "node_modules"), !files.isLink(path) else { continue }
        switch try files.kind(path) {
        case .folder: folders.append(path)
        case .file where endings.contains { name.hasSuffix(bytes: $0) }:
          guard found.count < fileLimit else {
            throw Importer.Problem(
              file: folder, message: "it has more than \(fileLimit) files; name those to import")
          }
          found.append(
            .init(name: path, bytes: try files.readFile(path, sizeLimit), isFound: true))
        default: break
        }
      }
    }
    return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The text of a file that is a curl command.
  private static func curl(_ file: Importer.File) -> String? {
    let text = String(decoding: file.bytes, as: UTF8.self)
    return ForeignKind(ofText: text) == .curl ? text : nil
  }

  /// The importer of one or two recordings; `nil` if the files are others.
  ///
  /// A file that begins as a recording is never read as a whole, because it may be large.
  ///
  /// - Parameters:
  ///   - input: What stdin gave.
  ///   - contents: Gets the other files that had to be read as a whole, by their paths.
  private func recording(
    _ files: FileSystem, input: [UInt8], _ contents: inout [String: [UInt8]]
  ) throws -> TrafficImporter? {
    var sources: [any RecordingSource] = []
    for path in paths {
      if path == "-" {
        if Importer.isRecording(input) { sources.append(MemoryRecording(input)) }
        continue
      }
      guard case .file? = try? files.kind(path) else { continue }
      let file = try RecordingFile(path: path)
      let start = try file.read(0..<min(file.size, 1 << 16))
      if ForeignKind.beginsRecording(start) {
        sources.append(file)
      } else if file.size <= Self.sizeLimit {
        let bytes = try file.read(0..<file.size)
        if Importer.isRecording(bytes) {
          sources.append(MemoryRecording(bytes))
        } else {
          contents[path] = bytes
        }
      }
    }
    guard let first = sources.first else { return nil }
    guard sources.count == paths.count, sources.count <= 2 else {
      throw Importer.Problem(
        file: paths[0],
        message: "it is a HAR recording, which is imported alone or with a second recording of the"
          + " same")
    }
    return try TrafficImporter(
      file: paths[0], first, second: sources.count > 1 ? sources[1] : nil, isRelaxed: isRelaxed)
  }

  /// The workflow of curl commands: a step for each.
  private func finish(
    commands text: String, of file: String, _ console: Console
  ) throws -> ExitStatus {
    let read = try ShellWords.commands(in: text).flatMap { line, words in
      try CurlCommand.requests(words).map { (line: line, command: $0) }
    }
    guard read.count > 1 || read.contains(where: { !CurlBody($0.command).refusals.isEmpty }) else {
      let workflow = try NewCommand.workflow(of: text, console)
      return try finish(workflow, ImportReport(translated: 1), console)
    }
    var report = ImportReport()
    report.file = file
    let requests = CurlRequests(read, report)
    var importer = Importer(isRelaxed: isRelaxed, readCommands: CurlRequests.read)
    importer.report = requests.report
    let workflow = importer.workflow(of: requests.requests)
    return try finish(WorkflowLayout.text(of: workflow.node), importer.report, console)
  }

  private func finish(
    _ session: TrafficSession, _ console: Console
  ) async throws(PathProblem) -> ExitStatus {
    if explains, format == .text {
      for line in session.result.edges.flatMap(\.lines) { console.error.write(line: line) }
    }
    let workflow = WorkflowLayout.text(of: session.result.workflow.node)
    // A recording may be large, so it waits on the disk.
    let spool: any RecordingSpool
    do throws(RecordingProblem) {
      spool =
        try (writesTests ? output : nil).map { path throws(RecordingProblem) in
          try FileSpool(folder: PathText.folder(of: path))
        } ?? MemorySpool()
    } catch {
      throw PathProblem(path: output ?? "", reason: error.message)
    }
    let test: Result<ImportedTest, ImportedTest.Absence>?
    do throws(ImportedTest.Absence) {
      test =
        writesTests
        ? .success(try await ImportedTest(of: session, spool: spool)) : nil
    } catch {
      test = .failure(error)
    }
    return try finish(
      workflow, session.report, console, lines: session.lines, members: session.members,
      test: test)
  }

  private func finish(
    _ workflow: [UInt8], _ report: ImportReport, _ console: Console, lines: [String] = [],
    members more: [JSONValue.Member] = [],
    test: Result<ImportedTest, ImportedTest.Absence>? = nil
  ) throws(PathProblem) -> ExitStatus {
    var report = report
    report.refuseErrors(in: workflow)
    let isWritten = isPartial || report.refused.isEmpty
    if format == .json {
      var members = report.members + more
      if isWritten, let document = try? JSONDocument.parse(workflow) {
        members.insert(.init("workflow", JSONValue(document.root)), at: 0)
      }
      console.json.write(JSONValue.object(members).node.text + "\n")
    } else {
      report.write(to: console)
      for line in lines { console.error.write(line: line) }
      if isWritten, output == nil { console.json.write(workflow) }
    }
    if isWritten, let output {
      let names = TestNames(beside: output)
      let found = try? test?.get()
      let further = found.map { ($0.hasRecording ? [names.recording] : []) + [names.test] } ?? []
      // Nothing is written if one of them is there.
      for path in further
      where console.files.isLink(path) || (try? console.files.kind(path)) != nil {
        throw PathProblem(
          path: path,
          reason: "it exists, and import never overwrites a file; choose another name for --output")
      }
      try NewFile.create(output, workflow, by: "import")
      if let found { try Self.write(found, names) }
      if !further.isEmpty {
        console.error.write(line: "wrote " + ([output] + further).joined(separator: ", "))
      }
    }
    if case .failure(let absence)? = test {
      console.error.write(line: "no test is written: \(absence.reason)")
    }
    if !isWritten {
      console.error.write(
        line: "Nothing is written, because something was refused; --partial writes the rest.")
    }
    return report.refused.isEmpty || isPartial ? .success : .failure
  }
}

extension ImportCommand {
  /// The names of the files beside a workflow: `shop.test.json` and `shop.har` for `shop.json`.
  private struct TestNames {
    let workflow: String
    let test: String
    let recording: String

    init(beside workflow: String) {
      self.workflow = workflow
      let base =
        workflow.hasSuffix(bytes: ".json")
        ? String(workflow.dropLast(bytes: ".json".utf8.count)) : workflow
      test = base + ".test.json"
      recording = base + ".har"
    }
  }

  private static func write(
    _ test: ImportedTest, _ names: TestNames
  ) throws(PathProblem) {
    func name(_ path: String) -> String {
      path.lastIndex(ascii: "/").map { String(path[$0...].dropFirst(bytes: 1)) } ?? path
    }
    if test.hasRecording {
      try NewFile.create(names.recording, by: "import") { sink throws(PathProblem) in
        do throws(RecordingProblem) {
          try test.writeRecording(to: sink)
        } catch {
          throw PathProblem(path: names.recording, reason: error.message)
        }
      }
    }
    let text = test.file(workflow: name(names.workflow), recording: name(names.recording))
    try NewFile.create(names.test, text, by: "import")
  }
}

extension ImportReport {
  /// Writes each entry and the summary to stderr.
  func write(to console: Console) {
    for (word, entries) in [("approximated", approximated), ("refused", refused)] {
      for entry in entries {
        console.error.write(line: "\(entry.file):\(entry.line): \(word): \(entry.message)")
      }
    }
    console.error.write(line: summary)
  }
}

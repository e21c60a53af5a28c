internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineSourceText
internal import SQLiteJournals

/// What is known of the workflows and tests of a folder, as JSON for the page.
struct FolderListing: Sendable {
  /// As the user gave it.
  let folder: String
  /// From the root, without links.
  let root: String
  let files: FileSystem
  let clock: any RunClock
  let store: RunStore?
  private let known = ListedFiles()

  /// What the folder is at one moment.
  struct Content: Sendable {
    /// As the page gets it.
    let json: [UInt8]
    /// The paths of the files from the folder.
    let paths: [String]
    /// The test files of each workflow, and the recordings that these replay: paths from the folder,
    /// by that of the workflow.
    var tests: [ExactText: [String]] = [:]
    var recordings: [ExactText: [String]] = [:]
  }

  /// - Throws: `PathProblem`, if it is not a folder.
  init(
    _ folder: String, files: FileSystem, clock: any RunClock, store: RunStore?
  ) throws(PathProblem) {
    guard try files.kind(folder) == .folder, let root = realPath(of: folder) else {
      throw PathProblem(path: folder, reason: "it is not a folder")
    }
    self.folder = folder
    self.root = root
    self.files = files
    self.clock = clock
    self.store = store
  }

  /// The folder now.
  ///
  /// - Complexity: That of reading the files and the summaries of the runs, and of linting the files
  ///   that have changed since the last time.
  func read(isReadOnly: Bool) -> Content {
    let now = clock.wallTime
    let runs = newestRuns
    let log = PathLog()
    let editing = EditingFolder(EditedFiles(files: log.noting(files)), .utf8)
    var (items, problems): ([JSONValue], [JSONValue]) = ([], [])
    var (paths, names): ([String], [String]) = ([], [])
    var (tests, recordings): ([ExactText: [String]], [ExactText: [String]]) = ([:], [:])
    for result in WorkflowFiles(files: files, kinds: [.workflows, .tests]).read([root]) {
      switch result {
      case .failure(let problem):
        // An empty folder is not a problem.
        if problem.path != root {
          problems.append(.string("\(relative(problem.path)): \(problem.reason)"))
        }
      case .success(let file):
        // A link may lead out of the folder. What is there was not opened.
        guard let real = realPath(of: file.name), isInside(real) else { continue }
        let path = relative(file.name)
        let item = item(of: file, editing, log)
        items.append(.object(item.members + Self.members(of: runs[ExactText(real)], at: now)))
        if let workflow = item.workflow {
          tests[ExactText(workflow), default: []].append(path)
          recordings[ExactText(workflow), default: []] += item.recordings
        }
        paths.append(path)
        names.append(file.name)
      }
    }
    known.keep(only: names)
    let name = root.split(ascii: "/").last.map { String($0) } ?? "/"
    let listing: JSONValue = [
      "name": .string(name), "folder": .string(root), "files": .array(items),
      "problems": .array(problems), "isReadOnly": .boolean(isReadOnly),
    ]
    return Content(
      json: Array(listing.node.text.utf8), paths: paths, tests: tests, recordings: recordings)
  }

  private func item(
    of file: SourceFile, _ editing: EditingFolder, _ log: PathLog
  ) -> ListedFiles.Item {
    let isDescribed = file.bytes.contains(subsequence: Array("\"api\"".utf8))
    return known.item(of: file.name, isDescribed: isDescribed, log) { made(of: file, editing) }
  }

  private func made(
    of file: SourceFile, _ editing: EditingFolder
  ) -> (ListedFiles.Item, mayBeKept: Bool) {
    let analysis = editing.analysis(ofFile: file)
    let document = analysis.document.root
    let isTest = document["tests"] != nil && file.name.hasSuffix(bytes: ".test.json")
    let kind = isTest ? "tests" : WorkflowText(file).isBase ? "base" : "workflow"
    var members: [JSONValue.Member] = [
      .init("path", .string(relative(file.name))), .init("kind", .string(kind)),
      .init("name", .string(document["name"]?.string ?? "")),
      .init("description", .string(document["description"]?.string ?? "")),
      .init("tests", JSONValue(document["tests"]?.elements.reduce(0) { sum, _ in sum + 1 } ?? 0)),
      .init("findings", .array(analysis.findings.map { Self.finding($0, in: file) })),
    ]
    var item: ListedFiles.Item
    if isTest {
      let workflow = document["workflow"]?.string.flatMap { inner($0, beside: file.name) }
      members.append(.init("of", workflow.map { .string($0) } ?? .null))
      item = ListedFiles.Item(members: members, workflow: workflow)
      item.recordings = (document["tests"].map { Array($0.elements) } ?? []).compactMap {
        $0["replay"]?.string.flatMap { inner($0, beside: file.name) }
      }
    } else {
      item = ListedFiles.Item(members: members)
    }
    return (item, !analysis.findings.contains { $0.severity == .error })
  }

  /// The path from the folder of a file that another one names; `nil` if it is not in the folder.
  private func inner(_ path: String, beside file: String) -> String? {
    realPath(of: PathText.path(path, beside: file)).flatMap { isInside($0) ? relative($0) : nil }
  }

  private static func members(of run: StoredRun?, at now: Double) -> [JSONValue.Member] {
    guard let run else { return [] }
    return [
      .init(
        "run",
        [
          "id": .string(run.id), "status": .string(run.status.rawValue),
          "age": .string(run.age(at: now)), "failed": JSONValue(run.failed ?? 0),
          "inDoubt": JSONValue(run.inDoubt ?? 0),
        ])
    ]
  }

  private static func finding(_ finding: Diagnostic, in file: SourceFile) -> JSONValue {
    let position = file.position(at: finding.range.lowerBound)
    return [
      "severity": .string(finding.severity.rawValue), "code": .string(finding.code),
      "message": .string(finding.message), "line": JSONValue(position.line),
      "column": JSONValue(position.column),
      "fix": finding.fix.map { .string($0.message) } ?? .null,
    ]
  }

  /// The newest run of each file, by its path from the root.
  private var newestRuns: [ExactText: StoredRun] {
    var newest: [ExactText: StoredRun] = [:]
    for run in store?.summaries ?? [] {
      guard let path = run.path.map({ ExactText($0) }) else { continue }
      if newest[path].map({ $0.startedAt < run.startedAt }) ?? true { newest[path] = run }
    }
    // The process of a run that was interrupted has died, and its journal knows what is in doubt.
    return newest.mapValues { run in
      run.status == .interrupted && run.inDoubt == nil ? store?.run(id: run.id) ?? run : run
    }
  }

  // MARK: Paths

  private var prefix: String { root == "/" ? "/" : root + "/" }

  /// The place of a file of the folder; `nil` if a link in the folder leads out of it, or there is
  /// no such file.
  func place(of path: String) -> String? {
    let place = prefix + path
    guard let real = realPath(of: place), isInside(real) else { return nil }
    return place
  }

  func isInside(_ path: String) -> Bool { path.hasPrefix(bytes: prefix) }

  /// A path from the folder, or as it is if it leads elsewhere.
  func relative(_ path: String) -> String {
    isInside(path) ? String(path.dropFirst(bytes: prefix.utf8.count)) : path
  }
}

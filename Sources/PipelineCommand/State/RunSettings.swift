internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import SQLiteJournals

/// The settings of a run, other than its inputs, from the command line of its first process.
struct RunSettings: Sendable {
  /// The workflow's file.
  var file: String
  /// Further folders that may be read.
  var allowed: [String]
  /// Where files are saved.
  var output: String
  var concurrency: Int?
  var environment: String?
  /// The file of the workflow's state, if the command line names one.
  var stateFile: String?
  /// The state that the run was given; `nil` if it begins with this process.
  var state: [String: JSONValue]?
  /// The port of the sandbox; 0: any.
  var sandboxPort: UInt16 = 0
  /// Whether the run begins with this process.
  let isNew: Bool
  /// The file for each of whose rows the workflow is run; `nil` if it is run once.
  var each: String?
  /// The part of the run that this process carries out; `nil` for all of it.
  var part: RunPart?
  /// Where rows go, apart from the console.
  var sinks: [SinkRequest] = []

  /// Whether the process prints the workflow's outputs.
  var givesOutputs: Bool {
    if case .step? = part?.work { false } else { true }
  }

  /// The settings of a new run.
  init(
    file: String, allowed: [String], output: String, concurrency: Int?, environment: String?,
    stateFile: String?, each: String?
  ) {
    isNew = true
    self.each = each
    self.file = file
    self.allowed = allowed
    self.output = output
    self.concurrency = concurrency
    self.environment = environment
    self.stateFile = stateFile
  }

  /// The settings of a part of a run.
  ///
  /// - Parameter record: The facts that all parts have in common.
  init(
    file: String, allowed: [String], output: String, stateFile: String?, each: String?,
    part: RunPart, of record: RunRecord
  ) {
    isNew = false
    self.each = each
    self.file = file
    self.allowed = allowed
    self.output = output
    self.stateFile = stateFile
    self.part = part
    environment = record.environment
    state = record.state
  }

  /// The files that the run may reach.
  ///
  /// - Throws: `FileError` if a folder cannot be used.
  func files(of workflow: Workflow) throws(FileError) -> FolderFiles {
    let files = try FolderFiles(
      workflow: workflow.source.name, allowing: allowed, output: output, hint: "; see --allow-dir")
    guard let each else { return files }
    return try files.reading(alsoFile: each)
  }

  // MARK: In a journal

  /// As a journal keeps them.
  var details: [String: String] {
    var details = [
      "folder": WorkflowPath.currentFolder, "path": file, "outputDir": output,
      "sandboxPort": String(sandboxPort),
      "allowDirs": JSONValue.array(allowed.map { .string($0) }).node.text,
    ]
    details["stateFile"] = stateFile
    details["each"] = each
    if !sinks.isEmpty {
      details["sinks"] = JSONValue.array(sinks.map { .string($0.kept) }).node.text
    }
    details["concurrency"] = concurrency.map { String($0) }
    return details
  }

  /// The settings of a run's first process. Paths are changed so that they lead to the same places
  /// from here.
  ///
  /// - Parameters:
  ///   - record: The journal's record of the run.
  ///   - detail: Looks up what the journal keeps.
  init(_ record: RunRecord?, detail: (String) throws -> String?) rethrows {
    isNew = false
    let folder = try detail("folder") ?? ""
    let isHere = folder.equals(bytes: WorkflowPath.currentFolder)
    func place(_ path: String) -> String {
      isHere || path.hasPrefix(bytes: "/") || path == "-" ? path : folder + "/" + path
    }
    file = place(try detail("path") ?? "")
    output = place(try detail("outputDir") ?? ".")
    let list = try detail("allowDirs").flatMap { try? JSONDocument.parse(Array($0.utf8)).root }
    let sinkList = try detail("sinks").flatMap { try? JSONDocument.parse(Array($0.utf8)).root }
    sinks =
      sinkList?.elements.compactMap(\.string)
      .compactMap { SinkRequest(kept: $0, place: place) } ?? []
    allowed = list?.elements.compactMap(\.string).map(place) ?? []
    stateFile = try detail("stateFile").map(place)
    each = try detail("each").map(place)
    environment = record?.environment
    state = record?.state
    concurrency = try detail("concurrency").flatMap { Int($0) }
    sandboxPort = try detail("sandboxPort").flatMap { UInt16($0) } ?? 0
  }

  /// Has later processes of the run read the same file.
  func keepFile(in journal: SQLiteJournal) throws(JournalError) {
    try journal.set("path", to: WorkflowPath.absolute(file))
  }
}

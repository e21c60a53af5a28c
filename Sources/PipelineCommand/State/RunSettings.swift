internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import SQLiteJournals

/// The settings of a run besides its inputs, from the command line of its first process.
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
  /// The state that the run was given; `nil`: it begins with this process.
  var state: [String: JSONValue]?
  /// The port of the sandbox; 0: any.
  var sandboxPort: UInt16 = 0
  /// Whether the run begins with this process.
  let isNew: Bool
  /// The part of the run that this process carries out; `nil`: all of it.
  var part: RunPart?
  /// Where rows go besides the console.
  var sinks: [SinkRequest] = []

  /// Whether the process prints the workflow's outputs.
  var givesOutputs: Bool {
    if case .step? = part?.work { false } else { true }
  }

  /// Those of a new run.
  init(
    file: String, allowed: [String], output: String, concurrency: Int?, environment: String?,
    stateFile: String?
  ) {
    isNew = true
    self.file = file
    self.allowed = allowed
    self.output = output
    self.concurrency = concurrency
    self.environment = environment
    self.stateFile = stateFile
  }

  /// Those of a part of a run.
  ///
  /// - Parameter record: The facts that all parts have in common.
  init(
    file: String, allowed: [String], output: String, stateFile: String?, part: RunPart,
    of record: RunRecord
  ) {
    isNew = false
    self.file = file
    self.allowed = allowed
    self.output = output
    self.stateFile = stateFile
    self.part = part
    environment = record.environment
    state = record.state
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
    environment = record?.environment
    state = record?.state
    concurrency = try detail("concurrency").flatMap { Int($0) }
    sandboxPort = try detail("sandboxPort").flatMap { UInt16($0) } ?? 0
  }

  /// Has later processes of the run read the same file.
  func keepFile(in journal: SQLiteJournal) throws(JournalError) {
    try journal.set(
      "path", to: file.hasPrefix(bytes: "/") ? file : WorkflowPath.currentFolder + "/" + file)
  }
}

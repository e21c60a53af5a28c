internal import PipelineByteText
internal import PipelineKit
internal import PipelineReports
internal import SQLiteJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// `pipeline report`: a report of a run, as far as it has come.
struct ReportCommand: ComputedCommand {
  private let source: String
  private let kind: ReportKind
  private let output: String?
  private let storeOptions: StoreOptions

  static let page = CommandPage(
    name: "report",
    summary: "Report a run for people or other tools",
    discussion: [
      "Reads a run that is kept, or a file that 'run --events' wrote. 'run --report' makes the same"
        + " reports when the run ends. A run that was resumed is reported with all its processes."
    ],
    examples: [
      Example(
        line: "pipeline report k3f9 junit -o run.xml", meaning: "A kept run, for a build server"),
      Example(
        line: "pipeline report events.jsonl markdown", meaning: "A file of events, as Markdown"),
    ])

  init(_ arguments: inout Arguments) {
    source = arguments.operand(
      "RUN|EVENTS", .run, help: "The run's id, or the beginning of it, or a file of events")
    kind = arguments.choiceOperand("KIND", help: "The kind of the report") ?? .markdown
    output = arguments.output(
      .file(ending: nil),
      help: "Write the report to FILE, whole or not at all, instead of stdout")
    storeOptions = StoreOptions(needed: &arguments)
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    do {
      let file = try output.map { try AtomicFile(path: $0) }
      guard let trace = try trace(in: program) else { return .failure }
      let text = kind.text(of: trace, in: program.reportSurroundings)
      if let file {
        try file.write(Array(text.utf8))
      } else {
        console.data.write(text)
      }
      return .success
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .failure
    } catch {
      return console.complain(of: error)
    }
  }

  /// The trace of the named run; `nil` if there is none, which is then reported.
  private func trace(in program: Program) throws -> RunTrace? {
    let console = program.console
    if var reader = Self.reader(of: source) {
      if let trace = reader.finish() { return trace }
      console.complain("'\(source)' holds no events; 'pipeline run --events FILE' writes some")
      return nil
    }
    let store = try RunStore.of(storeOptions, console)
    guard let stored = store.find(source, console) else { return nil }
    let time = stored.status == .running ? program.clock.wallTime : nil
    guard let trace = store.runTrace(of: stored.id, at: time) else {
      console.complain(
        "nothing that run '\(store.shortID(of: stored.id))' did was kept for reports;"
          + " 'pipeline runs show' says what is known")
      return nil
    }
    return stored.status == .running ? trace.goingOn : trace
  }

  /// Reads a file of events, and returns the reader; `nil` if the file does not exist.
  private static func reader(of path: String) -> EventsReader? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var reader = EventsReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count > 0 {
        reader.read(buffer[..<count])
      } else if count == 0 || errno != EINTR {
        return reader
      }
    }
  }
}

extension ReportKind: WordChoice {}

internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineSinks
internal import PipelineSourceText

/// The sinks of a run, found usable before anything is sent.
struct RunSinks: Sendable {
  private struct Sink: Sendable {
    let request: SinkRequest
    let source: RowSource
    /// `nil` for stdout.
    let file: AtomicFile?
    let spool: RowSpool

    /// Whether the rows are known only when the run has ended: those of an output, or of a step
    /// with pages that recovered, or whose rows have other readers.
    var isReadAtEnd: Bool {
      switch source {
      case .output: true
      case .pages: spool.count == nil
      case .collection: false
      }
    }
  }

  private let sinks: [Sink]
  /// The names of the outputs that go to sinks, and are not printed.
  let outputs: Set<String>
  /// The collections that are read during the run.
  let taps: [RowTap]

  /// Whether a sink takes stdout, so that nothing else is printed there.
  var takeStandardOutput: Bool { sinks.contains { $0.file == nil } }

  /// Whether the workflow has outputs, and all of them go to sinks.
  let takeAll: Bool

  /// Whether the outputs of a workflow are left for stdout as if there were no sinks.
  var leaveOutputs: Bool { outputs.isEmpty && !takeStandardOutput }

  init(
    _ requests: [SinkRequest], of plan: Plan, environment: [String: String],
    contracts: [RowContract]
  ) throws(UsageError) {
    var sinks: [Sink] = []
    var taps: [RowTap] = []
    var outputs: Set<String> = []
    for request in requests {
      let source = try Self.source(of: request, in: plan)
      let file = try Self.file(of: request)
      let spool: RowSpool
      do throws(RecordingProblem) {
        spool = try RowSpool(folder: Self.spoolFolder(file, environment))
      } catch {
        throw UsageError(message: "'\(request.target.path)' \(error.message)")
      }
      switch source {
      case .output(let output), .collection(_, let output?, _), .pages(_, _, let output, _):
        outputs.insert((plan.workflow.block.outputs ?? [])[output].name)
      case .collection(_, nil, _): break
      }
      let contract = contracts.first { $0.name.equals(bytes: request.name) }
      if let tap = RowTap(
        of: source, in: plan, contract: contract, receive: { spool.receive($0) })
      {
        taps.append(tap)
      }
      sinks.append(Sink(request: request, source: source, file: file, spool: spool))
    }
    self.sinks = sinks
    self.taps = taps
    self.outputs = outputs
    let declared = plan.workflow.block.outputs ?? []
    takeAll = !declared.isEmpty && declared.allSatisfy { outputs.contains($0.name) }
  }

  /// Where rows wait: beside the file that they go to, if it is one.
  private static func spoolFolder(
    _ file: AtomicFile?, _ environment: [String: String]
  ) -> String {
    if let file, !file.isSpecial { return PathText.folder(of: file.target) }
    return environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  private static func source(
    of request: SinkRequest, in plan: Plan
  ) throws(UsageError) -> RowSource {
    if let source = plan.rowSource(named: request.name) { return source }
    let file = plan.workflow.source.name
    let steps = plan.root.steps.map(\.step)
    if steps.contains(where: { $0.id.value.equals(bytes: request.name) }) {
      throw UsageError(
        message: "--sink \(request.name): the step has no 'forEach', so it has no rows; name an"
          + " output that is a list")
    }
    let names =
      (plan.workflow.block.outputs ?? []).map(\.name)
      + steps.filter { $0.forEach != nil }.map(\.id.value)
    let meant = Spelling.didYouMean(request.name, among: names)
    throw UsageError(
      message: "--sink \(request.name): '\(file)' has no output, and no step with 'forEach', of"
        + " that name" + (meant.isEmpty && !names.isEmpty ? "; it has \(list(names))" : meant))
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(10).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 10 ? ", …" : "")
  }

  /// The file that a sink writes; `nil` for stdout.
  private static func file(of request: SinkRequest) throws(UsageError) -> AtomicFile? {
    if request.target.isStandardOutput { return nil }
    do throws(PathProblem) {
      let file = try AtomicFile(path: request.target.path)
      if request.target.form == .sqlite {
        if file.isSpecial { throw PathProblem(path: file.path, reason: "it is a device or a pipe") }
        if let problem = SQLiteTable.problem(with: file.target, exists: file.exists) {
          throw PathProblem(path: file.path, reason: problem.message)
        }
      }
      return file
    } catch {
      throw UsageError(message: "cannot write '\(error.path)': \(error.reason)")
    }
  }

  // MARK: The end of a run

  /// Writes the rows of a run that has succeeded, each target whole or not at all.
  ///
  /// - Returns: Whether all of them are written.
  func deliver(
    _ outputs: Outputs, _ console: Console, isQuiet: Bool, unless interruption: Interruption
  ) -> Bool {
    var isWell = true
    for sink in sinks where !interruption.isRaised {
      do throws(TableProblem) {
        guard try fill(sink, outputs) else {
          if !isQuiet {
            console.error.write(
              line:
                "note: '\(sink.request.target.path)' is left as it is: '\(sink.request.name)' has no"
                + " value in this run")
          }
          continue
        }
        try write(sink, console, interruption)
        guard !isQuiet, !interruption.isRaised, sink.file != nil, let count = sink.spool.count
        else {
          continue
        }
        console.error.write(line: "wrote \(count.counting("row")) to \(sink.request.target.path)")
      } catch {
        console.complain("cannot write '\(sink.request.target.path)': \(error.message)")
        isWell = false
      }
    }
    return isWell
  }

  /// Puts the rows of a sink into its spool. Returns `false` if there is no list.
  private func fill(_ sink: Sink, _ outputs: Outputs) throws(TableProblem) -> Bool {
    if sink.isReadAtEnd {
      guard let output = outputs.output(named: sink.request.name) else { return false }
      guard output.isList else {
        throw TableProblem(
          "output '\(sink.request.name)' is not a list, so it has no rows; --output takes any value"
        )
      }
      sink.spool.fill(with: output.elements)
    }
    if let problem = sink.spool.problem { throw TableProblem(problem.reason) }
    return sink.spool.count != nil
  }

  private func write(
    _ sink: Sink, _ console: Console, _ interruption: Interruption
  ) throws(TableProblem) {
    if sink.request.target.form == .sqlite {
      return try load(sink, interruption)
    }
    guard let file = sink.file else {
      return try writeText(of: sink, interruption) { console.data.write($0) }
    }
    var problem: TableProblem?
    do throws(PathProblem) {
      try file.write(
        unless: { interruption.isRaised || problem != nil },
        { output in
          do throws(TableProblem) {
            try writeText(of: sink, interruption, to: output)
          } catch {
            problem = error
          }
        })
    } catch {
      problem = TableProblem(error.reason)
    }
    if let problem { throw problem }
  }

  /// Writes the rows as text, one piece after the other.
  private func writeText(
    of sink: Sink, _ interruption: Interruption, to output: ([UInt8]) -> Void
  ) throws(TableProblem) {
    var bytes: [UInt8] = []
    func handOn(atLeast count: Int = 1 << 16) {
      guard bytes.count >= count else { return }
      output(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    switch sink.request.target.form {
    case .ndjson:
      try sink.spool.forEachPiece { piece throws(TableProblem) in
        if !interruption.isRaised { output(piece) }
      }
    case .csv, .tsv:
      var table = SeparatedValues(
        sink.request.target.form == .csv ? .csv : .tsv, try columns(of: sink))
      table.writeHeader(to: &bytes)
      try sink.spool.forEachRow { row throws(TableProblem) in
        if interruption.isRaised { return }
        table.write(row, to: &bytes)
        handOn()
      }
      handOn(atLeast: 1)
    case .singer:
      let messages = SingerMessages(
        stream: sink.request.tableName, key: sink.request.target.key)
      var writer = JSONWriter()
      messages.writeSchema(try columns(of: sink), to: &writer)
      try sink.spool.forEachRow { row throws(TableProblem) in
        if interruption.isRaised { return }
        messages.writeRecord(row, to: &writer)
        if writer.bytes.count >= 1 << 16 { writer.handOn(to: output) }
      }
      writer.handOn(to: output)
    case .sqlite: break
    }
  }

  private func columns(of sink: Sink) throws(TableProblem) -> Columns {
    var columns = Columns()
    try sink.spool.forEachRow { row throws(TableProblem) in try columns.learn(row) }
    return columns
  }

  private func load(_ sink: Sink, _ interruption: Interruption) throws(TableProblem) {
    guard let file = sink.file else { return }
    let isNew = !file.exists
    do throws(TableProblem) {
      let table = try SQLiteTable(
        path: file.target, name: sink.request.tableName, key: sink.request.target.key)
      try table.load(try columns(of: sink)) { body throws(TableProblem) in
        try sink.spool.forEachRow { row throws(TableProblem) in
          if interruption.isRaised { throw TableProblem("the run was interrupted") }
          try body(row)
        }
      }
    } catch {
      if isNew { file.remove() }
      throw error
    }
  }
}

internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineJournals
internal import PipelineTransports

extension JournalFile {
  /// The run with all of its processes that have ended; `nil` if it has not begun.
  ///
  /// - Parameter isUnderWay: Whether the last process has not ended.
  func summary(isUnderWay: Bool = false) throws(JournalError) -> StoredRun? {
    guard var run = try self.run().map(StoredRun.init) else { return nil }
    run.path = try workflowPath()
    let processes = isUnderWay ? "WHERE id < (SELECT max(id) FROM processes)" : ""
    try database.forEachRow(
      "SELECT began, status, duration, requests, report FROM processes \(processes) ORDER BY id"
    ) { row in
      run.add(
        began: row.real(0), status: row.textIfPresent(1).flatMap(StoredRun.Status.init),
        duration: row.isNull(2) ? nil : row.real(2), requests: row.isNull(3) ? nil : row.number(3),
        report: try? JSONDocument.parse(row.bytes(4)).root)
      return true
    }
    if isUnderWay {
      try database.forEachRow("SELECT began FROM processes ORDER BY id DESC LIMIT 1") { row in
        run.processStartedAt = FileNumber.seconds(row.real(0))
        return false
      }
      run.status = .running
    } else if run.status == .interrupted {
      run.inDoubt = try sendings().count(where: \.isInDoubt)
    }
    return run
  }

  /// Where the workflow's file is, from the root; `nil` if it is not known, or came from stdin.
  private func workflowPath() throws(JournalError) -> String? {
    guard let path = try value(of: "path"), path != "-" else { return nil }
    if path.hasPrefix(bytes: "/") { return path }
    return try value(of: "folder").map { $0 + "/" + path }
  }

  // MARK: For people

  /// The content of the journal, for people.
  func history() throws(JournalError) -> RunHistory {
    var (processes, inDoubt): (Int, Int?) = (0, nil)
    try database.forEachRow(
      "SELECT id, status IS NULL, report FROM processes ORDER BY id DESC LIMIT 1"
    ) { row in
      guard !row.isNull(0) else { return false }
      processes = row.number(0)
      let report = row.number(1) == 0 ? try? JSONDocument.parse(row.bytes(2)).root : nil
      inDoubt = report?["inDoubt"]?.number?.int
      return false
    }
    let summary: UnitTally.Summary
    if let kept = try value(of: Self.summaryName).flatMap({
      UnitTally.Summary(json: $0, ofProcess: processes)
    }) {
      summary = kept
    } else {
      summary = try countedUnits()
      // The next one who looks does not have to count.
      try? keep(summary, ofProcess: processes)
    }
    return RunHistory(
      processes: try count(of: "processes"), steps: summary.steps, failures: summary.failures,
      doubts: inDoubt == 0 ? [] : try sendings().filter(\.isInDoubt))
  }

  /// Where the run's table has the summary of the units.
  private static let summaryName = "summary"

  func keep(_ summary: UnitTally.Summary, ofProcess process: Int) throws(JournalError) {
    try database.run(
      "INSERT OR REPLACE INTO run VALUES (?, ?)",
      [.text(Self.summaryName), .text(summary.json(ofProcess: process))])
  }

  /// What the last records of all units come to. Reads all of them, once.
  private func countedUnits() throws(JournalError) -> UnitTally.Summary {
    let paths = Dictionary(uniqueKeysWithValues: stepNumbers.map { ($0.value, $0.key) })
    var tally = UnitTally()
    var firsts: [String: Int] = [:]
    var failed: [Int] = []
    // SQLite takes the other columns of a group from the row with the maximum.
    try database.forEachRow(
      "SELECT step, state = 'failed', took, max(id) FROM units GROUP BY step, item"
    ) { row in
      guard let path = paths[row.number(0)] else { return true }
      let (isFailed, id) = (row.number(1) == 1, row.number(3))
      tally.add(step: path, isFailed: isFailed, time: row.number(2))
      firsts[path] = min(id, firsts[path] ?? .max)
      if isFailed { failed.append(id) }
      return true
    }
    for id in failed.sorted().prefix(UnitTally.mostFailures) {
      try database.forEachRow(
        """
        SELECT path, item, NULL, result FROM units JOIN steps ON steps.id = step
        WHERE units.id = ?
        """, [.number(id)]
      ) { row in
        let message = (try? JSONDocument.parse(row.bytes(3)).root)?["message"]?.string ?? ""
        tally.add(failure: message, of: Self.key(row))
        return false
      }
    }
    let summary = tally.summary
    // In the order in which the first of their units ended.
    return UnitTally.Summary(
      steps: summary.steps.sorted { firsts[$0.path] ?? 0 < firsts[$1.path] ?? 0 },
      failures: summary.failures)
  }

  /// Has the units counted again: they change while no process carries the run out.
  func forgetSummary() throws(JournalError) {
    try database.run("DELETE FROM run WHERE name = ?", [.text(Self.summaryName)])
  }

  private func count(of table: String) throws(JournalError) -> Int {
    var count = 0
    try database.forEachRow("SELECT count(*) FROM \(table)") { row in
      count = row.number(0)
      return false
    }
    return count
  }
}

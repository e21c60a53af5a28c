internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

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

  /// The content of the journal, for people.
  func history() throws(JournalError) -> RunHistory {
    // The last record of each unit counts.
    let last = """
      SELECT step, item, state, took, result, id FROM units
      WHERE id IN (SELECT max(id) FROM units GROUP BY step, item)
      """
    struct Tally {
      var path = ""
      var failed = 0
      var times: [Int] = []
      var done = 0
    }
    var tallies: [Int: Tally] = [:]
    var order: [Int] = []
    try database.forEachRow(
      "SELECT step, path, state, took FROM (\(last)) u JOIN steps ON steps.id = step ORDER BY u.id"
    ) { row in
      let step = row.number(0)
      if tallies[step] == nil {
        tallies[step] = Tally(path: row.text(1))
        order.append(step)
      }
      if row.text(2) == "failed" { tallies[step]?.failed += 1 } else { tallies[step]?.done += 1 }
      // The numbers of a file may be any.
      tallies[step]?.times.append(min(max(row.number(3), 0), 1 << 53))
      return true
    }
    var failures: [RunHistory.Failed] = []
    try database.forEachRow(
      """
      SELECT path, item, NULL, result FROM (\(last)) u JOIN steps ON steps.id = step
      WHERE state = 'failed' ORDER BY u.id LIMIT 100
      """
    ) { row in
      let message = (try? JSONDocument.parse(row.bytes(3)).root)?["message"]?.string ?? ""
      failures.append(RunHistory.Failed(unit: Self.key(row).name, message: message))
      return true
    }
    var processes = 0
    try database.forEachRow("SELECT count(*) FROM processes") { row in
      processes = row.number(0)
      return false
    }
    let steps = order.compactMap { tallies[$0] }.map { tally in
      let times = tally.times.sorted()
      let time = { (share: Double) -> Duration in
        .milliseconds(times[min(times.count - 1, Int(Double(times.count) * share))])
      }
      return RunHistory.Step(
        path: tally.path, done: tally.done, failed: tally.failed, median: time(0.5),
        high: time(0.95), longest: .milliseconds(times[times.count - 1]))
    }
    return RunHistory(
      processes: processes, steps: steps, failures: failures,
      doubts: try sendings().filter(\.isInDoubt))
  }
}

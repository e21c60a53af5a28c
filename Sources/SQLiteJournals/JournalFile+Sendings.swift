internal import PipelineByteText
internal import PipelineJournals

// The requests that must not be sent twice, from before they leave.
extension JournalFile {
  /// Whether a row is one of `JournalHistory.sendings`.
  static let isOpen =
    "state IN ('unanswered', 'secret') OR state = 'answered' AND target IS NULL"

  // MARK: Writing

  func write(_ sending: SendingRecord) throws(JournalError) {
    // A new request in place of an old one has no answer yet; else the answer stays.
    if case .unanswered = sending.state, try isKnown(sending.id) {
      try database.run("DELETE FROM sendings WHERE id = ?", [.number(sending.id)])
    }
    row.removeAll()
    row.add(sending.id)
    try addPlace(sending.unit)
    row.add(text: sending.method)
    row.add(text: sending.url)
    row.add(sending.time)
    row.add(text: sending.idempotencyKey)
    row.add(sending.content)
    row.add(text: sending.state.name)
    row.add(sending.state.status)
    row.add(sending.items)
    row.add(sending.around)
    row.add(sending.request)
    row.add(text: sending.item)
    row.add(text: sending.body)
    row.add(sending.process ?? process?.id)
    row.add(sending.isOfCleanUp ? 1 : 0)
    try database.run(statements.addSending, row)
  }

  /// Whether there may be a row for a request. Most are new.
  private func isKnown(_ id: SendingRecord.ID) throws(JournalError) -> Bool {
    let last: SendingRecord.ID
    if let highestSending { last = highestSending } else { last = try lastSending() }
    highestSending = max(last, id)
    return id <= last
  }

  func write(_ state: SendingRecord.State?, of id: SendingRecord.ID) throws(JournalError) {
    guard let state else {
      return try database.run("DELETE FROM sendings WHERE id = ?", [.number(id)])
    }
    if state == .again || state == .done {
      try database.run(
        """
        DELETE FROM units WHERE digest IS NULL AND EXISTS (
          SELECT 1 FROM sendings WHERE id = ? AND sendings.step = units.step
            AND sendings.item IS units.item AND sendings.items IS units.items)
        """, [.number(id)])
    }
    try database.run(
      "UPDATE sendings SET state = ?, status = coalesce(?, status) WHERE id = ?",
      [.text(state.name), state.status.map { .number($0) } ?? .null, .number(id)])
    if state == .secret {
      try database.run(
        "UPDATE sendings SET target = NULL, headers = NULL, body = NULL WHERE id = ?",
        [.number(id)])
    }
  }

  /// Keeps the answer to a request, and sets its state.
  func write(
    _ answer: RecordedAnswer, to id: SendingRecord.ID, _ state: SendingRecord.State
  ) throws(JournalError) {
    row.removeAll()
    row.add(text: state.name)
    row.add(answer.status)
    row.add(text: answer.url)
    row.addText { FieldLines.append(answer.headers, to: &$0) }
    row.add(blob: answer.body)
    row.add(id)
    try database.run(statements.keepAnswer, row)
  }

  func settle(
    _ requests: [SettledRequest], as state: SendingRecord.State
  ) throws(JournalError) {
    for request in requests {
      if let answer = request.answer {
        try write(answer, to: request.id, state)
      } else {
        row.removeAll()
        row.add(text: state.name)
        row.add(request.id)
        try database.run(statements.setState, row)
      }
    }
  }

  /// What a person said before of a unit no longer counts.
  func removeSettlement(_ key: UnitKey, _ items: Fingerprint?) throws(JournalError) {
    var row = SQLiteRow()
    swap(&row, &self.row)
    try addPlace(UnitKey(step: key.step, place: key.place, digest: nil))
    self.row.add(items)
    swap(&row, &self.row)
    try database.run(
      "DELETE FROM units WHERE step = ? AND item IS ? AND digest IS ? AND items IS ?", row)
  }

  /// The values of a condition that holds of a step and all inside it.
  static func inside(_ step: String) -> [SQLiteValue] {
    [.text(step), .number(step.unicodeScalars.count + 1), .text(step + ".")]
  }

  // MARK: Reading

  /// The requests whose outcome is unknown or unreadable.
  func sendings() throws(JournalError) -> [SendingRecord] { try sendings(where: Self.isOpen) }

  /// All others.
  ///
  /// - Parameter isWanted: Which of them are given. None of the others is kept in memory.
  func carriedOut(
    where isWanted: (SendingRecord) -> Bool = { _ in true }
  ) throws(JournalError) -> [SendingRecord] {
    try sendings(where: "NOT (\(Self.isOpen))", isWanted)
  }

  func hasCarriedOut() throws(JournalError) -> Bool {
    var isAny = false
    try database.forEachRow("SELECT 1 FROM sendings WHERE NOT (\(Self.isOpen)) LIMIT 1") { _ in
      isAny = true
      return false
    }
    return isAny
  }

  func lastSending() throws(JournalError) -> SendingRecord.ID {
    var id = 0
    try database.forEachRow("SELECT max(id) FROM sendings") { row in
      id = row.number(0)
      return false
    }
    return id
  }

  private func sendings(
    where condition: String, _ isWanted: (SendingRecord) -> Bool = { _ in true }
  ) throws(JournalError) -> [SendingRecord] {
    var sendings: [SendingRecord] = []
    try database.forEachRow(
      """
      SELECT path, item, digest, sendings.id, method, url, time, key, content, state, status,
        items, around, request, subject, beginning, process, target IS NULL, body IS NULL,
        cleanup
      FROM sendings JOIN steps ON steps.id = step WHERE \(condition) ORDER BY sendings.id
      """
    ) { row in
      let sending = SendingRecord(
        id: row.number(3), unit: Self.key(row), method: row.text(4), url: row.text(5),
        body: row.textIfPresent(15), item: row.textIfPresent(14), time: row.real(6),
        idempotencyKey: row.textIfPresent(7),
        content: Self.fingerprint(row, 8) ?? Fingerprint(high: 0, low: 0),
        request: Self.fingerprint(row, 13), items: Self.fingerprint(row, 11),
        around: Self.fingerprint(row, 12),
        state: SendingRecord.State(name: row.text(9), status: row.number(10)),
        kept: row.number(17) == 1 ? .nothing : row.number(18) == 1 ? .head : .whole,
        process: row.isNull(16) ? nil : row.number(16),
        isOfCleanUp: row.isNull(19) || row.number(19) == 1)
      if isWanted(sending) { sendings.append(sending) }
      return true
    }
    return sendings
  }

  func answer(of id: SendingRecord.ID) throws(JournalError) -> RecordedAnswer? {
    var answer: RecordedAnswer?
    try database.forEachRow(
      "SELECT status, target, headers, body FROM sendings WHERE id = ? AND target IS NOT NULL",
      [.number(id)]
    ) { row in
      answer = RecordedAnswer(
        status: row.number(0), headers: FieldLines.fields(row.text(2)),
        body: row.isNull(3) ? nil : row.bytes(3), url: row.text(1))
      return false
    }
    return answer
  }
}

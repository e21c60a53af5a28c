package import PipelineJSONText
internal import PipelineJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension RunStore {
  /// How many units at each end of a journal are searched.
  private static let reach = 10_000

  /// The values that a step gave in a run that has ended, by its last unit that succeeded. `nil` if
  /// it gave none, they hold a secret, or the run has not ended in good order.
  ///
  /// Nothing is written, and the journal is not locked. Only the first and the last 10,000 units of a
  /// run are searched.
  ///
  /// - Parameters:
  ///   - path: The path of the step.
  ///   - id: The id of the run.
  package func lastValues(ofStep path: String, run id: String) -> JSONDocument? {
    guard let folder = try? folder(of: id), !RunFolder.isInUse(folder) else { return nil }
    let journal = RunFolder.journalPath(folder)
    // The log of a process that was killed.
    guard access(journal + "-wal", F_OK) != 0 else { return nil }
    return try? Self.lastValues(ofStep: path, journal: journal)
  }

  private static func lastValues(
    ofStep path: String, journal: String
  ) throws(JournalError) -> JSONDocument? {
    let database = try SQLiteDatabase(unchanging: journal)
    try database.requireOwnTables()
    var values: JSONDocument?
    try database.forEachRow(
      """
      SELECT result FROM units JOIN steps ON steps.id = step
      WHERE path = ? AND state = 'done'
        AND (units.id <= \(reach) OR units.id > (SELECT max(id) FROM units) - \(reach))
      ORDER BY units.id DESC LIMIT 1
      """, [.text(path)]
    ) { row in
      values = try? JSONDocument.parse(row.bytes(0))
      return false
    }
    return values
  }
}

package import PipelineJSONText
internal import PipelineJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What a run began with, as its journal has it.
package struct RunBeginning: Sendable {
  /// The inputs, defaults included, without the secret ones: an object.
  package let inputs: JSONValue
  package let environment: String?
  /// The file for each of whose rows the workflow was run; `nil` if it was run once.
  package let each: String?
}

extension RunStore {
  /// What a run that has ended began with; `nil` if it has not ended in good order, or its journal
  /// cannot be read. Nothing is written.
  package func beginning(ofRun id: String) -> RunBeginning? {
    guard let folder = try? folder(of: id), !RunFolder.isInUse(folder) else { return nil }
    let journal = RunFolder.journalPath(folder)
    guard access(journal + "-wal", F_OK) != 0 else { return nil }
    return try? Self.beginning(journal)
  }

  private static func beginning(_ journal: String) throws(JournalError) -> RunBeginning {
    let database = try SQLiteDatabase(unchanging: journal)
    try database.requireOwnTables()
    var facts: [String: String] = [:]
    try database.forEachRow(
      "SELECT name, value FROM run WHERE name IN ('inputs', 'environment', 'each')", []
    ) { row in
      facts[row.text(0)] = row.textIfPresent(1)
      return true
    }
    let inputs = facts["inputs"].flatMap { try? JSONDocument.parse(Array($0.utf8)) }
    return RunBeginning(
      inputs: inputs.map { JSONValue($0.root) } ?? [:], environment: facts["environment"],
      each: facts["each"])
  }
}

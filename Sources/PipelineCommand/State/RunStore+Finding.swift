internal import SQLiteJournals

extension RunStore {
  /// The store that a command line, or the environment, names.
  static func of(_ options: StoreOptions, _ console: Console) throws(UsageError) -> RunStore {
    switch try StoreLocation(options, environment: console.environment) {
    case .folder(let folder, _): return RunStore(path: folder + "/runs")
    case .off:
      throw UsageError(
        message: "PIPELINE_STORE is 'off', so nothing is kept; --store names a folder")
    case .unknown:
      throw UsageError(message: "HOME is not set, so nothing is kept; --store names a folder")
    }
  }

  /// The run of a name. Without a name, the newest of some kind. `nil` if there is none, which is
  /// then reported.
  func run(
    named name: String?, orNewest isMeant: (StoredRun) -> Bool, _ console: Console
  ) -> StoredRun? {
    guard let name else {
      if let run = runs().first(where: isMeant) { return run }
      console.complain("'\(path)' has no run to go on with; 'pipeline runs' lists all")
      return nil
    }
    return find(name, console)
  }

  /// The run that an id, or the beginning of one, names; `nil`, once it was said why, if there is
  /// not exactly one.
  func find(_ name: String, _ console: Console) -> StoredRun? {
    let runs = runs(abbreviatedAs: name)
    if runs.count == 1 { return runs[0] }
    console.complain(
      runs.isEmpty
        ? "run '\(name)' does not exist in '\(path)'; 'pipeline runs' lists all"
        : "'\(name)' stands for \(runs.count) runs: "
          + runs.prefix(5).map(\.id).joined(separator: ", ") + (runs.count > 5 ? ", …" : ""))
    return nil
  }
}

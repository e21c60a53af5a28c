internal import PipelineByteText
internal import SQLiteJournals

extension RunStore {
  /// The store that a command line, or the environment, names.
  ///
  /// - Throws: `UsageError` if none is named, `JournalError` if it cannot be read.
  static func of(_ options: StoreOptions, _ console: Console) throws -> RunStore {
    switch try StoreLocation(options, environment: console.environment) {
    case .folder(let folder, _):
      let store = RunStore(path: folder + "/runs")
      if let problem = store.problem { throw problem }
      return store
    case .off:
      throw UsageError(
        message: "PIPELINE_STORE is 'off', so nothing is kept; --store names a folder")
    case .unknown:
      throw UsageError(message: "HOME is not set, so nothing is kept; --store names a folder")
    }
  }

  /// The run that an id, or the beginning of one, names; `nil` if there is not exactly one, after
  /// the reason was reported.
  func find(_ name: String, _ console: Console) -> StoredRun? {
    guard isSaid(name, console) else { return nil }
    let runs = runs(abbreviatedAs: name)
    if runs.count == 1 { return runs[0] }
    guard runs.isEmpty else {
      complain(runs.map(\.id), are: name, console)
      return nil
    }
    guard let id = findFolder(name, console) else { return nil }
    console.complain(
      "run '\(id)' cannot be read: \(problem(with: id)); 'pipeline runs delete \(shortID(of: id))'"
        + " removes it")
    return nil
  }

  /// The folder that an id, or the beginning of one, names, even if no run can be read there; `nil`
  /// as with `find`.
  func findFolder(_ name: String, _ console: Console) -> String? {
    guard isSaid(name, console) else { return nil }
    let all = ids()
    if let exact = all.first(where: { $0.equals(bytes: name) }) { return exact }
    let ids = all.filter { $0.hasPrefix(bytes: name) }
    if ids.count == 1 { return ids[0] }
    if ids.isEmpty {
      console.complain("run '\(name)' does not exist in '\(path)'; 'pipeline runs' lists all")
    } else {
      complain(ids, are: name, console)
    }
    return nil
  }

  /// Every id begins with an empty word, such as the value of a shell's variable that is not set.
  private func isSaid(_ name: String, _ console: Console) -> Bool {
    if name.isEmpty { console.complain("the run's id is empty; 'pipeline runs' lists all") }
    return !name.isEmpty
  }

  private func complain(_ ids: [String], are name: String, _ console: Console) {
    console.complain(
      "'\(name)' stands for \(ids.count) runs: " + ids.prefix(5).joined(separator: ", ")
        + (ids.count > 5 ? ", …" : ""))
  }
}

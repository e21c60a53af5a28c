internal import PipelineKit
internal import PipelineLint
internal import PipelinePlanning
internal import SQLiteJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The responses that runs have kept in a store, as another run finds them.
struct KeptResponses {
  /// The file of the cache.
  private let path: String

  /// `nil` if nothing is kept.
  init?(in store: StoreOptions, environment: [String: String]) {
    guard case .folder(let folder, _)? = try? StoreLocation(store, environment: environment)
    else { return nil }
    path = folder + "/cache.sqlite"
  }

  /// The cache, which is begun if there is none.
  func open() throws(JournalError) -> SQLiteResponseCache {
    try SQLiteResponseCache(path: path)
  }

  /// The cache for a run that may only drop from it; `nil` if there is none, so there is nothing to
  /// drop.
  func openToDrop() throws(JournalError) -> SQLiteResponseCache? {
    access(path, F_OK) == 0 ? try SQLiteResponseCache(path: path) : nil
  }
}

extension LintedWorkflow {
  /// Whether a step of the file, or of one that it runs, has a cache.
  var usesCache: Bool { files.contains { $0.workflow?.usesCache == true } }

  /// Whether a request of the file, or of one that it runs, may change what a server has.
  var mayInvalidate: Bool { files.contains { $0.workflow?.mayInvalidate == true } }
}

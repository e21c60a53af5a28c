internal import PipelineByteText
internal import PipelineJSONText
internal import Synchronization

/// What a listing knows of the files of a folder, until one of the files that it was made of changes.
///
/// A folder of many hundred workflows is analysed once, and after that only where something has
/// changed. What has errors is analysed each time: it may name a file that is not there yet.
final class ListedFiles: Sendable {
  /// What is shown of a file, whatever its runs.
  struct Item: Sendable {
    let members: [JSONValue.Member]
    /// The place of a test file's workflow, and the recordings that it replays.
    var workflow: String?
    var recordings: [String] = []
  }

  private struct Kept: Sendable {
    let item: Item
    /// The paths that were looked at, each with what was there.
    let files: [String: FileSignature?]
  }

  private struct State {
    var items: [ExactText: Kept] = [:]
    /// All that is looked at for files that name descriptions, which are parsed once for all.
    var described: Set<String> = []
  }

  private let state = Mutex(State())

  /// The item of a file: the one that is known, or one that is made.
  ///
  /// - Parameters:
  ///   - isDescribed: Whether the file names a description, whose parts may be in other files.
  ///   - make: Makes it, and says whether it may be kept.
  func item(
    of path: String, isDescribed: Bool, _ log: PathLog, make: () -> (Item, mayBeKept: Bool)
  ) -> Item {
    let key = ExactText(path)
    let known = state.withLock { $0.items[key] }
    if let known, known.files.allSatisfy({ FileSignature(of: $0.key) == $0.value }) {
      return known.item
    }
    log.begin()
    // Taken before the list is made: later changes are noticed next time.
    let own = FileSignature(of: path)
    let (item, mayBeKept) = make()
    let seen = log.seen
    state.withLock { state in
      if isDescribed { state.described.formUnion(seen.keys) }
      var files = seen
      files[path] = own
      if isDescribed {
        for path in state.described where files[path] == nil {
          files[path] = .some(FileSignature(of: path))
        }
      }
      state.items[key] = mayBeKept ? Kept(item: item, files: files) : nil
    }
    return item
  }

  /// Forgets the files that are no longer there.
  func keep(only paths: [String]) {
    let paths = Set(paths.map { ExactText($0) })
    state.withLock { state in
      state.items = state.items.filter { paths.contains($0.key) }
    }
  }
}

/// The paths that are looked at through a file system, with what was there.
final class PathLog: Sendable {
  private let paths = Mutex<[String: FileSignature?]>([:])

  func begin() { paths.withLock { $0 = [:] } }

  var seen: [String: FileSignature?] { paths.withLock { $0 } }

  private func note(_ path: String) {
    paths.withLock { paths in
      if paths[path] == nil { paths[path] = .some(FileSignature(of: path)) }
    }
  }

  /// The same files, with a note of each path before it is looked at.
  func noting(_ files: FileSystem) -> FileSystem {
    var noting = files
    noting.kind = { [self] path throws(PathProblem) in
      note(path)
      return try files.kind(path)
    }
    noting.read = { [self] path, limit throws(PathProblem) in
      note(path)
      return try files.read(path, limit)
    }
    noting.readFile = { [self] path, limit throws(PathProblem) in
      note(path)
      return try files.readFile(path, limit)
    }
    noting.names = { [self] path throws(PathProblem) in
      note(path)
      return try files.names(path)
    }
    return noting
  }
}

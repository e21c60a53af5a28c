internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The state of a workflow in its file, held by one run at a time.
final class KeptState: Sendable {
  /// The path that the user gave, or the path in the store.
  let path: String
  /// The state found; `nil` if no run has left any.
  let record: StateRecord?
  private let workflow: String
  private let environment: String?
  private let file: AtomicFile
  private let lock: FileLock
  /// The content that was found.
  private let found: [UInt8]?

  /// Takes the file for a run: reads it, and proves that it can be replaced.
  convenience init(
    _ place: StatePlace, path: String, of workflow: Workflow, environment: String?,
    _ files: FileSystem
  ) throws(StateProblem) {
    try self.init(place, path: path, of: workflow, environment, files) {
      bytes throws(StateProblem) in
      guard let bytes else { return nil }
      return try StateRecord(bytes, path: path)
    }
    if let problem = record?.mismatch(
      workflow.name, environment: environment, path: path, isNamed: place == .named(path))
    {
      throw problem
    }
    // A mounted file, or a file in another user's folder, may be writable but not replaceable.
    do throws(PathProblem) {
      if let found { try file.write(found) } else { try file.prove() }
    } catch {
      throw Self.unwritable(error)
    }
  }

  /// Takes the file without reading it, in order to remove it.
  convenience init(
    unreadAt place: StatePlace, path: String, of workflow: Workflow, environment: String?,
    _ files: FileSystem
  ) throws(StateProblem) {
    try self.init(place, path: path, of: workflow, environment, files) { _ in nil }
  }

  private init(
    _ place: StatePlace, path: String, of workflow: Workflow, _ environment: String?,
    _ files: FileSystem,
    reading read: ([UInt8]?) throws(StateProblem) -> StateRecord?
  ) throws(StateProblem) {
    self.path = path
    self.workflow = workflow.name
    self.environment = environment
    do throws(PathProblem) {
      if case .stored = place { try AtomicFile.makeFolders(PathText.folder(of: path)) }
      file = try AtomicFile(privateAt: path)
    } catch {
      throw Self.unwritable(error)
    }
    guard !file.isSpecial else {
      throw StateProblem(message: "the state cannot be kept in '\(path)': it is not a file")
    }
    do throws(FileLock.Refusal) {
      lock = try FileLock(path: file.target + ".lock")
    } catch {
      switch error {
      case .held:
        throw StateProblem(
          message: "another run is using the state in '\(path)'; wait until it ends, or give this"
            + " run its own file with --state")
      case .failed(let error):
        throw Self.unwritable(PathProblem(path: path, reason: error.message))
      }
    }
    found = try Self.content(of: path, files)
    record = try read(found)
  }

  /// The content of a state file, without taking it; `nil` if there is none.
  static func record(
    _ place: StatePlace, of workflow: Workflow, environment: String?, _ files: FileSystem
  ) throws(StateProblem) -> StateRecord? {
    guard let path = place.path, let bytes = try content(of: path, files) else { return nil }
    let record = try StateRecord(bytes, path: path)
    if let problem = record.mismatch(
      workflow.name, environment: environment, path: path, isNamed: place == .named(path))
    {
      throw problem
    }
    return record
  }

  /// Replaces the values. They are on the disk when this returns.
  ///
  /// - Parameter time: Seconds since 1970-01-01T00:00:00Z.
  func keep(
    _ state: [String: JSONValue], at time: Double, _ files: FileSystem
  ) throws(StateProblem) {
    guard try Self.content(of: path, files) == found else {
      throw StateProblem(
        message: "the state in '\(path)' was changed by something else during the run, so the"
          + " values of this run are not kept")
    }
    var record = StateRecord(workflow: workflow, environment: environment)
    record.updated = Timestamp(secondsSince1970: time).text
    record.state = state
    do throws(PathProblem) {
      try file.write(record.text)
    } catch {
      throw Self.unwritable(error)
    }
  }

  /// Removes the file: the next run begins with the defaults.
  func clear() throws(StateProblem) {
    guard unlink(file.target) != 0, errno != ENOENT else { return }
    throw Self.unwritable(PathProblem(path: path, reason: SystemError.last.message))
  }

  private static func content(
    of path: String, _ files: FileSystem
  ) throws(StateProblem) -> [UInt8]? {
    var status = stat()
    if stat(path, &status) != 0, errno == ENOENT { return nil }
    do throws(PathProblem) {
      return try files.readFile(path, StateRecord.sizeLimit)
    } catch {
      throw StateProblem(message: "the state in '\(path)' cannot be read: \(error.reason)")
    }
  }

  private static func unwritable(_ problem: PathProblem) -> StateProblem {
    StateProblem(
      message: "the state cannot be kept in '\(problem.path)': \(problem.reason); see --state,"
        + " --store and --no-store")
  }
}

internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that a command writes for the author to edit.
enum NewFile {
  /// Makes a folder, unless there is one already.
  static func createFolder(_ path: String) throws(PathProblem) {
    guard mkdir(path, 0o777) != 0 else { return }
    let error = SystemError.last
    guard error.number == EEXIST else { throw PathProblem(path: path, reason: error.message) }
  }

  /// Writes a file that must not be there yet, not even as a link.
  ///
  /// - Parameter command: The command's name, for the message if the file is there.
  static func create(_ path: String, _ bytes: [UInt8], by command: String) throws(PathProblem) {
    try create(path, by: command) { sink in sink(bytes) }
  }

  /// Writes such a file piece by piece.
  ///
  /// - Parameter write: Passes the pieces to what it is given.
  static func create(
    _ path: String, by command: String,
    _ write: (([UInt8]) -> Void) throws(PathProblem) -> Void
  ) throws(PathProblem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let error = SystemError.last
      throw PathProblem(
        path: path,
        reason: error.number == EEXIST
          ? "it exists, and \(command) never overwrites a file; choose another name"
          : error.message)
    }
    var number: Int32 = 0
    do throws(PathProblem) {
      try write { piece in if number == 0 { number = writeAll(piece, to: descriptor) } }
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    if close(descriptor) != 0, number == 0 { number = errno }
    if number != 0 { throw PathProblem(path: path, reason: SystemError(number).message) }
  }
}

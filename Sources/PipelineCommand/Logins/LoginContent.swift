internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Where the text of all logins is kept.
protocol LoginContent: Sendable {
  /// As messages name it.
  var words: String { get }
  /// The text; `nil` if there is none yet.
  func read() throws(LoginProblem) -> [UInt8]?
  /// Replaces the text. It lasts when this returns.
  func write(_ bytes: [UInt8]) throws(LoginProblem)
}

/// A file that only this user may read.
struct LoginFile: LoginContent {
  let path: String

  /// The maximum size, in bytes.
  private static let sizeLimit = 16 << 20

  var words: String { "'\(path)'" }

  func read() throws(LoginProblem) -> [UInt8]? {
    var status = stat()
    if stat(path, &status) != 0, errno == ENOENT { return nil }
    guard status.st_uid == getuid() else {
      throw LoginProblem("the logins in '\(path)' belong to another user")
    }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
      throw LoginProblem(
        "others may read or write the logins in '\(path)'; type: chmod 600"
          + " \(ShellWords.quoted(path))")
    }
    do throws(PathProblem) {
      return try FileSystem.system.readFile(path, Self.sizeLimit)
    } catch {
      throw LoginProblem("the logins in '\(path)' cannot be read: \(error.reason)")
    }
  }

  func write(_ bytes: [UInt8]) throws(LoginProblem) {
    do throws(PathProblem) {
      let file = try AtomicFile(privateAt: path)
      // What a killed process left of its writing holds tokens.
      file.removeTemporaries()
      try file.write(bytes)
    } catch {
      throw LoginProblem("the logins cannot be kept in '\(path)': \(error.reason)")
    }
  }
}

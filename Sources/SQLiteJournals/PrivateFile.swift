internal import PipelineByteText
internal import PipelineFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files and folders that only this user can read.
enum PrivateFile {
  /// Opens a file for reading and writing, and makes it if it is missing. A negative result: it
  /// cannot be used.
  static func opened(_ path: String) -> Int32 {
    (try? RegularFile.open(path, O_RDWR | O_CREAT)) ?? -1
  }

  /// Opens a file for writing, without its old content. A negative result: it cannot be used.
  static func emptied(_ path: String) -> Int32 {
    (try? RegularFile.open(path, O_WRONLY | O_CREAT | O_TRUNC)) ?? -1
  }

  /// Makes a file if it is missing. SQLite gives the files that it makes beside it the same rights.
  static func make(_ path: String) {
    let file = opened(path)
    if file >= 0 { close(file) }
  }

  /// Makes an empty file, or empties it, so that it was changed just now.
  static func touch(_ path: String) {
    let file = emptied(path)
    if file >= 0 { close(file) }
  }

  /// Replaces a file as a whole.
  ///
  /// - Parameter temporary: The path at which it is written first, in the same folder.
  static func replace(_ path: String, with bytes: [UInt8], by temporary: String) {
    let file = emptied(temporary)
    guard file >= 0 else { return }
    let number = writeAll(bytes, to: file)
    close(file)
    if number == 0 { rename(temporary, path) } else { unlink(temporary) }
  }

  /// Makes a folder and its missing parents. Returns how many were made.
  @discardableResult
  static func makeFolders(_ path: String) -> Int {
    var count = 0
    var place = path.hasPrefix(bytes: "/") ? "" : "."
    for part in path.split(ascii: "/") {
      place += "/" + part
      if mkdir(place, 0o700) == 0 { count += 1 }
    }
    return count
  }

  /// Removes a file, or a folder with all that is in it. Links are removed, and not followed.
  static func remove(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
    for name in (try? folderEntries(path)) ?? [] { remove(path + "/" + name) }
    rmdir(path)
  }
}

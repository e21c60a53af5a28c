internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The files that a workflow may name: those below its own folder, and below folders that the user
/// allows; symbolic links are followed before that is judged.
struct ConfinedFiles: FileAccess {
  /// The folder of the workflow's file, without links: relative paths begin there.
  private let folder: String
  /// Folders without links.
  private let allowed: [String]
  /// Below it results are saved.
  private let output: String

  private static let sizeLimit = 256 << 20

  /// - Parameters:
  ///   - workflow: the path of the workflow's file.
  ///   - allowed: further folders, as the user gave them.
  init(workflow: String, allowing allowed: [String]) throws(PathProblem) {
    folder = try realPath(AtomicFile.folder(of: workflow))
    var folders: [String] = []
    for path in allowed {
      guard case .folder = try FileSystem.system.kind(path) else {
        throw PathProblem(path: path, reason: "it is not a folder")
      }
      folders.append(try realPath(path))
    }
    self.allowed = folders
    output = try realPath(".")
  }

  func read(_ path: String) throws(FileError) -> [UInt8] {
    let place = try resolve(path)
    do throws(PathProblem) {
      return try FileSystem.system.read(place, Self.sizeLimit)
    } catch {
      throw FileError("'\(path)' cannot be read: \(error.reason)")
    }
  }

  func resolve(_ path: String) throws(FileError) -> String {
    do throws(PathProblem) {
      return try place(of: path)
    } catch {
      throw FileError("'\(path)' cannot be read: \(error.reason)")
    }
  }

  /// Where a file is that the workflow names, links followed.
  func place(of path: String) throws(PathProblem) -> String {
    do throws(PathProblem) {
      return try place(ofFileNamed: path.hasPrefix("/") ? path : folder + "/" + path)
    } catch {
      throw PathProblem(path: path, reason: error.reason)
    }
  }

  /// Where a file is that has this name for the process, links followed.
  func place(ofFileNamed name: String) throws(PathProblem) -> String {
    let place = try realPath(name)
    guard ([folder] + allowed).contains(where: { place.isBelow($0) }) else {
      throw PathProblem(
        path: name, reason: "it lies outside of the workflow's folder; see --allow-dir")
    }
    return place
  }

  func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.hasPrefix("/"), !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." })
    else {
      throw FileError("'\(path)' cannot be saved: it is no path below the output folder")
    }
    var folder = output
    for part in parts.dropLast() {
      folder += "/" + part
      mkdir(folder, 0o777)
    }
    guard let place = realpath(folder, nil) else {
      throw FileError("'\(path)' cannot be saved: \(SystemError.last.message)")
    }
    defer { free(place) }
    guard String(cString: place).isBelow(output) else {
      throw FileError("'\(path)' cannot be saved: a link leads out of the output folder")
    }
    let file = String(cString: place) + "/" + (parts.last ?? "")
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "there is such a file" : SystemError.last.message
      throw FileError("'\(path)' cannot be saved: \(reason)")
    }
    var number = writeAll(bytes, to: descriptor)
    if close(descriptor) != 0, number == 0 { number = errno }
    guard number == 0 else {
      unlink(file)
      throw FileError("'\(path)' cannot be saved: \(SystemError(number).message)")
    }
  }
}

/// The absolute path without links.
private func realPath(_ path: String) throws(PathProblem) -> String {
  guard let real = realpath(path, nil) else {
    throw PathProblem(path: path, reason: SystemError.last.message)
  }
  defer { free(real) }
  return String(cString: real)
}

extension String {
  /// Whether this path, without links, is `folder` or lies below it.
  fileprivate func isBelow(_ folder: String) -> Bool {
    self == folder || folder == "/" || hasPrefix(folder + "/")
  }
}

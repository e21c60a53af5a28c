internal import PipelineByteText
internal import PipelineFiles

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files that a run reads and writes: what it writes must not be any of the others.
struct FileUses {
  private struct Use {
    let place: String
    /// As a message names it: `the workflow`, `--output`.
    let role: String
  }

  private var uses: [Use] = []

  mutating func reads(_ path: String, as role: String) {
    if let place = Self.place(of: path) { uses.append(Use(place: place, role: role)) }
  }

  /// - Throws: An error if the file has another use. Files of the same role may be one.
  mutating func writes(_ path: String, as role: String) throws(UsageError) {
    guard let place = Self.place(of: path) else { return }
    let other = uses.first { $0.place.equals(bytes: place) && !$0.role.equals(bytes: role) }
    if let other {
      throw UsageError(message: "'\(path)' is both \(other.role) and \(role); name another file")
    }
    uses.append(Use(place: place, role: role))
  }

  /// A path with its links followed; `nil` if that is a device or a pipe, which many may use.
  private static func place(of path: String) -> String? {
    if path.isEmpty || path.equals(bytes: "-") { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let target = linkTarget(of: path)
      guard let folder = realPath(of: PathText.folder(of: target)) else { return path }
      return folder + "/" + (target.split(ascii: "/").last.map(String.init) ?? "")
    }
    return status.st_mode & S_IFMT == S_IFREG ? realPath(of: path) : nil
  }
}

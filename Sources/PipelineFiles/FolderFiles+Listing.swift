internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FolderFiles {
  /// The maximum of files that a pattern may name.
  private static let listLimit = 100_000

  /// - Parameter pattern: A path in which `*` stands for any bytes but `/`.
  /// - Returns: The paths of the files, sorted by their bytes.
  /// - Throws: `FileError` if a folder that the pattern names does not exist, or if it leads to a
  ///   folder outside those that may be read.
  public func list(_ pattern: String) throws(FileError) -> [String] {
    let segments = pattern.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    guard !segments.contains(where: { ["", ".", ".."].contains(bytes: $0) }) else {
      throw FileError(
        "'\(pattern)' cannot be listed: it is not a path below the folder of its file")
    }
    var paths = [""]
    for (number, segment) in segments.enumerated() {
      let isLast = number == segments.count - 1
      var next: [String] = []
      for path in paths {
        next += try names(in: path, matching: segment, isLast: isLast, of: pattern)
          .map { path.isEmpty ? $0 : path + "/" + $0 }
        guard next.count <= Self.listLimit else {
          throw FileError("'\(pattern)' names more than \(Self.listLimit) files")
        }
      }
      paths = next
    }
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The entries of a folder that a segment of a pattern names: files if it is the last, else
  /// folders.
  private func names(
    in path: String, matching segment: String, isLast: Bool, of pattern: String
  ) throws(FileError) -> [String] {
    let place = try Self.realPath(path.isEmpty ? folder : folder + "/" + path, pattern)
    guard ([root] + allowed).contains(where: { place.isBelow($0) }) else {
      throw Self.unreadable(pattern, "it leads outside the workflow's folder" + hint)
    }
    guard segment.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") })
    else {
      if !isLast { return [segment] }
      return Self.isFile(place + "/" + segment) ? [segment] : []
    }
    let entries: [String]
    do { entries = try folderEntries(place) } catch {
      throw Self.unreadable(pattern, error.message)
    }
    return entries.filter { name in
      guard NamePattern(segment).matches(name) else { return false }
      return isLast ? Self.isFile(place + "/" + name) : Self.isFolder(place + "/" + name)
    }
  }

  private static func isFile(_ path: String) -> Bool { type(of: path) == S_IFREG }
  private static func isFolder(_ path: String) -> Bool { type(of: path) == S_IFDIR }

  private static func type(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// A name with `*` for any text and `?` for one character.
struct NamePattern {
  private let pattern: [Unicode.Scalar]

  init(_ pattern: String) { self.pattern = Array(pattern.unicodeScalars) }

  /// A name that begins with a dot is hidden, and matches only a pattern that begins so, too.
  ///
  /// - Complexity: O(name · pattern).
  func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    if name.first == ".", pattern.first != "." { return false }
    var (place, at) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while at < name.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[at] {
        place += 1
        at += 1
      } else if let last = star {
        place = last.pattern + 1
        at = last.name + 1
        star = (last.pattern, at)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}

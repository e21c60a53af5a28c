import PipelineByteText

/// Paths of files as workflows write them, with `/`.
package enum FilePath {
  /// The path without `.` and `..` if they can be taken out: two that are equal name one file.
  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(ascii: "/", omittingEmptySubsequences: true) where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix(bytes: "/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The paths of the folders that a normalized path leads through.
  package static func folders(around path: String) -> [String] {
    path.utf8.indices.filter { $0 > path.startIndex && path.utf8[$0] == UInt8(ascii: "/") }
      .map { String(path[..<$0]) }
  }
}

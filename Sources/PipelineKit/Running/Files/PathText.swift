internal import PipelineByteText

/// Paths as files and users write them, with `/` between their parts.
package enum PathText {
  /// The folder that a path begins with; `.` if it names none.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(ascii: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path that is written in a file, relative to where that file's own path begins.
  package static func path(_ path: String, beside file: String) -> String {
    let folder = folder(of: file)
    return path.hasPrefix(bytes: "/") || folder == "." ? path : folder + "/" + path
  }
}

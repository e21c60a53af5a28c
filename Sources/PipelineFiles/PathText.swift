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

  /// A path from a folder to a place, both from the root and without links: `../users.json`.
  package static func relative(_ place: String, from folder: String) -> String {
    let target = place.split(ascii: "/")
    let base = folder.split(ascii: "/")
    let common = zip(target, base).prefix { $0.equals(bytes: $1) }.count
    let up = [String](repeating: "..", count: base.count - common)
    let down = target.dropFirst(common).map { String($0) }
    return (up.isEmpty ? ["."] : up).joined(separator: "/") + "/" + down.joined(separator: "/")
  }
}

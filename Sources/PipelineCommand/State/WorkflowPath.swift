internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Where a workflow's file is, whatever way a command line names it.
struct WorkflowPath: Hashable {
  /// From the root, without links if the file exists.
  private let bytes: [UInt8]

  init(_ path: String) {
    bytes = Array((realPath(of: path) ?? Self.absolute(path)).utf8)
  }

  /// Whether a word of a command line names a file, and not a run: ids hold no `/`, and no run of
  /// the command ends in `.json`.
  static func isMeant(by word: String) -> Bool {
    word.contains(bytes: "/") || word.hasSuffix(bytes: ".json")
  }

  /// The path from the root.
  static func absolute(_ path: String) -> String {
    path.hasPrefix(bytes: "/") ? path : currentFolder + "/" + path
  }

  static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "" }
    defer { free(path) }
    return String(cString: path)
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Test data that other people wrote: conformance suites and corpora of files. It lies in the folder
/// that `$CONFORMANCE_DIR` or `$CORPORA_DIR` names, else in `shared/conformance` or `shared/corpora`
/// beside this checkout or beside a folder around it. It is never part of this repository.
package enum Conformance {
  /// The folder of the conformance suites.
  package static let directory = folder("conformance", variable: "CONFORMANCE_DIR")

  /// The folder of the corpora.
  package static let corpora = folder("corpora", variable: "CORPORA_DIR")

  private static func folder(_ name: String, variable: String) -> String? {
    if let named = getenv(variable) {
      let path = String(cString: named)
      return exists(path) ? path : nil
    }
    var folder = packageRoot
    while folder.contains("/") {
      let candidate = folder + "/shared/" + name
      if exists(candidate) { return candidate }
      folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    }
    return nil
  }

  /// The folder that holds Package.swift.
  package static let packageRoot: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// The bytes of a file below `directory`; `nil` where there is none.
  package static func read(_ path: String) -> [UInt8]? {
    directory.flatMap { readFile($0 + "/" + path) }
  }

  /// The paths of a folder's files whose names end so, sorted.
  package static func files(in folder: String, ending: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { found.append("\(folder)/\(name)") }
    }
    return found.sorted()
  }

  private static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

/// The bytes of the file at `path`; `nil` where it cannot be read.
package func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes.append(contentsOf: chunk[..<count])
  }
}

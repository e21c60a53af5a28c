#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of its own, removed with its content in the end.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    var template = Array("/tmp/pipeline-test-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    if path.hasPrefix("/tmp/pipeline-test-") { Self.remove(path) }
  }

  /// Removes a file, or a folder with its content.
  package static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in names(in: path) { remove(path + "/" + name) }
    _ = rmdir(path)
  }

  /// Makes a folder, and those in which it is.
  package static func make(_ path: String) {
    for slash in path.indices.dropFirst() where path[slash] == "/" {
      _ = mkdir(String(path[..<slash]), 0o755)
    }
    _ = mkdir(path, 0o755)
  }

  /// Writes a file below the folder, and gives its path.
  @discardableResult
  package func write(_ text: String, to name: String) -> String {
    write(Array(text.utf8), to: name)
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) -> String {
    let file = path + "/" + name
    if let slash = file.lastIndex(of: "/"), access(String(file[..<slash]), F_OK) != 0 {
      Self.make(String(file[..<slash]))
    }
    if let stream = fopen(file, "wb") {
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
    return file
  }

  package func read(_ name: String) -> String? {
    readFile(path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in the folder, hidden ones included, sorted.
  package var names: [String] { Self.names(in: path) }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

import PipelineCommand
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of its own, removed with its content in the end.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/pipeline-test-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    if path.hasPrefix("/tmp/pipeline-test-") { _ = system("rm -rf '\(path)'") }
  }

  /// Writes a file below the folder, and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    write(Array(text.utf8), to: name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
    let file = path + "/" + name
    if let slash = file.lastIndex(of: "/") { _ = system("mkdir -p '\(file[..<slash])'") }
    if let stream = fopen(file, "wb") {
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
    return file
  }

  func read(_ name: String) -> String? {
    readFile(path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in the folder, hidden ones included, sorted.
  var names: [String] { (try? FileSystem.system.names(path)) ?? [] }
}

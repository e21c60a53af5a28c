internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The names in a folder, in no order, without `.` and `..`.
package func folderEntries(_ path: String) throws(SystemError) -> [String] {
  guard let folder = opendir(path) else { throw .last }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    // An entry ends with its name: the rest of its array may be outside of memory.
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.equals(bytes: "."), !name.equals(bytes: "..") { names.append(name) }
  }
  return names
}

internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The path of a file or folder from the root, without links; `nil` if there is none.
func realPath(of path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// Where a file is made if there is none at a path: what its links lead to.
func linkTarget(of path: String) -> String {
  var path = path
  let size = Int(PATH_MAX)
  var bytes = [CChar](repeating: 0, count: size)
  // No system follows more links than this.
  for _ in 0..<40 {
    let count = readlink(path, &bytes, size)
    guard count > 0 else { break }
    let link = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = link.hasPrefix(bytes: "/") ? link : PathText.folder(of: path) + "/" + link
  }
  return path
}

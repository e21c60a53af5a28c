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

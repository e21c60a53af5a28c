#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// How many descriptors the process may have open: each connection takes one.
enum OpenFiles {
  /// macOS refuses more, whatever the hard limit says, and beyond it tables only grow.
  private static let most: rlim_t = 10_240

  /// Raises the limit to the most that the system allows. The default is often 1,024, too few for a
  /// run with 1,024 requests in flight.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, most) else {
      return
    }
    limit.rlim_cur = min(limit.rlim_max, most)
    // Where this is refused the old limit stays, and a request that meets it says so.
    _ = setrlimit(resource, &limit)
  }

  #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { .init(RLIMIT_NOFILE.rawValue) }
  #else
    private static var resource: Int32 { Int32(RLIMIT_NOFILE) }
  #endif
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The limit of files and connections that the process may have open at once.
enum DescriptorLimit {
  /// The limit in words, if it is reached at this moment; `nil` if it is not.
  static var reached: String? {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      close(descriptor)
      return nil
    }
    return errno == EMFILE || errno == ENFILE ? text : nil
  }

  /// The limit in words.
  static var text: String {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return "too many files are open" }
    return "the process has all \(limit.rlim_cur) files open that it may ('ulimit -n'); a lower"
      + " 'limits.concurrency' needs fewer"
  }

  #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { .init(RLIMIT_NOFILE.rawValue) }
  #else
    private static var resource: Int32 { RLIMIT_NOFILE }
  #endif
}

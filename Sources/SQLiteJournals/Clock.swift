#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

enum Clock {
  /// Seconds since 1970-01-01T00:00:00Z.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds since some moment before the process began, whatever becomes of the time of day.
  static var elapsed: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

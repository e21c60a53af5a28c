#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a server could not start.
package enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another program listens on this port. With port 0 a free one is found.
  case portInUse(UInt16)
  /// A call of the system failed with this `errno`.
  case system(call: String, code: Int32)

  package var description: String {
    switch self {
    case .portInUse(let port):
      "port \(port) of 127.0.0.1 is taken; choose another, or 0 for a free one"
    case .system(let call, let code):
      "\(call) failed: \(String(cString: strerror(code)))"
    }
  }
}

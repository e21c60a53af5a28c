internal import CPipelineSockets

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A port of 127.0.0.1 at which nothing listens, and which no server of another test can get.
///
/// The port of a server that has stopped may be another's a moment later.
package final class ClosedPort {
  package let number: UInt16
  private let descriptor: Int32

  package init() {
    #if canImport(Glibc)
      descriptor = csockets_socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = csockets_socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    precondition(isBound, "127.0.0.1 has no free port")
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}

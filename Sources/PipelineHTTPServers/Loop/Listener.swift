internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket that listens on a loopback address. Its owner closes it.
struct Listener: Sendable {
  let descriptor: Int32
  let address: HTTPServer.Address
  let port: UInt16

  init(_ address: HTTPServer.Address, port: UInt16) throws(ServerError) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = csockets_socket(address == .version4 ? AF_INET : AF_INET6, stream, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    do throws(ServerError) {
      try Self.bind(descriptor, address, port)
      guard listen(descriptor, 4096) == 0 else { throw .system(call: "listen", code: errno) }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      self.port = try Self.boundPort(descriptor)
      self.address = address
      self.descriptor = descriptor
    } catch {
      Socket.close(descriptor)
      throw error
    }
  }

  func close() {
    // A program that is being started has a copy for a moment, and would go on listening.
    #if canImport(Darwin)
      shutdown(descriptor, SHUT_RDWR)
    #else
      shutdown(descriptor, Int32(SHUT_RDWR))
    #endif
    Socket.close(descriptor)
  }

  private static func bind(
    _ descriptor: Int32, _ address: HTTPServer.Address, _ port: UInt16
  ) throws(ServerError) {
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let result: Int32
    switch address {
    case .version4:
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      result = withAddress(&place) { socketBind(descriptor, $0, $1) }
    case .version6:
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      place.sin6_addr = in6addr_loopback
      result = withAddress(&place) { socketBind(descriptor, $0, $1) }
    }
    guard result != 0 else { return }
    if errno == EADDRINUSE { throw .portInUse(port) }
    throw .system(call: "bind", code: errno)
  }

  private static func boundPort(_ descriptor: Int32) throws(ServerError) -> UInt16 {
    // An address of version 6 has its port at the same place.
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0 else { throw .system(call: "getsockname", code: errno) }
    return UInt16(bigEndian: address.sin6_port)
  }

  private static func withAddress<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}

/// The system's `bind`, which a method of the same name would hide.
private func socketBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
  bind(descriptor, address, size)
}

internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A socket that listens on 127.0.0.1. Whoever holds it closes it.
struct Listener: Sendable {
  let descriptor: Int32
  let port: UInt16

  init(port: UInt16) throws(SandboxError) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = csockets_socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
    do throws(SandboxError) {
      try Self.bind(descriptor, port)
      guard listen(descriptor, 4096) == 0 else { throw .system(call: "listen", code: errno) }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      self.port = try Self.boundPort(descriptor)
      self.descriptor = descriptor
    } catch {
      Socket.close(descriptor)
      throw error
    }
  }

  func close() { Socket.close(descriptor) }

  private static func bind(_ descriptor: Int32, _ port: UInt16) throws(SandboxError) {
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketBind(descriptor, $0, size) }
    }
    guard result != 0 else { return }
    if errno == EADDRINUSE { throw .portInUse(port) }
    throw .system(call: "bind", code: errno)
  }

  private static func boundPort(_ descriptor: Int32) throws(SandboxError) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0 else { throw .system(call: "getsockname", code: errno) }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// The system's `bind`, which a method of the same name would hide.
private func socketBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
  bind(descriptor, address, size)
}

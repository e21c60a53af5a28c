#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Non-blocking calls on a connected socket's descriptor.
enum Socket {
  enum Outcome: Equatable {
    case moved(Int)
    case wouldBlock
    /// The other side has ended its half.
    case ended
    case failed
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .moved(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
  }

  /// Sends as much of `bytes[start...]` as the socket takes. A closed peer raises no SIGPIPE.
  static func send(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Outcome {
    #if canImport(Darwin)
      let flags: Int32 = 0  // SO_NOSIGPIPE is set on the socket
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return bytes.withUnsafeBytes { buffer in
      let rest = UnsafeRawBufferPointer(rebasing: buffer[start...])
      while true {
        let count = systemSend(descriptor, rest.baseAddress, rest.count, flags)
        if count >= 0 { return .moved(count) }
        if errno == EINTR { continue }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
      }
    }
  }

  static func sendAtOnce(_ descriptor: Int32) {
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends the outgoing half. The other side reads the end of the stream.
  static func finish(_ descriptor: Int32) {
    #if canImport(Darwin)
      shutdown(descriptor, SHUT_WR)
    #else
      shutdown(descriptor, Int32(SHUT_WR))
    #endif
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// Closes with a reset instead of an orderly end: lingering for zero seconds discards and resets.
  static func reset(_ descriptor: Int32) {
    var setting = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }
}

private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(descriptor, bytes, count, flags)
}

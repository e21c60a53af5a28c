import CPipelineSockets
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A server on 127.0.0.1 that answers byte for byte what a test says, and shows byte for byte what
/// it received. Each connection has a thread of its own.
final class RawServer: Sendable {
  let port: Int
  private let listener: Int32
  private let connections = Counter()

  init(_ serve: @escaping @Sendable (RawConnection) -> Void) throws {
    let listener = csockets_socket(AF_INET, streamType, 0)
    let bound = withLoopbackAddress(port: 0) { bind(listener, $0, $1) == 0 }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        listen(listener, 512) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    guard bound, named else { throw POSIXError(.EADDRNOTAVAIL) }
    Thread.detachNewThread { [connections] in
      RawServer.accept(listener, connections, serve)
      close(listener)
    }
  }

  deinit { stop() }

  /// Answers every request with the same bytes and keeps the connection.
  convenience init(answering response: String) throws {
    try self.init { connection in
      while connection.readRequest() != nil { connection.write(response) }
    }
  }

  /// Answers every request with itself as the body.
  static func echo() throws -> RawServer {
    try RawServer { connection in
      while let request = connection.readRequest() {
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Length: \(request.utf8.count)\r\n\r\n\(request)")
      }
    }
  }

  var connectionCount: Int { connections.number.withLock { $0 } }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Stops accepting; open connections go on.
  func stop() {
    // Once only: the accepting thread then closes the descriptor, whose number others may get.
    let isFirst = connections.isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private static func accept(
    _ listener: Int32, _ connections: Counter,
    _ serve: @escaping @Sendable (RawConnection) -> Void
  ) {
    while true {
      // A program that another test starts at this moment does not hold the connection open.
      let descriptor = csockets_accept(listener)
      guard descriptor >= 0 else {
        if connections.isStopped.withLock({ $0 }) { return }
        continue
      }
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      connections.number.withLock { $0 += 1 }
      Thread.detachNewThread {
        let connection = RawConnection(descriptor: descriptor)
        serve(connection)
        connection.end()
      }
    }
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif

private func withLoopbackAddress(
  port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
) -> Bool {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

private final class Counter: Sendable {
  let number = Mutex(0)
  let isStopped = Mutex(false)
}

/// One connection that a `RawServer` accepted.
final class RawConnection {
  let descriptor: Int32
  private var buffer: [UInt8] = []
  private var offset = 0

  private var isOpen = true

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Closes the connection at once, even if a program that another test is starting still holds a
  /// copy of the descriptor.
  func end(reset: Bool = false) {
    guard isOpen else { return }
    isOpen = false
    if reset {
      resetOnClose()
      var nobody = sockaddr()
      nobody.sa_family = sa_family_t(AF_UNSPEC)
      connect(descriptor, &nobody, socklen_t(MemoryLayout<sockaddr>.size))
    } else {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    close(descriptor)
  }

  /// The header of the next request; its body is still to come. `nil`: the client closed.
  func readHead() -> String? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = readByte() else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads so many bytes of a body; `false`: the client closed.
  @discardableResult
  func read(count: Int) -> Bool {
    var rest = count
    while rest > 0 {
      guard fill() else { return false }
      let taken = min(rest, buffer.count - offset)
      offset += taken
      rest -= taken
    }
    return true
  }

  /// The next request, header and body, as received; `nil`: the client closed.
  func readRequest() -> String? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = readByte() else { return nil }
      bytes.append(byte)
    }
    let head = String(decoding: bytes, as: UTF8.self).lowercased()
    if let range = head.range(of: "\r\ncontent-length: ") {
      let digits = head[range.upperBound...].prefix { $0.isNumber }
      for _ in 0..<(Int(digits) ?? 0) {
        guard let byte = readByte() else { return nil }
        bytes.append(byte)
      }
    } else if head.contains("\r\ntransfer-encoding: chunked") {
      while !bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) {
        guard let byte = readByte() else { return nil }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if canImport(Glibc)
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      #else
        var isOn: Int32 = 1
        setsockopt(
          descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      #endif
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until the client closes its end.
  func waitForClose() {
    while readByte() != nil {}
  }

  /// Closes this end, and leaves the client's open.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the closing that follows a reset.
  func resetOnClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  /// The way that bytes go through a pump.
  enum Direction {
    case toServer, toClient
  }

  /// Carries bytes both ways between the client and a port of this machine until either closes.
  ///
  /// - Parameter allows: How many of the bytes go on; after fewer than all the pumping is over.
  func pump(
    to port: Int, allows: (Direction, [UInt8]) -> Int = { $1.count }
  ) {
    let other = csockets_socket(AF_INET, streamType, 0)
    defer { close(other) }
    guard withLoopbackAddress(port: port, { connect(other, $0, $1) == 0 }) else { return }
    var ends = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while poll(&ends, 2, -1) > 0 {
      for (source, target) in [(0, other), (1, descriptor)] where ends[source].revents != 0 {
        let count = recv(ends[source].fd, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        let direction = target == other ? Direction.toServer : .toClient
        let allowed = allows(direction, Array(bytes[..<count]))
        RawConnection(descriptor: target).write(Array(bytes[..<allowed]))
        if allowed < count { return }
      }
    }
  }

  private func readByte() -> UInt8? {
    guard fill() else { return nil }
    defer { offset += 1 }
    return buffer[offset]
  }

  /// Waits until a byte is there to be read; `false`: the client closed.
  func fill() -> Bool {
    if offset < buffer.count { return true }
    buffer = [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      var received = -1
      repeat {
        received = recv(descriptor, bytes.baseAddress, bytes.count, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
    offset = 0
    return !buffer.isEmpty
  }
}

/// The requests that a server saw, whole or in part.
final class RequestLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// Notes a request's first line; returns how many were noted.
  func note(_ request: String) -> Int {
    lines.withLock { lines in
      lines.append(String(request.prefix { $0 != "\r\n" }))
      return lines.count
    }
  }

  func count(of prefix: String) -> Int {
    lines.withLock { $0.count { $0.hasPrefix(prefix) } }
  }
}

/// Events that one thread reports and a test waits for.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() { continuation.yield() }

  func wait() async {
    for await _ in stream { return }
  }
}

/// Holds threads back until so many have come.
struct Gathering: Sendable {
  private let missing = DispatchGroup()

  init(of count: Int) {
    for _ in 0..<count { missing.enter() }
  }

  func join() {
    missing.leave()
    missing.wait()
  }
}

extension String {
  /// The body of a message, which follows the first empty line.
  var bodyPart: String {
    range(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? ""
  }
}

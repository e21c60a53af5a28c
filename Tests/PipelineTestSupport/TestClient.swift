internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A blocking HTTP client on raw sockets: it shows what a server really sends, faults included.
package final class TestClient {
  package enum Failure: Error, Equatable {
    case refused
    /// The connection was reset.
    case reset
    /// It ended in the middle of an answer, or before one.
    case ended
    case timedOut
    case malformed(String)
  }

  package struct Answer {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package func all(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects to a port of 127.0.0.1, of another address of version 4, or of ::1 with version 6.
  package init(
    port: UInt16, version: Int = 4, address number: UInt32 = 0x7F00_0001
  ) throws(Failure) {
    let family = version == 6 ? AF_INET6 : AF_INET
    #if canImport(Glibc)
      descriptor = csockets_socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = csockets_socket(family, SOCK_STREAM, 0)
    #endif
    // Ends a test that hangs, and no other, however loaded the machine is.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result: Int32
    if version == 6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      result = Self.connected(descriptor, &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = number.bigEndian
      result = Self.connected(descriptor, &address)
    }
    // `deinit` closes it.
    guard result == 0 else { throw .refused }
  }

  private static func connected<Address>(
    _ descriptor: Int32, _ address: inout Address
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  deinit { close(descriptor) }

  package func endInput() {
    #if canImport(Glibc)
      shutdown(descriptor, Int32(SHUT_WR))
    #else
      shutdown(descriptor, SHUT_WR)
    #endif
  }

  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends everything, or as much as the server takes before it closes.
  package func send(_ bytes: [UInt8]) {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        let count = systemSend(descriptor, rest.baseAddress, rest.count, flags)
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  package func request(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
  ) throws(Failure) -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: sandbox\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
    send(head + "\r\n" + body)
    return try answer(to: method)
  }

  /// Reads one whole answer.
  package func answer(to method: String = "GET") throws(Failure) -> Answer {
    let head = try readHead()
    let lines = head.split(separator: "\r\n").map(String.init)
    let first = (lines.first ?? "").split(separator: " ")
    guard first.count >= 2, first[0] == "HTTP/1.1", let status = Int(first[1]) else {
      throw .malformed(head)
    }
    let headers = lines.dropFirst().map { line -> (name: String, value: String) in
      let halves = line.split(separator: ":", maxSplits: 1)
      return (
        name: String(halves[0]), value: halves.count > 1 ? String(halves[1].dropFirst()) : ""
      )
    }
    let bare = Answer(status: status, headers: headers, bytes: [])
    if method == "HEAD" || status < 200 || status == 204 || status == 304 { return bare }
    return Answer(status: status, headers: headers, bytes: try readBody(bare))
  }

  private func readBody(_ head: Answer) throws(Failure) -> [UInt8] {
    if head.header("Transfer-Encoding") == "chunked" {
      var body: [UInt8] = []
      while true {
        guard let size = Int(try readLine(), radix: 16) else { throw .malformed("chunk") }
        body += try read(size)
        guard try read(2) == [13, 10] else { throw .malformed("chunk end") }
        if size == 0 { return body }
      }
    }
    guard let length = head.header("Content-Length") else { return try readToEnd() }
    guard let count = Int(length) else { throw .malformed("length") }
    return try read(count)
  }

  private func readHead() throws(Failure) -> String {
    var head = ""
    while true {
      let line = try readLine()
      if line.isEmpty { return head }
      head += line + "\r\n"
    }
  }

  private func readLine() throws(Failure) -> String {
    while true {
      if let feed = buffer.firstIndex(of: 10) {
        let line = buffer[..<feed]
        buffer.removeSubrange(...feed)
        return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
      }
      try fill()
    }
  }

  package func read(_ count: Int) throws(Failure) -> [UInt8] {
    while buffer.count < count { try fill() }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  /// Everything until the server ends the connection.
  package func readToEnd() throws(Failure) -> [UInt8] {
    do throws(Failure) {
      while true { try fill() }
    } catch {
      guard error == .ended else { throw error }
      defer { buffer = [] }
      return buffer
    }
  }

  private func fill() throws(Failure) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 {
      throw .ended
    } else {
      throw errno == ECONNRESET ? .reset : .timedOut
    }
  }
}

private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(descriptor, bytes, count, flags)
}

import CPipelineSockets

@testable import PipelineSandboxServers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A blocking HTTP client on raw sockets: it shows what a server really sends, faults included.
final class TestClient {
  enum Failure: Error, Equatable {
    case refused
    /// The connection was reset.
    case reset
    /// It ended in the middle of an answer, or before one.
    case ended
    case timedOut
    case malformed(String)
  }

  struct Answer {
    let status: Int
    let headers: [SandboxRequest.Field]
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func all(_ name: String) -> [String] {
      headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ server: SandboxServer) throws(Failure) {
    #if canImport(Glibc)
      descriptor = csockets_socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = csockets_socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // Ends a test that hangs, and no other, however loaded the machine is.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    // `deinit` closes it.
    guard result == 0 else { throw .refused }
  }

  deinit { close(descriptor) }

  func endInput() {
    #if canImport(Glibc)
      shutdown(descriptor, Int32(SHUT_WR))
    #else
      shutdown(descriptor, SHUT_WR)
    #endif
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends everything, or as much as the server takes before it closes.
  func send(_ bytes: [UInt8]) {
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

  func request(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
  ) throws(Failure) -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: sandbox\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
    send(head + "\r\n" + body)
    return try answer(to: method)
  }

  /// Reads one whole answer.
  func answer(to method: String = "GET") throws(Failure) -> Answer {
    let head = try readHead()
    let lines = head.split(separator: "\r\n").map(String.init)
    let first = (lines.first ?? "").split(separator: " ")
    guard first.count >= 2, first[0] == "HTTP/1.1", let status = Int(first[1]) else {
      throw .malformed(head)
    }
    let headers = lines.dropFirst().map { line in
      let halves = line.split(separator: ":", maxSplits: 1)
      return SandboxRequest.Field(
        String(halves[0]), halves.count > 1 ? String(halves[1].dropFirst()) : "")
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

  func read(_ count: Int) throws(Failure) -> [UInt8] {
    while buffer.count < count { try fill() }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  /// Everything until the server ends the connection.
  func readToEnd() throws(Failure) -> [UInt8] {
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

extension SandboxServer {
  /// One request on a connection of its own.
  func request(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
  ) throws -> TestClient.Answer {
    try TestClient(self).request(method, target, headers: headers, body: body)
  }

  /// Asks the server until `condition` holds: each answer shows that earlier events are handled.
  func reaches(_ condition: () -> Bool) throws -> Bool {
    for _ in 0..<2000 {
      if condition() { return true }
      _ = try request("GET", "/status/200")
    }
    return false
  }
}

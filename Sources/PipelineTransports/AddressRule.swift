internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Which addresses must not be used for a request whose URL someone else wrote.
package enum AddressRule {
  /// The kind of private place at an IPv4 (4 bytes) or IPv6 (16 bytes) address; `nil` for a public
  /// one.
  package static func reasonToRefuse(_ address: [UInt8]) -> String? {
    address.count == 4 ? reasonToRefuse(v4: address) : reasonToRefuse(v6: address)
  }

  /// The same of a host that is written as an address, or is a name of this machine.
  ///
  /// A proxy has its own rules for names. A name that it might read differently is refused.
  package static func reasonToRefuse(literalHost host: String) -> String? {
    var bytes = Array(host.lowercased().utf8)
    // The root's dot does not change an address or a name.
    while bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    if bytes.first != UInt8(ascii: "["),
      bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") })
    {
      return "a name that not every reader reads alike"
    }
    let name = String(decoding: bytes, as: UTF8.self)
    if ownNames.contains(name) || bytes.reversed().starts(with: ".localhost".utf8.reversed()) {
      return "this machine's own name"
    }
    return SocketAddress.bytes(ofLiteral: name).flatMap { reasonToRefuse($0) }
  }

  private static let ownNames: Set<String> = [
    "localhost", "localhost.localdomain", "localhost6", "localhost6.localdomain6", "ip6-localhost",
    "ip6-loopback",
  ]

  private static func reasonToRefuse(v4 a: [UInt8]) -> String? {
    switch (a[0], a[1], a[2]) {
    case (127, _, _): "a loopback address"
    case (10, _, _), (172, 16...31, _), (192, 168, _): "a private address"
    case (169, 254, _): "a link-local address"
    case (100, 64...127, _): "a carrier's shared address"
    case (0, _, _): "an unspecified address"
    case (224...239, _, _): "a multicast address"
    case (240...255, _, _), (192, 0, 0), (192, 0, 2), (198, 18...19, _), (198, 51, 100),
      (203, 0, 113):
      "a reserved address"
    default: nil
    }
  }

  private static func reasonToRefuse(v6 a: [UInt8]) -> String? {
    guard a.count == 16 else { return "of an unknown address family" }
    let startsWithZeros = a.prefix(10).allSatisfy { $0 == 0 }
    if startsWithZeros, a[10] == a[11], a[10] == 0xFF || a[10] == 0 {
      if a[10] == 0, a[12...14].allSatisfy({ $0 == 0 }) {
        if a[15] == 0 { return "an unspecified address" }
        if a[15] == 1 { return "a loopback address" }
      }
      // ::ffff:a.b.c.d, and ::a.b.c.d of old.
      return reasonToRefuse(v4: Array(a[12...15]))
    }
    switch (a[0], a[1]) {
    case (0xFC...0xFD, _): return "a private address"
    case (0xFE, 0x80...0xBF): return "a link-local address"
    case (0xFE, 0xC0...0xFF): return "a private address"
    case (0xFF, _): return "a multicast address"
    case (0x20, 0x02):
      // 6to4: the IPv4 address follows.
      return reasonToRefuse(v4: Array(a[2...5]))
    case (0x00, 0x64) where a[2] == 0xFF && a[3] == 0x9B:
      // NAT64, with the network's own prefix (RFC 8215) or the IPv4 address at the end (RFC 6052).
      return a[4] == 0 && a[5] == 1 ? "a private address" : reasonToRefuse(v4: Array(a[12...15]))
    case (0x01, 0x00), (0x00, _): return "a reserved address"
    default: return nil
    }
  }
}

/// An IP address and a port.
package struct SocketAddress {
  /// 4 or 16 bytes.
  package let bytes: [UInt8]
  package let port: UInt16
  /// As in `127.0.0.1:80` and `[::1]:80`.
  package var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "?" }
    let address = buffer.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
    return bytes.count == 4 ? "\(address):\(port)" : "[\(address)]:\(port)"
  }

  /// Reads a `sockaddr` of `count` bytes; `nil` if it is not IPv4 or IPv6.
  package init?(_ address: UnsafeRawPointer, count: Int) {
    let family = Int32(address.assumingMemoryBound(to: sockaddr.self).pointee.sa_family)
    if family == AF_INET, count >= MemoryLayout<sockaddr_in>.size {
      let v4 = address.loadUnaligned(as: sockaddr_in.self)
      bytes = withUnsafeBytes(of: v4.sin_addr) { [UInt8]($0) }
      port = UInt16(bigEndian: v4.sin_port)
    } else if family == AF_INET6, count >= MemoryLayout<sockaddr_in6>.size {
      let v6 = address.loadUnaligned(as: sockaddr_in6.self)
      bytes = withUnsafeBytes(of: v6.sin6_addr) { [UInt8]($0) }
      port = UInt16(bigEndian: v6.sin6_port)
    } else {
      return nil
    }
  }

  /// The port on this side of a connection; `nil` if the socket has none.
  package static func localPort(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let address = start.assumingMemoryBound(to: sockaddr.self)
      guard getsockname(descriptor, address, &length) == 0 else { return nil }
      return SocketAddress(start, count: Int(length))?.port
    }
  }

  /// The bytes of an address as text, in every notation that a resolver takes: `127.1`,
  /// `0x7f000001` and `[::1]` too; `nil` for a name.
  package static func bytes(ofLiteral text: String) -> [UInt8]? {
    var v4 = in_addr()
    if inet_aton(text, &v4) != 0 { return withUnsafeBytes(of: v4) { [UInt8]($0) } }
    // A zone (`fe80::1%eth0`, in a URL `%25eth0`) does not change what kind of address it is.
    let isBracketed = text.hasPrefix(bytes: "[") && text.hasSuffix(bytes: "]")
    let bare = isBracketed ? text.dropFirst(bytes: 1).dropLast(bytes: 1) : text[...]
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, String(bare.prefix(before: "%")), &v6) == 1 else { return nil }
    return withUnsafeBytes(of: v6) { [UInt8]($0) }
  }
}

extension AddressRule {
  /// The kind of private place that a host's name leads to now; `nil` if each of its addresses is
  /// public, or it has none.
  ///
  /// Blocks while the name is looked up. For transports that cannot look at the address to which
  /// they connect.
  package static func reasonToRefuse(namedHost host: String) -> String? {
    if let reason = reasonToRefuse(literalHost: host) { return reason }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &found) == 0 else { return nil }
    defer { freeaddrinfo(found) }
    var next = found
    while let entry = next {
      if let address = entry.pointee.ai_addr,
        let place = SocketAddress(
          UnsafeRawPointer(address), count: Int(entry.pointee.ai_addrlen)),
        let reason = reasonToRefuse(place.bytes)
      {
        return reason
      }
      next = entry.pointee.ai_next
    }
    return nil
  }
}

internal import PipelineByteText

extension URI.Authority {
  /// The parts of `text`, or nil where RFC 3986 §3.2 refuses it or the port is past 65535.
  package static func parse(_ text: Substring) -> URI.Authority? {
    var rest = text
    var userinfo: String?
    // The last `@` ends the user information. An earlier one is refused below, so that no reader of
    // the URL can take another host for the one meant.
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      let user = rest[..<at]
      guard isEncoded(user, in: .userinfo) else { return nil }
      userinfo = String(user)
      rest = rest[rest.utf8.index(after: at)...]
    }
    guard let (host, port) = splitPort(rest) else { return nil }
    guard host.utf8.first == UInt8(ascii: "[") || isEncoded(host, in: .host) else { return nil }
    if let port {
      guard port.utf8.allSatisfy({ ASCIISet.digits.contains($0) }) else { return nil }
      guard port.isEmpty || (Int(port).map { $0 <= 65535 } ?? false) else { return nil }
    }
    return URI.Authority(userinfo: userinfo, host: String(host), port: port.map(String.init))
  }

  private static func splitPort(_ text: Substring) -> (host: Substring, port: Substring?)? {
    let utf8 = text.utf8
    var end = utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    if utf8.first == UInt8(ascii: "[") {
      guard let close = utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      guard isIPv6Address(text[utf8.index(after: utf8.startIndex)..<close]) else { return nil }
      end = utf8.index(after: close)
      guard end == text.endIndex || utf8[end] == UInt8(ascii: ":") else { return nil }
    }
    guard end < text.endIndex else { return (text, nil) }
    return (text[..<end], text[utf8.index(after: end)...])
  }

  private static func isEncoded(_ text: Substring, in set: ASCIISet) -> Bool {
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
      if set.contains(byte) { continue }
      guard byte == UInt8(ascii: "%"),
        let high = bytes.next(), ASCIISet.hexadecimal.contains(high),
        let low = bytes.next(), ASCIISet.hexadecimal.contains(low)
      else { return false }
    }
    return true
  }

  /// RFC 3986 §3.2.2 `IPv6address`: eight groups, or fewer with one `::`. The last two may be an
  /// IPv4 address.
  package static func isIPv6Address(_ text: Substring) -> Bool {
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    switch halves.count {
    case 1:
      return groupCount(halves[0], endsAddress: true) == 8
    case 2:
      guard let left = groupCount(halves[0], endsAddress: false),
        let right = groupCount(halves[1], endsAddress: true)
      else { return false }
      return left + right <= 7
    default:
      return false
    }
  }

  /// The number of 16-bit groups in `text`, or nil if one is malformed.
  private static func groupCount(_ text: Substring, endsAddress: Bool) -> Int? {
    guard !text.isEmpty else { return 0 }
    let groups = text.split(ascii: ":", omittingEmptySubsequences: false)
    var count = 0
    for (position, group) in groups.enumerated() {
      let isLast = endsAddress && position == groups.count - 1
      if isLast, group.utf8.contains(UInt8(ascii: ".")) {
        guard isIPv4Address(group) else { return nil }
        count += 2
      } else {
        guard (1...4).contains(group.utf8.count),
          group.utf8.allSatisfy({ ASCIISet.hexadecimal.contains($0) })
        else { return nil }
        count += 1
      }
    }
    return count
  }

  private static func isIPv4Address(_ text: Substring) -> Bool {
    let parts = text.split(ascii: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && UInt8(part) != nil
          && part.utf8.allSatisfy { ASCIISet.digits.contains($0) }
          && (part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"))
      }
  }
}

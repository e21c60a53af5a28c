/// Addresses as in RFC 3986 §3.2.2. The formats of RFC 2673 and RFC 4291 are the same.
enum Addresses {
  /// Four numbers from 0 to 255, without leading zeros.
  static func isIPv4(_ utf8: ArraySlice<UInt8>) -> Bool {
    let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(Scanner.isDigit)
          && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 & 0xF) } <= 255
      }
  }

  /// Eight groups, or fewer with one `::`. An IPv4 address may replace the last two.
  static func isIPv6(_ utf8: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    guard utf8.count <= 45 else { return false }
    let gap = zip(utf8.indices, utf8.indices.dropFirst())
      .first { utf8[$0] == colon && utf8[$1] == colon }
    guard let gap else { return groups(utf8, endsAddress: true) == 8 }
    guard let left = groups(utf8[..<gap.0], endsAddress: false),
      let right = groups(utf8[(gap.1 + 1)...], endsAddress: true)
    else { return false }
    return left + right <= 7
  }

  /// The number of groups of 16 bits; `nil` if one is malformed.
  private static func groups(_ utf8: ArraySlice<UInt8>, endsAddress: Bool) -> Int? {
    guard !utf8.isEmpty else { return 0 }
    let parts = utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var count = 0
    for (position, part) in parts.enumerated() {
      if endsAddress, position == parts.count - 1, isIPv4(part) {
        count += 2
      } else if (1...4).contains(part.count), part.allSatisfy(Scanner.isHexadecimal) {
        count += 1
      } else {
        return nil
      }
    }
    return count
  }
}

internal import PipelineByteText

/// How unlikely it is that a value occurs twice by chance, and how well two names agree.
enum ValueStrength {
  /// The bits of a value of its length and characters, if it were random. Words, dates and small
  /// numbers have few.
  static func bits(of text: String) -> Int {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return 0 }
    if RFC3339.isDate(text) || RFC3339.isDateTime(text) { return 8 }
    let digits = bytes.count(where: ASCIISet.digits.contains)
    let letters = bytes.count(where: ASCIISet.letters.contains)
    if digits + letters == 0 { return 0 }
    if letters == 0 {
      // Round numbers are counts and limits.
      let significant = bytes.count - bytes.reversed().prefix { $0 == UInt8(ascii: "0") }.count
      return Int(Double(min(significant + 1, bytes.count)) * 3.32)
    }
    let hex = ASCIISet.digits.union(ASCIISet("abcdefABCDEF-"))
    if digits > 0, bytes.allSatisfy(hex.contains) { return bytes.count * 4 }
    let text = text.utf8
    let hasBothCases = text.contains { $0 &- 0x41 < 26 } && text.contains { $0 &- 0x61 < 26 }
    if digits == 0 {
      let blanks = text.contains { $0 == 0x20 }
      return blanks || !hasBothCases || bytes.count < 12
        ? min(18, bytes.count * 3 / 2) : bytes.count * 3
    }
    // `item2` and `v10` are words with a number.
    let isWord = digits <= 2 && bytes.drop(while: ASCIISet.letters.contains).count == digits
    return isWord ? min(18, bytes.count * 2) : bytes.count * (hasBothCases ? 5 : 4)
  }

  /// From this on, equal values have one origin, whatever they are called.
  static let strongBits = 19

  /// 0: the names have nothing in common; 1: one contains the other; 2: they mean the same.
  ///
  /// - Parameters:
  ///   - slot: Where the value is sent.
  ///   - names: The member that held it, then the members around it, from the inside.
  ///   - resource: The last word of the path of the request that gave it.
  static func agreement(of slot: RequestSlot, _ names: [String], resource: String) -> Int {
    let used = plain(slot.name)
    guard let first = names.first.map(plain), !used.isEmpty, !first.isEmpty else { return 0 }
    let owners = (names.dropFirst() + [resource]).map { singular(plain($0)) }.filter {
      !$0.isEmpty && !["data", "item", "result", "record", "attribute"].contains($0)
    }
    // The next page's cursor has one name in the response and another in the request.
    if first.hasPrefix(bytes: "next"), slot.kind != .path,
      cursors.contains(where: { used.hasSuffix(bytes: $0) }) || first.hasSuffix(bytes: used)
    {
      return 3
    }
    if slot.kind == .header, used.equals(bytes: "ifmatch"), first.equals(bytes: "etag") { return 3 }
    if ["total", "count", "size", "length"].contains(first), slot.kind != .path,
      owners.contains(where: { singular(used).equals(bytes: $0) })
    {
      return 3
    }
    let isKey = ["id", "uuid", "key", "slug", "guid", "number", "code", "name"].contains(first)
    if slot.kind == .path {
      let kept = singular(used)
      if first.hasPrefix(bytes: kept), first.utf8.count > kept.utf8.count { return 2 }
      if isKey, owners.contains(where: { $0.equals(bytes: kept) }) { return 2 }
      return isKey ? 1 : 0
    }
    if used.equals(bytes: first) {
      return isKey && !owners.isEmpty && slot.kind != .body ? 1 : 2
    }
    if isKey, owners.contains(where: { used.equals(bytes: $0 + first) || used.equals(bytes: $0) }) {
      return 2
    }
    let isContained =
      first.utf8.count >= 4 && used.contains(bytes: first)
      || used.utf8.count >= 4 && first.contains(bytes: used)
    // `next_cursor` is sent as `cursor`, `access_token` as `token`.
    return isContained ? 1 : 0
  }

  private static let cursors = [
    "cursor", "after", "token", "page", "offset", "start", "marker", "continuation", "continue",
    "next", "position",
  ]

  private static func plain(_ name: String) -> String {
    String(
      decoding: name.utf8.filter { ASCIISet.letters.union(.digits).contains($0) }, as: UTF8.self
    )
    .lowercased()
  }

  /// A word without the ending of its plural.
  static func singular(_ name: String) -> String {
    if name.hasSuffix(bytes: "ies") { return String(name.dropLast(bytes: 3)) + "y" }
    if name.hasSuffix(bytes: "sses") || name.hasSuffix(bytes: "xes") {
      return String(name.dropLast(bytes: 2))
    }
    return name.hasSuffix(bytes: "s") && !name.hasSuffix(bytes: "ss")
      ? String(name.dropLast(bytes: 1)) : name
  }
}

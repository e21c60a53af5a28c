/// The method names an endpoint may begin with: the IANA registry's, and those that caches and
/// well-known services have added.
enum HTTPMethod {
  static let names: Set<String> = [
    "ACL", "BAN", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE",
    "GET", "HEAD", "LABEL", "LINK", "LIST", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
    "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH", "POST",
    "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "SUBSCRIBE",
    "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UNSUBSCRIBE", "UPDATE",
    "UPDATEREDIRECTREF", "VERSION-CONTROL",
  ]

  static func isKnown(_ name: String) -> Bool { names.contains(name) }

  /// Whether a word before a space stands for a method, right or wrong.
  static func isWord(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { ASCIISet.letters.contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// The common method that `name` is one slip away from.
  static func nearest(to name: String) -> String? {
    let common = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
    return common.first { isOneSlip(Array(name.utf8), Array($0.utf8)) }
  }

  /// Whether one insertion, deletion, replacement or exchange of neighbours turns one into the
  /// other.
  private static func isOneSlip(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let shared = zip(left, right).prefix { $0 == $1 }.count
    let a = left[shared...]
    let b = right[shared...]
    return a.dropFirst() == b.dropFirst() || a.dropFirst() == b || a == b.dropFirst()
      || (a.count > 1 && b.count > 1 && a.dropFirst(2) == b.dropFirst(2)
        && Array(a.prefix(2)) == b.prefix(2).reversed())
  }
}

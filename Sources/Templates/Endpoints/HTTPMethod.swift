internal import SourceText

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

  /// The common method that `name` was meant to be.
  static func nearest(to name: String) -> String? {
    Spelling.nearest(
      to: name, among: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
  }
}

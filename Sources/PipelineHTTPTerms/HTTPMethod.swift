internal import PipelineByteText

/// The method names that an endpoint may begin with: those of the IANA registry, and others that
/// caches and well-known services have added.
package enum HTTPMethod {
  package static let names: Set<String> = [
    "ACL", "BAN", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "CONNECT", "COPY", "DELETE",
    "GET", "HEAD", "LABEL", "LINK", "LIST", "LOCK", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL",
    "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "NOTIFY", "OPTIONS", "ORDERPATCH", "PATCH", "POST",
    "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "SUBSCRIBE",
    "TRACE", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UNSUBSCRIBE", "UPDATE",
    "UPDATEREDIRECTREF", "VERSION-CONTROL",
  ]

  package static func isKnown(_ name: String) -> Bool { names.contains(name) }

  /// Whether a word before a space stands for a method, right or wrong.
  package static func isWord(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { ASCIISet.letters.contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// Whether servers expect content with this method, even of length 0 (RFC 9110 §8.6).
  package static func hasContent(_ method: String) -> Bool {
    method == "POST" || method == "PUT" || method == "PATCH"
  }

  /// The methods that ask for nothing to be changed (RFC 9110 §9.2.1, and the IANA registry).
  package static func isSafe(_ method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "QUERY"].contains(method)
  }

  /// The methods that have the same effect if sent twice (RFC 9110 §9.2.2).
  package static func isIdempotent(_ method: String) -> Bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }
}

internal import ByteText

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A URL's authority, as far as proxies and messages need it. libcurl parses the URL itself.
struct URLParts {
  /// In lower case.
  let scheme: Substring
  /// Without credentials and port; IPv6 in its brackets.
  let host: String
  /// Host and port as written.
  let authority: Substring
  /// Host and port, the scheme's own where none is written.
  let endpoint: String
  /// The URL without credentials, however malformed, for messages.
  let shown: String

  init(_ url: String) {
    let separator = url.firstRange(bytes: "://")
    scheme = separator.map { url[..<$0.lowerBound].lowercased()[...] } ?? ""
    let rest = separator.map { url[$0.upperBound...] } ?? url[...]
    let end = rest.prefix(before: "/", "?", "#").endIndex
    var authority = rest[..<end]
    if let at = authority.lastIndex(ascii: "@") {
      authority = authority[authority.utf8.index(after: at)...]
    }
    self.authority = authority
    let isBracketed = authority.hasPrefix(bytes: "[")
    let port =
      isBracketed
      ? authority.lastIndex(ascii: "]").map { authority.utf8.index(after: $0) }
      : authority.lastIndex(ascii: ":")
    host = String(port.map { authority[..<$0] } ?? authority)
    let hasPort = port.map { authority[$0...].hasPrefix(bytes: ":") } ?? false
    endpoint = hasPort ? String(authority) : host + (scheme == "https" ? ":443" : ":80")
    let withoutCredentials =
      rest.lastIndex(ascii: "@").map { rest[$0...].dropFirst(bytes: 1) } ?? rest
    shown = (scheme.isEmpty ? "" : scheme + "://") + withoutCredentials
  }
}

/// The proxy that the environment names for a URL, by the rules libcurl follows.
///
/// It is asked only where it must be known beforehand whether a proxy is used; all other requests
/// leave that to libcurl.
enum EnvironmentProxy {
  static func forURL(_ url: URLParts, environment: (String) -> String?) -> String? {
    let proxy = variables(of: url.scheme).lazy.compactMap(environment)
      .first { !$0.isEmpty }
    guard let proxy, !isExempt(url.host, environment("no_proxy") ?? environment("NO_PROXY") ?? "")
    else { return nil }
    return proxy
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether the process's environment names a proxy for anything. Looked at once.
  static let isNamed = (variables(of: "http") + variables(of: "https"))
    .contains { variable($0)?.isEmpty == false }

  /// The variables that may name a proxy for URLs of a scheme, the first that is set deciding.
  private static func variables(of scheme: Substring) -> [String] {
    // HTTP_PROXY in capitals is not read: a CGI program's client could set it.
    let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return own + ["all_proxy", "ALL_PROXY"]
  }

  private static func isExempt(_ host: String, _ list: String) -> Bool {
    let host = host.lowercased()
    return list.split { $0 == "," || $0 == " " }.contains { entry in
      let name = entry.lowercased().drop { $0 == "." }
      return entry == "*" || host == name || host.hasSuffix(bytes: "." + name)
    }
  }
}

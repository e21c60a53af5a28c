internal import PipelineByteText
internal import PipelineURIs

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The text of a URL, of a proxy or one that cannot be parsed.
enum URLText {
  /// The URL without credentials, however malformed it is, for messages.
  static func shown(_ url: String) -> String {
    let separator = url.firstRange(bytes: "://")
    let scheme = separator.map { url[..<$0.lowerBound].lowercased() + "://" } ?? ""
    let rest = separator.map { url[$0.upperBound...] } ?? url[...]
    return scheme + (rest.lastIndex(ascii: "@").map { rest[$0...].dropFirst(bytes: 1) } ?? rest)
  }
}

/// The proxy that the environment names for an origin, by the rules libcurl follows.
///
/// Asked only if it must be known beforehand whether a proxy is used. For all other requests
/// libcurl decides.
enum EnvironmentProxy {
  static func forOrigin(_ origin: Origin, environment: (String) -> String?) -> String? {
    let proxy = variables(of: origin.scheme).lazy.compactMap(environment)
      .first { !$0.isEmpty }
    let exempt = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
    guard let proxy, !isExempt(origin.host, exempt) else { return nil }
    return proxy
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether the process's environment names a proxy for anything. Looked at once.
  static let isNamed = (variables(of: "http") + variables(of: "https"))
    .contains { variable($0)?.isEmpty == false }

  /// The variables that may name a proxy for URLs of a scheme, the first that is set deciding.
  private static func variables(of scheme: String) -> [String] {
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

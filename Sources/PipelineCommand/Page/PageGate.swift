internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineJSONText

/// Decides which requests of the page's server are answered. Pure, apart from the sessions.
///
/// A page of another site can make a browser send requests here, and can have its own name resolved
/// to this address. So a request must name this server in `Host`, and one without the cookie of a
/// session learns nothing. A change must come from a page of this server. A path is compared byte
/// by byte with a list, so there is nothing to normalise.
struct PageGate: Sendable {
  enum Verdict: Sendable, Equatable {
    /// A file of the page. It says nothing about the folder, so it needs no session.
    case asset(PageAsset)
    /// What is known of the files of the folder.
    case listing
    /// A call of the page's script, as JSON-RPC.
    case call([UInt8])
    /// The drawing of a text, which is in the content.
    case drawing([UInt8])
    /// What happens in a run, as server-sent events.
    case events(run: String)
    /// The report of a run, to be kept as a file.
    case report(run: String)
    /// The token was good, and this is the value of the new session's cookie.
    case session(String)
    case refused(status: Int, String)
  }

  let port: UInt16
  let sessions: PageSessions

  /// Cookies are not kept apart by port, so the name has it.
  var cookieName: String { "pipeline-\(port)" }

  /// Fields that decide about access. A repeated one may be read differently by two readers.
  private static let single = [
    "Host", "Origin", "Cookie", "Content-Type", "Sec-Fetch-Site", "Content-Length",
  ]
  /// The most bytes of a request to sign in.
  private static let tokenLimit = 1 << 10

  func verdict(on request: ServerRequest) -> Verdict {
    guard Self.single.allSatisfy({ request.headers(named: $0).count <= 1 }) else {
      return .refused(status: 400, "a header field is repeated")
    }
    guard let host = request.header("Host"), hosts.contains(bytes: host) else {
      return .refused(
        status: 421, "this server answers to 127.0.0.1, localhost and ::1, with its port")
    }
    guard request.target.utf8.first == UInt8(ascii: "/") else {
      return .refused(status: 400, "the request target is not a path")
    }
    let path = request.path
    if let asset = PageAsset.all.first(where: { $0.path.equals(bytes: path) }) {
      guard ["GET", "HEAD"].contains(request.method) else { return .wrongMethod("GET") }
      return .asset(asset)
    }
    // Only the address of the page has a query, which its script reads.
    if request.target.equals(bytes: "/files.json") { return read(request, .listing) }
    if request.target.equals(bytes: "/rpc") { return change(request, .call(request.body)) }
    if request.target.equals(bytes: "/graph.svg") { return change(request, .drawing(request.body)) }
    if request.target.equals(bytes: "/session") { return session(request) }
    for (prefix, verdict) in Self.ofRuns {
      guard request.target.hasPrefix(bytes: prefix) else { continue }
      let run = String(request.target.dropFirst(bytes: prefix.utf8.count))
      if Self.isRun(run) { return read(request, verdict(run)) }
    }
    return .refused(status: 404, "there is nothing at this path")
  }

  /// What can be read of a run, by the beginning of the target before the run's id.
  private static let ofRuns: [(String, @Sendable (String) -> Verdict)] = [
    ("/events?run=", { .events(run: $0) }), ("/report?run=", { .report(run: $0) }),
  ]

  /// Whether a text may be the id of a run, and so the name of a folder.
  static func isRun(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// - Parameter verdict: What is decided if a browser that is signed in sends it from this page.
  private func read(_ request: ServerRequest, _ verdict: Verdict) -> Verdict {
    guard request.method == "GET" else { return .wrongMethod("GET") }
    if let site = request.header("Sec-Fetch-Site"), site != "same-origin", site != "none" {
      return .refused(status: 403, "the request comes from another site")
    }
    if let origin = request.header("Origin"), !isOwn(origin, request.header("Host") ?? "") {
      return .refused(status: 403, "the request comes from another site")
    }
    guard sessions.include(cookie(request)) else { return .signedOut }
    return verdict
  }

  /// Checks a request that may change something. It must prove more about its origin.
  private func change(_ request: ServerRequest, _ verdict: Verdict) -> Verdict {
    if let refusal = refusal(ofContent: request) { return refusal }
    guard sessions.include(cookie(request)) else { return .signedOut }
    return verdict
  }

  private func session(_ request: ServerRequest) -> Verdict {
    if let refusal = refusal(ofContent: request) { return refusal }
    guard request.body.count <= Self.tokenLimit,
      let root = try? JSONDocument.parse(request.body).root, let token = root["token"]?.string
    else { return .refused(status: 400, "the content is not an object with 'token'") }
    guard let session = sessions.redeem(token) else {
      return .refused(status: 401, "the token is unknown or was used before")
    }
    return .session(session)
  }

  /// Why a request with content is refused; `nil` if a page of this server sent JSON. Another
  /// site's page cannot send that type without being asked, nor write these fields.
  private func refusal(ofContent request: ServerRequest) -> Verdict? {
    guard request.method == "POST" else { return .wrongMethod("POST") }
    guard let origin = request.header("Origin"), isOwn(origin, request.header("Host") ?? ""),
      request.header("Sec-Fetch-Site") == "same-origin"
    else { return .refused(status: 403, "the request does not come from a page of this server") }
    guard request.header("Content-Type") == "application/json" else {
      return .refused(status: 415, "the content is not application/json")
    }
    return nil
  }

  private func isOwn(_ origin: String, _ host: String) -> Bool {
    origin.equals(bytes: "http://" + host)
  }

  private var hosts: [String] {
    let names = ["127.0.0.1", "localhost", "[::1]"]
    // Browsers leave out the port that http has anyway.
    return names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  private func cookie(_ request: ServerRequest) -> String {
    let pairs = (request.header("Cookie") ?? "").split(ascii: ";").map { String($0).trimmed }
    let values = pairs.filter { $0.hasPrefix(bytes: cookieName + "=") }
    // A second one may have been planted by a server on another port.
    return values.count == 1 ? String(values[0].dropFirst(bytes: cookieName.utf8.count + 1)) : ""
  }
}

extension PageGate.Verdict {
  fileprivate static let signedOut = PageGate.Verdict.refused(
    status: 401, "this browser is not signed in")

  fileprivate static func wrongMethod(_ allowed: String) -> PageGate.Verdict {
    .refused(status: 405, "only \(allowed) is allowed here")
  }
}

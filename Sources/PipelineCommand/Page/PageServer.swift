internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineKit

/// The page of a folder, served to browsers on this machine.
///
/// The loop's thread decides about requests. What takes longer is done by `answer()`.
final class PageServer: Sendable {
  /// What the loop's thread leaves to others.
  private enum Task: Sendable {
    case listing(ServerReply)
    case call([UInt8], ServerReply)
    case drawing([UInt8], ServerReply)
    case signedIn
  }

  private let server: HTTPServer
  private let sessions: PageSessions
  private let tasks: AsyncStream<Task>
  private let continuation: AsyncStream<Task>.Continuation

  var port: UInt16 { server.port }

  /// The address that lets one browser in. A fragment is not sent, so no log has it.
  var link: String { "http://127.0.0.1:\(port)/#\(sessions.token)" }

  /// - Parameter port: The port, or 0 for a free one.
  /// - Throws: `ServerError`
  init(port: UInt16) throws(ServerError) {
    let (tasks, continuation) = AsyncStream.makeStream(of: Task.self)
    let sessions = PageSessions()
    var settings = LoopSettings()
    settings.limits = RequestParser.Limits(head: 16 << 10, body: 8 << 20)
    server = try HTTPServer.start(port: port, addsVersion6: true, settings: settings) { port in
      let gate = PageGate(port: port, sessions: sessions)
      return HTTPServer.Handler(
        respond: { request, reply in
          switch gate.verdict(on: request) {
          case .asset(let asset): return Self.response(asset, to: request)
          case .listing:
            continuation.yield(.listing(reply))
            return .awaited()
          case .call(let bytes):
            continuation.yield(.call(bytes, reply))
            return .awaited()
          case .drawing(let bytes):
            continuation.yield(.drawing(bytes, reply))
            return .awaited()
          case .session(let cookie):
            continuation.yield(.signedIn)
            let value =
              "\(gate.cookieName)=\(cookie); HttpOnly; SameSite=Strict; Path=/"
            return Self.plain(204, "", [ServerResponse.Field("Set-Cookie", value)])
          case .refused(let status, let reason): return Self.plain(status, reason)
          }
        }, refuse: { Self.plain($0.status, $0.message) })
    }
    self.sessions = sessions
    self.tasks = tasks
    self.continuation = continuation
  }

  /// Does what requests ask for, one after the other, until `stop()`.
  ///
  /// - Parameters:
  ///   - calls: Carries out the calls of the page.
  ///   - signedIn: Called after a browser was let in: the link is another one now.
  func answer(_ calls: PageCalls, signedIn: () -> Void) async {
    var calls = calls
    for await task in tasks {
      switch task {
      case .signedIn: signedIn()
      case .listing(let reply): Self.finish(reply, "application/json", calls.listing())
      case .call(let bytes, let reply):
        Self.finish(reply, "application/json", calls.response(to: bytes))
      case .drawing(let bytes, let reply):
        Self.finish(reply, "image/svg+xml", calls.drawing(bytes))
      }
    }
  }

  /// - Parameter body: `nil`: there is nothing to give.
  private static func finish(_ reply: ServerReply, _ type: String, _ body: [UInt8]?) {
    reply.finish(
      status: body == nil ? 204 : 200,
      fields: fields + [
        ServerResponse.Field("Content-Type", type),
        ServerResponse.Field("Cache-Control", "no-store"),
      ], body: body ?? [])
  }

  /// Closes the port and all connections.
  func stop() {
    server.stop()
    continuation.finish()
  }

  // MARK: Responses

  /// What every response has.
  static let fields = [
    ServerResponse.Field(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        + " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none';"
        + " require-trusted-types-for 'script'"),
    ServerResponse.Field("X-Content-Type-Options", "nosniff"),
    ServerResponse.Field("X-Frame-Options", "DENY"),
    ServerResponse.Field("Referrer-Policy", "no-referrer"),
    ServerResponse.Field("Cross-Origin-Opener-Policy", "same-origin"),
    ServerResponse.Field("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private static func response(_ asset: PageAsset, to request: ServerRequest) -> ServerResponse {
    // Asked for again each time, so that a newer program is never mixed with an older page.
    let fields =
      fields + [
        ServerResponse.Field("ETag", asset.tag), ServerResponse.Field("Cache-Control", "no-cache"),
      ]
    guard request.header("If-None-Match") != asset.tag else { return .empty(304, fields) }
    return .bytes(asset.bytes, type: asset.type, fields)
  }

  private static func plain(
    _ status: Int, _ text: String, _ more: [ServerResponse.Field] = []
  ) -> ServerResponse {
    let fields = fields + [ServerResponse.Field("Cache-Control", "no-store")] + more
    guard status != 204 else { return .empty(status, fields) }
    return .bytes(
      Array((text + "\n").utf8), type: "text/plain; charset=utf-8", status: status, fields)
  }
}

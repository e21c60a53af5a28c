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
    case events(run: String, PageReply)
    case report(run: String, ServerReply)
    case work(@Sendable () async -> Void)
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
          case .events(let run):
            let reply = PageReply(reply)
            continuation.yield(.events(run: run, reply))
            return .events(
              Self.fields + [ServerResponse.Field("Cache-Control", "no-store")], reply.leave)
          case .report(let run):
            continuation.yield(.report(run: run, reply))
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

  /// Has something done that takes long, beside the answers.
  var begin: @Sendable (@escaping @Sendable () async -> Void) -> Void {
    { [continuation] work in continuation.yield(.work(work)) }
  }

  /// Does what requests ask for, one after the other, until `stop()`. What takes long is done beside
  /// it, and awaited at the end.
  ///
  /// - Parameters:
  ///   - calls: Carries out the calls of the page.
  ///   - signedIn: Called after a browser was let in: the link is another one now.
  func answer(_ calls: PageCalls, signedIn: @Sendable () -> Void) async {
    var calls = calls
    // While a person opens the link, so that a large folder is read early.
    _ = calls.listing()
    await withDiscardingTaskGroup { group in
      for await task in tasks {
        switch task {
        case .signedIn: signedIn()
        case .listing(let reply): Self.finish(reply, "application/json", calls.listing())
        case .call(let bytes, let reply):
          calls.answer(bytes) { Self.finish(reply, "application/json", $0) }
        case .drawing(let bytes, let reply):
          Self.finish(reply, "image/svg+xml", calls.drawing(bytes))
        case .events(let run, let reply):
          let runs = calls.runs
          group.addTask { await runs.follow(run, reply) }
        case .report(let run, let reply):
          let runs = calls.runs
          group.addTask { Self.finish(report: runs.report(of: run), run, reply) }
        case .work(let work): group.addTask(operation: work)
        }
      }
    }
  }

  /// A report is a page of its own, which is kept as a file and never opened here.
  private static func finish(report: [UInt8]?, _ run: String, _ reply: ServerReply) {
    guard let report else {
      return reply.finish(
        status: 404, fields: fields + [ServerResponse.Field("Content-Type", "text/plain")],
        body: Array("nothing that this run did was kept for reports\n".utf8))
    }
    reply.finish(
      status: 200,
      fields: fields + [
        ServerResponse.Field("Content-Type", "text/html; charset=utf-8"),
        ServerResponse.Field("Content-Disposition", "attachment; filename=\"run-\(run).html\""),
        ServerResponse.Field("Cache-Control", "no-store"),
      ], body: report)
  }

  /// - Parameter body: `nil` if there is nothing to give.
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

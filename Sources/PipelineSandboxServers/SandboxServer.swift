package import PipelineHTTPServers

/// A real HTTP/1.1 server with sample APIs, on 127.0.0.1 only.
///
/// docs/sandbox.md lists what it answers. One thread serves all connections. It owns the APIs'
/// state, which lives as long as the server.
package final class SandboxServer: Sendable {
  /// Requests received and connections counted, for tests.
  package let records: SandboxRecords

  private let server: HTTPServer

  /// The port it listens on, never 0.
  package var port: UInt16 { server.port }

  /// `http://127.0.0.1:PORT`.
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Listens on `port`, or on a free port if that is 0.
  package static func start(port: UInt16 = 0) throws(ServerError) -> SandboxServer {
    try start(port: port, settings: LoopSettings())
  }

  static func start(
    port: UInt16, settings: LoopSettings
  ) throws(ServerError) -> SandboxServer {
    let log = RequestLog()
    let server = try HTTPServer.start(port: port, settings: settings) { _ in
      let router = Router()
      var state = SandboxState()
      return HTTPServer.Handler { request, _ in
        log.note(request)
        return router.respond(to: request, &state)
      }
    }
    return SandboxServer(server, SandboxRecords(log, server.counters))
  }

  private init(_ server: HTTPServer, _ records: SandboxRecords) {
    self.server = server
    self.records = records
  }

  /// Closes every connection and the port, and returns when that is done. Safe to call twice.
  package func stop() { server.stop() }
}

internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineKit
internal import PipelineLanguage
internal import Synchronization

/// Waits on this machine for the browser that brings back a login (RFC 8252 §7.3).
///
/// The first request that belongs to a login ends the wait, good or not. Other requests, such as
/// those for a picture of the page, are answered and forgotten.
final class RedirectServer: Sendable {
  private let server: HTTPServer
  private let shared: Shared
  /// What the browser comes back to.
  let address: String

  /// What the thread of the server shares with the command.
  private final class Shared: Sendable {
    private enum State {
      case waiting(CheckedContinuation<String?, Never>?)
      case ended(String?)
    }

    private let state = Mutex(State.waiting(nil))

    /// - Returns: Whether nothing had ended the wait.
    func end(_ query: String?) -> Bool {
      let (isFirst, waiter) = state.withLock { state in
        guard case .waiting(let waiter) = state else {
          return (false, nil as CheckedContinuation<String?, Never>?)
        }
        state = .ended(query)
        return (true, waiter)
      }
      waiter?.resume(returning: query)
      return isFirst
    }

    func query() async -> String? {
      await withCheckedContinuation { continuation in
        let ended: String?? = state.withLock { state in
          if case .ended(let query) = state { return .some(query) }
          state = .waiting(continuation)
          return nil
        }
        if let ended { continuation.resume(returning: ended) }
      }
    }
  }

  /// - Parameters:
  ///   - place: What is listened on.
  ///   - isAnswer: Whether a query is the good answer to the login; the page in the browser says so.
  /// - Throws: `ServerError` if the port is taken, for example.
  init(
    at place: LoopbackURL, isAnswer: @escaping @Sendable (_ query: String) -> Bool
  ) throws(ServerError) {
    let shared = Shared()
    let path = place.target.prefix(before: "?")
    server = try HTTPServer.start(port: place.port, addsVersion6: place.host != "127.0.0.1") { _ in
      HTTPServer.Handler(respond: { request, _ in
        guard request.path.equals(bytes: path) else {
          return .failure(404, "this is not the login")
        }
        guard request.method == "GET" else { return .failure(405, "a browser comes with GET") }
        let names = ["code", "state", "error"]
        guard names.contains(where: { request.query($0) != nil }) else {
          return Self.page(400, "This is not the answer to a login.")
        }
        let isGood = isAnswer(request.rawQuery)
        guard shared.end(request.rawQuery) else {
          return Self.page(409, "This login has had its answer before.")
        }
        return isGood
          ? Self.page(200, "The login has arrived. Go back to the terminal.")
          : Self.page(400, "This login did not succeed. The terminal says why.")
      })
    }
    self.shared = shared
    address = place.text(at: server.port)
  }

  /// The query that the browser came back with; `nil` if it did not in time.
  func query(within limit: Duration, on clock: any RunClock) async -> String? {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [shared] in
        // Also when the command is cancelled.
        _ = try? await clock.sleep(for: limit)
        _ = shared.end(nil)
      }
      let query = await shared.query()
      group.cancelAll()
      return query
    }
  }

  var port: UInt16 { server.port }

  func stop() { server.stop() }

  private static func page(_ status: Int, _ text: String) -> ServerResponse {
    let html =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>pipeline</title>"
      + "<p>\(text) You can close this page.</p></html>\n"
    return .bytes(
      Array(html.utf8), type: "text/html; charset=utf-8", status: status,
      [
        ServerResponse.Field("Cache-Control", "no-store"),
        ServerResponse.Field("Referrer-Policy", "no-referrer"),
        ServerResponse.Field("Content-Security-Policy", "default-src 'none'"),
      ])
  }
}

import PipelineSandboxServers
import PipelineTestSupport

extension TestClient {
  convenience init(_ server: SandboxServer) throws(Failure) { try self.init(port: server.port) }
}

extension SandboxServer {
  /// One request on a connection of its own.
  func request(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String = ""
  ) throws -> TestClient.Answer {
    try TestClient(self).request(method, target, headers: headers, body: body)
  }

  /// Asks the server until `condition` holds: each answer shows that earlier events are handled.
  func reaches(_ condition: () -> Bool) throws -> Bool {
    for _ in 0..<2000 {
      if condition() { return true }
      _ = try request("GET", "/status/200")
    }
    return false
  }
}

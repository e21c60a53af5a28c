import CurlTransports
import PipelineKit
import PipelineSandboxServers
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Many pipelines that an app keeps.
@Suite(.ownThreads) struct KeptPipelineTests {
  private let text = """
    {"inputs": {"api": {"type": "string"}},
     "steps": [{"id": "user", "endpoint": "GET {{inputs.api}}/users/7",
       "extract": {"name": "$.name"}}],
     "outputs": {"name": "{{user.name}}"}}
    """

  @Test func aHundredShareConnectionsAndThreads() async throws {
    let sandbox = try SandboxServer.start()
    defer { sandbox.stop() }
    let inputs: [String: JSONValue] = ["api": .string(sandbox.origin + "/bank")]
    let pipelines = try (0..<100).map { _ in try Pipeline(text) }
    for pipeline in pipelines {
      #expect(pipeline.transport as AnyObject === CurlTransport.shared)
    }
    // The first run opens a connection on the thread that it takes.
    try await pipelines[0].run(inputs: inputs).result.get()
    let threads = Self.threadCount
    var newConnections = 0
    for pipeline in pipelines {
      let run = pipeline.run(inputs: inputs)
      for await event in run.events() {
        if case .requestFinished(let request) = event.kind, !request.timings.reusedConnection {
          newConnections += 1
        }
      }
      try await run.result.get()
    }
    // Other tests use the transport, too, and may take the connection meanwhile.
    #expect(newConnections < 10)
    print("100 pipelines: \(newConnections) connections, \(threads) → \(Self.threadCount) threads")
  }

  /// The threads of the process; 0 where it does not say.
  private static var threadCount: Int {
    #if canImport(Glibc)
      guard let folder = opendir("/proc/self/task") else { return 0 }
      defer { closedir(folder) }
      var count = -2
      while readdir(folder) != nil { count += 1 }
      return count
    #else
      return 0
    #endif
  }
}

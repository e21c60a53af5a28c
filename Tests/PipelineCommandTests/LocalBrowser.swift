import PipelineKit
import PipelineTestSupport
import Synchronization
import Testing

@testable import PipelineCommand

/// The person who logs in, and what their browser does with addresses of this machine.
enum LocalBrowser {
  /// The first answer; a redirect is not followed.
  static func visit(_ address: String) throws -> TestClient.Answer {
    let rest = try #require(address.split(separator: "://").last)
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let port = try #require(parts[0].split(separator: ":").last.flatMap { UInt16($0) })
    let client = try TestClient(port: port)
    let target = "/" + (parts.count > 1 ? parts[1] : "")
    client.send("GET \(target) HTTP/1.1\r\nHost: \(parts[0])\r\nConnection: close\r\n\r\n")
    return try client.answer()
  }

  /// Where an address redirects to.
  static func redirect(_ address: String) throws -> String {
    let answer = try visit(address)
    #expect(answer.status == 302, "\(answer.text)")
    return try #require(answer.header("Location"))
  }

  /// Runs a command, and acts when a line of its messages is there.
  ///
  /// - Parameters:
  ///   - start: How the line begins.
  ///   - act: Given the rest of it.
  static func play(
    _ arguments: [String], environment: [String: String], line start: String,
    _ act: (String) throws -> Void
  ) async throws -> Outcome {
    let (output, error) = (CapturedStream(), CapturedStream())
    let hasEnded = Atomic(false)
    async let status = { () async -> PipelineCommand.ExitStatus in
      let console = Console(output: output, error: error, environment: environment)
      let status = await Program(console: console).main(arguments)
      hasEnded.store(true, ordering: .releasing)
      return status
    }()
    while !hasEnded.load(ordering: .acquiring) {
      let line = error.text.split(separator: "\n").first { $0.hasPrefix(start) }
      if let line, error.text.contains("Waiting") {
        try act(String(line.dropFirst(start.count)))
        break
      }
      await Task.yield()
    }
    return Outcome(status: await status, output: output.text, error: error.text)
  }
}

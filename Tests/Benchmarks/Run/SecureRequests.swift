import CurlTransports
import Foundation
import PipelineKit
import Synchronization

/// Requests over TLS, many on one connection (HTTP/2) and with a connection each (HTTP/1.1).
struct SecureRequests {
  let rounds: Int
  let server: BenchmarkServer
  let processes: Subprocess

  private static let count = 10_000

  func measurements() async throws -> [Measurement] {
    var measurements: [Measurement] = []
    guard let secure = server.nginx?.secure else {
      var measurement = Measurement("K", "requests over TLS")
      measurement.skipped = Tool.missing("nginx", "openssl")
      return [measurement]
    }
    for (name, option, origin) in [
      ("HTTP/2", "--http2", secure.http2), ("HTTP/1.1", "--http1.1", secure.http1),
    ] {
      var measurement = Measurement("K", "10,000 requests over TLS, \(name), 64 at once")
      var ours = Figures(name: "pipeline", unit: .requestsPerSecond)
      var theirs = Figures(name: "curl --parallel", unit: .requestsPerSecond)
      for round in 0...rounds {
        let (seconds, connections) = try await run(origin, secure.authority)
        let other = try curl(origin, option, secure.authority)
        guard round > 0 else { continue }
        ours.values.append(Double(Self.count) / seconds)
        if let other { theirs.values.append(Double(Self.count) / other) }
        measurement.notes = ["connections opened by pipeline: \(connections)"]
      }
      measurement.subject = ours
      if theirs.values.isEmpty {
        measurement.skipped = "the baseline: " + Tool.missing("curl")
      } else {
        measurement.baseline = theirs
        measurement.judge(ours.median / theirs.median)
      }
      measurements.append(measurement)
    }
    return measurements
  }

  /// How long it takes on a new transport, and how many connections that opens.
  private func run(
    _ origin: String, _ authority: String
  ) async throws -> (seconds: Double, connections: Int) {
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    let opened = Opened()
    var options = RunOptions()
    options.files = AuthorityFile()
    options.observer = { event in
      guard case .requestFinished(let request) = event.kind else { return }
      if !request.timings.reusedConnection { opened.count.add(1, ordering: .relaxed) }
    }
    let pipeline = try Pipeline(
      """
      {"limits":{"concurrency":64},"defaults":{"tls":{"ca":"\(authority)"}},"steps":[{"id":"user",
      "forEach":{"from":1,"to":\(Self.count)},"as":"id","endpoint":"GET \(origin)/items/{{id}}",
      "extract":{"email":"$.email","name":"$.name"}}],"outputs":{"last":"{{user[0].name}}"}}
      """, transport: transport, options: options)
    let seconds = try await pipeline.secondsOfRun()
    return (seconds, opened.count.load(ordering: .relaxed))
  }

  private func curl(_ origin: String, _ option: String, _ authority: String) throws -> Double? {
    guard let curl = Tool.path("curl") else { return nil }
    let config = processes.folder.appendingPathComponent("secure").path
    try (1...Self.count).map { "url = \"\(origin)/items/\($0)\"\noutput = \"/dev/null\"" }
      .joined(separator: "\n").write(toFile: config, atomically: true, encoding: .utf8)
    return try processes.run([
      curl, option, "--parallel", "--parallel-max", "64", "--cacert", authority, "-s", "-K", config,
    ]).seconds
  }

  private final class Opened: Sendable {
    let count = Atomic(0)
  }

  /// Reads files by their whole path: the certificate to trust.
  private struct AuthorityFile: FileAccess {
    func read(_ path: String) throws(FileError) -> [UInt8] {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw FileError("'\(path)' cannot be read")
      }
      return Array(data)
    }

    func resolve(_ path: String) throws(FileError) -> String { path }

    func save(_ bytes: [UInt8], to path: String) throws(FileError) {
      throw FileError("'\(path)' cannot be written: benchmarks save nothing")
    }
  }
}

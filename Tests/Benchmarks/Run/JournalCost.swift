import CurlTransports
import Foundation
import PipelineKit
import PipelineTesting
import SQLiteJournals

/// Case O: what a journal costs, and what it saves.
struct JournalCost {
  let rounds: Int
  let isQuick: Bool
  let server: BenchmarkServer
  let folder: URL

  func measurements() async throws -> [Measurement] {
    let gets = isQuick ? 20_000 : 200_000
    return try await [
      beside(
        "\(gets) GETs at 64 at once, with a journal", goal: 1.1,
        """
        {"limits":{"concurrency":64,"requests":2000000,"items":2000000},"steps":[{"id":"user",
        "forEach":{"from":1,"to":\(gets)},"as":"id","endpoint":"GET \(server.itemsURL){{id}}",
        "extract":{"email":"$.email","name":"$.name"}}],"outputs":{"last":"{{user[0].name}}"}}
        """),
      beside(
        "2,000 POSTs at 64 at once, with a journal", goal: 1.5,
        """
        {"limits":{"concurrency":64},"steps":[{"id":"order","forEach":{"from":1,"to":2000},"as":"id",
        "endpoint":"POST sandbox:/slow/{{id}}?ms=1","body":{"json":{"n":"{{id}}"}},
        "extract":{"id":"$.id"}}],"outputs":{"last":"{{order[0].id}}"}}
        """),
      start(), resume(),
    ]
  }

  private var options: RunOptions {
    var options = RunOptions()
    options.sandboxOrigin = server.sandboxOrigin
    return options
  }

  private var store: RunStore { RunStore(path: folder.appendingPathComponent("runs").path) }

  /// With a journal and without, in turns.
  private func beside(_ title: String, goal: Double, _ workflow: String) async throws -> Measurement
  {
    var measurement = Measurement("O", title)
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var pipeline = try Pipeline(workflow, transport: transport, options: options)
    var kept = Figures(name: "with", unit: .seconds)
    var plain = Figures(name: "without", unit: .seconds)
    for round in 0...rounds {
      pipeline.options.journal = nil
      let without = try await pipeline.secondsOfRun()
      let id = UUID().uuidString
      pipeline.options.journal = try store.create(id: id)
      let with = try await pipeline.secondsOfRun()
      pipeline.options.journal = nil
      if round == 0, let size = size(id) { measurement.notes.append(size) }
      try store.delete(id: id)
      guard round > 0 else { continue }
      kept.values.append(with)
      plain.values.append(without)
    }
    measurement.subject = kept
    measurement.baseline = plain
    measurement.judge(kept.median / plain.median, .times, .atMost(goal))
    return measurement
  }

  private func size(_ id: String) -> String? {
    let path = store.path + "/" + id + "/journal.sqlite"
    let sizes = ["", "-wal"].compactMap {
      try? FileManager.default.attributesOfItem(atPath: path + $0)[.size] as? Int
    }
    return "journal of " + String(format: "%.1f MB", Double(sizes.reduce(0, +)) / 1e6)
  }

  private func start() async throws -> Measurement {
    var measurement = Measurement("O", "a run of 7 requests: what a journal adds")
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var pipeline = try Pipeline(
      """
      {"steps":[{"id":"user","forEach":{"from":1,"to":7},"as":"id",
      "endpoint":"GET \(server.itemsURL){{id}}","extract":{"email":"$.email"}}]}
      """, transport: transport, options: options)
    var kept = Figures(name: "with", unit: .milliseconds)
    var plain = Figures(name: "without", unit: .milliseconds)
    for round in 0...40 {
      pipeline.options.journal = nil
      let without = try await pipeline.secondsOfRun()
      let id = UUID().uuidString
      let start = ContinuousClock.now
      pipeline.options.journal = try store.create(id: id)
      _ = try await pipeline.secondsOfRun()
      let with = (ContinuousClock.now - start).inSeconds
      pipeline.options.journal = nil
      try store.delete(id: id)
      guard round > 0 else { continue }
      kept.values.append(with * 1e3)
      plain.values.append(without * 1e3)
    }
    measurement.subject = kept
    measurement.baseline = plain
    measurement.judge(kept.median - plain.median, .milliseconds, .atMost(6))
    return measurement
  }

  /// A run of which all units but the last thousandth are recorded, up to its first request.
  private func resume() async throws -> Measurement {
    let count = isQuick ? 100_000 : 1_000_000
    var measurement = Measurement("O", "resuming \(count) units, up to the first request")
    let answers = ScriptedTransport { _ in .json(["email": "someone@example.com"]) }
    let workflow = """
      {"limits":{"concurrency":64,"requests":2000000,"items":2000000,"memory":"4GB"},"steps":[
      {"id":"user","forEach":{"from":1,"to":\(count)},"as":"id","endpoint":"GET https://a.example/{{id}}",
      "extract":{"email":"$.email"}}],"outputs":{"last":"{{user[0].email}}"}}
      """
    let id = UUID().uuidString
    var pipeline = try Pipeline(
      workflow.replacing("\"to\":\(count)", with: "\"to\":\(count - count / 1000)"),
      transport: answers)
    pipeline.options.journal = try store.create(id: id)
    _ = try await pipeline.secondsOfRun()
    pipeline.options.journal = nil
    var figures = Figures(name: "pipeline", unit: .seconds)
    for _ in 0..<3 {
      let first = FirstRequest()
      var resumed = try Pipeline(workflow, transport: first)
      let start = ContinuousClock.now
      resumed.options.journal = try store.open(id: id)
      first.run = resumed.run()
      _ = try? await first.run?.result
      guard let time = first.time else { throw Subprocess.Failed(description: "nothing was sent") }
      figures.values.append((time - start).inSeconds)
      first.run = nil
    }
    try store.delete(id: id)
    measurement.subject = figures
    measurement.judge(figures.median, .seconds, isQuick ? nil : .atMost(2))
    return measurement
  }

  /// Notes when the first request comes, and ends the run.
  private final class FirstRequest: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var first: ContinuousClock.Instant?
    var run: Run?

    var time: ContinuousClock.Instant? { lock.withLock { first } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      lock.withLock { if first == nil { first = .now } }
      run?.cancel()
      throw TransportError(.cancelled, "the first request has come")
    }
  }
}

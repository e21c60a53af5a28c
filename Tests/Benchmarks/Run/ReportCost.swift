import CurlTransports
import Foundation
import PipelineKit
import PipelineReports

/// Case Q: what all reports together cost.
struct ReportCost {
  let rounds: Int
  let isQuick: Bool
  let server: BenchmarkServer

  func measurements() async throws -> [Measurement] {
    let gets = isQuick ? 20_000 : 200_000
    var measurement = Measurement("Q", "\(gets) GETs at 64 at once, with all reports")
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var options = RunOptions()
    options.sandboxOrigin = server.sandboxOrigin
    options.keptEvents = 0
    var pipeline = try Pipeline(
      """
      {"limits":{"concurrency":64,"requests":2000000,"items":2000000},"steps":[{"id":"user",
      "forEach":{"from":1,"to":\(gets)},"as":"id","endpoint":"GET \(server.itemsURL){{id}}",
      "extract":{"email":"$.email","name":"$.name"}}],"outputs":{"last":"{{user[0].name}}"}}
      """, transport: transport, options: options)
    var reported = Figures(name: "with", unit: .seconds)
    var plain = Figures(name: "without", unit: .seconds)
    for round in 0...rounds {
      pipeline.options.observer = nil
      let without = try await pipeline.secondsOfRun()
      let collector = TraceCollector()
      pipeline.options.observer = collector.receive
      let start = ContinuousClock.now
      _ = try await pipeline.secondsOfRun()
      let trace = collector.trace()
      let sizes = ReportKind.allCases.map { $0.text(of: trace).utf8.count }
      let with = (ContinuousClock.now - start).inSeconds
      if round == 0 {
        measurement.notes.append("\(sizes.reduce(0, +) / 1_000) KB of reports")
        continue
      }
      reported.values.append(with)
      plain.values.append(without)
    }
    measurement.subject = reported
    measurement.baseline = plain
    measurement.judge(reported.median / plain.median, .times, .atMost(1.1))
    return [measurement]
  }
}

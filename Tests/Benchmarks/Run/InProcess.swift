import CurlTransports
import Foundation
import PipelineKit
import Synchronization
import URLSessionTransports

/// Cases that run the engine inside of this process.
struct InProcess {
  let rounds: Int
  let server: BenchmarkServer
  let processes: Subprocess

  var cases: [(String, () async throws -> [Measurement])] {
    [
      ("B", againstURLSession), ("C", { [try await beside("C", concurrency: 64, goal: 0.4)] }),
      ("D", { [try await beside("D", concurrency: 1024, goal: 0.4)] }), ("E", chain),
      ("F", graphs), ("L", timelines), ("N", join),
    ]
  }

  private func items(_ count: Int, concurrency: Int) -> String {
    """
    {"limits":{"concurrency":\(concurrency)},"steps":[{"id":"user",
    "forEach":{"from":1,"to":\(count)},"as":"id","endpoint":"GET \(server.itemsURL){{id}}",
    "extract":{"email":"$.email","name":"$.name"}}],"outputs":{"last":"{{user[0].name}}"}}
    """
  }

  /// How long a run takes; `requests` are to be reported as finished by its events.
  private func seconds(
    _ workflow: String, _ transport: any Transport, requests: Int
  ) async throws -> Double {
    let finished = Count()
    var options = RunOptions()
    options.sandboxOrigin = server.sandboxOrigin
    options.observer = { event in
      if case .requestFinished = event.kind { finished.value.add(1, ordering: .relaxed) }
    }
    let pipeline = try Pipeline(workflow, transport: transport, options: options)
    let seconds = try await pipeline.secondsOfRun()
    let count = finished.value.load(ordering: .relaxed)
    guard count == requests else {
      throw Subprocess.Failed(description: "\(count) of \(requests) requests were reported")
    }
    return seconds
  }

  private final class Count: Sendable {
    let value = Atomic(0)
  }

  private func wrk(_ connections: Int) throws -> Double? {
    guard let wrk = Tool.path("wrk") else { return nil }
    let text = try processes.run(
      [wrk, "-t1", "-c\(connections)", "-d2s", "\(server.itemsURL)7"], output: .captured
    ).output
    let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
    return line.flatMap { Double($0.dropFirst(13).trimmingCharacters(in: .whitespaces)) }
  }

  private func race(
    _ measurement: Measurement, _ workflow: String, requests: Int, connections: Int, goal: Double
  ) async throws -> Measurement {
    var measurement = measurement
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var ours = Figures(name: "pipeline", unit: .requestsPerSecond)
    var theirs = Figures(name: "wrk", unit: .requestsPerSecond)
    for round in 0...rounds {
      let rate = Double(requests) / (try await seconds(workflow, transport, requests: requests))
      let other = try wrk(connections)
      guard round > 0 else { continue }
      ours.values.append(rate)
      if let other { theirs.values.append(other) }
    }
    measurement.subject = ours
    guard !theirs.values.isEmpty else {
      measurement.skipped = "the baseline: " + Tool.missing("wrk")
      return measurement
    }
    measurement.baseline = theirs
    measurement.judge(ours.median / theirs.median, .times, .atLeast(goal))
    return measurement
  }

  private func beside(
    _ letter: String, concurrency: Int, goal: Double
  ) async throws -> Measurement {
    raiseDescriptorLimit()
    return try await race(
      Measurement(letter, "40,000 requests, \(concurrency) at once"),
      items(40_000, concurrency: concurrency), requests: 40_000, connections: concurrency,
      goal: goal)
  }

  private func chain() async throws -> [Measurement] {
    let steps = (0..<2000).map { number in
      let id = number == 0 ? "7" : "{{s\(number - 1).id}}"
      return
        #"{"id":"s\#(number)","endpoint":"GET \#(server.itemsURL)\#(id)","extract":{"id":"$.id"}}"#
    }
    return [
      try await race(
        Measurement("E", "a chain of 2,000 requests"),
        #"{"steps":[\#(steps.joined(separator: ","))],"outputs":{"x":"{{s1999.id}}"}}"#,
        requests: 2000, connections: 1, goal: 0.55)
    ]
  }

  private func againstURLSession() async throws -> [Measurement] {
    var measurement = Measurement("B", "GETs at 64 at once, in this process")
    let curl = CurlTransport(.init(keepsMemory: true))
    defer { curl.shutdown() }
    let session = URLSessionTransport()
    var ours = Figures(name: "CurlTransport", unit: .requestsPerSecond)
    var theirs = Figures(name: "URLSession", unit: .requestsPerSecond)
    for round in 0...rounds {
      let fast = try await seconds(items(10_000, concurrency: 64), curl, requests: 10_000)
      let slow = try await seconds(items(2000, concurrency: 64), session, requests: 2000)
      guard round > 0 else { continue }
      ours.values.append(10_000 / fast)
      theirs.values.append(2000 / slow)
    }
    measurement.subject = ours
    measurement.baseline = theirs
    measurement.judge(ours.median / theirs.median, .times, .atLeast(12))
    measurement.notes.append("10,000 requests, with URLSession 2,000")
    return [measurement]
  }

  private func raiseDescriptorLimit() {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    setrlimit(resource, &limit)
  }

  private func graphs() async throws -> [Measurement] {
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var measurements: [Measurement] = []
    for shape in ["wide", "deep", "random"] {
      let small = try Pipeline(graph(shape, 10_000), transport: transport)
      let large = try Pipeline(graph(shape, 100_000), transport: transport)
      var tenth = Figures(name: "10,000 steps", unit: .seconds)
      var whole = Figures(name: "pipeline", unit: .seconds)
      // In turns, so that neither finds its plan in a cache because it ran a moment ago; many of
      // them, since a run of 5 ms says little.
      for turn in 0...10 * rounds {
        let tenthSeconds = try await small.secondsOfRun()
        let wholeSeconds = try await large.secondsOfRun()
        guard turn > 0 else { continue }
        tenth.values.append(tenthSeconds)
        whole.values.append(wholeSeconds)
      }
      var measurement = Measurement("F", "100,000 values steps, \(shape)")
      measurement.subject = whole
      measurement.judge(whole.median, .seconds, .atMost(0.5))
      var growth = Measurement("F", "the same to 10,000 steps, \(shape)")
      growth.baseline = tenth
      growth.judge(whole.median / tenth.median)
      measurements += [measurement, growth]
    }
    return measurements
  }

  private func graph(_ shape: String, _ count: Int) -> String {
    var seed: UInt64 = 42
    func earlier(than number: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % number
    }
    let steps = (0..<count).map { number -> String in
      var values = [#""v":\#(number)"#]
      if number > 0, shape == "deep" { values = [#""v":"{{s\#(number - 1).v}}""#] }
      if number > 0, shape == "random" {
        values += (0..<3).map { #""r\#($0)":"{{s\#(earlier(than: number)).v}}""# }
      }
      return #"{"id":"s\#(number)","values":{\#(values.joined(separator: ","))}}"#
    }
    let last = #""outputs":{"x":"{{s\#(count - 1).v}}"}"#
    return #"{"steps":[\#(steps.joined(separator: ","))],\#(last)}"#
  }

  /// Each of 8,000 rows looks for its own among 8,000 others.
  private func join() async throws -> [Measurement] {
    let rows = (0..<8000).map { #"{"id":\#($0),"name":"n\#($0)"}"# }.joined(separator: ",")
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    let pipeline = try Pipeline(
      """
      {"inputs":{"a":{"type":"array","default":[\(rows)]}},"steps":[{"id":"joined",
      "forEach":"$.inputs.a","as":"x","values":{"hit":"$.inputs.a[?@.id == {{x.id}}].name"}}],
      "outputs":{"last":"{{joined[7999].hit[0]}}"}}
      """, transport: transport)
    var figures = Figures(name: "pipeline", unit: .seconds)
    for round in 0...rounds {
      let seconds = try await pipeline.secondsOfRun()
      if round > 0 { figures.values.append(seconds) }
    }
    var measurement = Measurement("N", "a join of 8,000 rows with 8,000 rows")
    measurement.subject = figures
    measurement.judge(figures.median, .seconds, .atMost(0.3))
    return [measurement]
  }

  private func timelines() async throws -> [Measurement] {
    let slow = "GET sandbox:/slow"
    let stages = """
      {"limits":{"concurrency":50},"steps":[{"id":"each","forEach":{"from":1,"to":1000},"as":"n",
      "steps":[
      {"id":"a","endpoint":"\(slow)/{{n}}?ms=20","extract":{"s":{"status":true}}},
      {"id":"b","endpoint":"\(slow)/{{a.s}}?ms=20","extract":{"s":{"status":true}}},
      {"id":"c","endpoint":"\(slow)/{{b.s}}?ms=20"}]}]}
      """
    let skewed = """
      {"steps":[{"id":"s1","endpoint":"\(slow)?ms=300"},
      {"id":"s2","endpoint":"\(slow)?ms=300","dependsOn":["s1"]},
      {"id":"s3","endpoint":"\(slow)?ms=300","dependsOn":["s2"]},
      {"id":"f","forEach":{"from":1,"to":100},"endpoint":"\(slow)?ms=50"},
      {"id":"g","endpoint":"\(slow)?ms=50","dependsOn":["f"]}]}
      """
    let transport = CurlTransport(.init(keepsMemory: true))
    defer { transport.shutdown() }
    var measurements: [Measurement] = []
    for (title, workflow, requests, ideal, goal) in [
      ("3 stages, 1,000 items of 20 ms, 50 at once", stages, 3000, 1.2, 1.15),
      ("a graph with one slow branch, to its critical path", skewed, 104, 0.9, 1.05),
    ] {
      var measurement = Measurement("L", title)
      var figures = Figures(name: "pipeline", unit: .seconds)
      for round in 0...rounds {
        let seconds = try await seconds(workflow, transport, requests: requests)
        if round > 0 { figures.values.append(seconds) }
      }
      measurement.subject = figures
      measurement.judge(figures.median / ideal, .times, .atMost(goal))
      measurements.append(measurement)
    }
    return measurements
  }
}

extension Pipeline {
  /// How long a run takes, which is to succeed.
  func secondsOfRun() async throws -> Double {
    let start = ContinuousClock.now
    let result = try await run().result
    let seconds = (ContinuousClock.now - start).inSeconds
    guard result.status == .succeeded else {
      let reason = result.report.failures.first?.failure.message
      throw Subprocess.Failed(description: "a run \(result.status): \(reason ?? "unknown")")
    }
    return seconds
  }
}

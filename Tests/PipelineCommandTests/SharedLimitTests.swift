import PipelineHTTPServers
import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// The limits that the processes of a run hand to each other.
@Suite(.ownThreads) struct SharedLimitTests {
  // MARK: A rate

  private static let second = 1_000_000_000

  /// Simulated processes that send as fast as one rate lets them.
  ///
  /// - Returns: When requests left, in order, from 0 on.
  private func times(
    _ rate: Limits.Rate, processes: Int, waiting: Int, seconds: Int
  ) -> [Int] {
    let origin = 1_790_000_000 * Self.second
    var text = ""
    var all: [Int] = []
    // The clocks of the machines differ a little.
    var ready = (0..<processes).map { origin + $0 * 1_000_000 }
    while let next = ready.indices.min(by: { ready[$0] < ready[$1] }),
      ready[next] < origin + seconds * Self.second
    {
      var window = SharedWindow(rate)
      window.read(text, at: ready[next])
      let times = window.reserve(waiting, at: ready[next])
      text = window.text
      all += times
      ready[next] = times.last ?? ready[next]
    }
    return all.map { $0 - origin }.filter { $0 < seconds * Self.second }.sorted()
  }

  private func most(_ times: [Int], in span: Int) -> Int {
    var (most, start) = (0, 0)
    for (index, time) in times.enumerated() {
      while times[start] <= time - span { start += 1 }
      most = max(most, index - start + 1)
    }
    return most
  }

  @Test(arguments: [1, 4, 16, 40], [(800, 1), (5, 1), (100, 10)])
  func processesTogetherUseTheWholeRateAndNoMore(_ processes: Int, _ rate: (Int, Int)) {
    let (count, per) = rate
    let seconds = LongTests.count(8, long: 20) * per
    let times = times(
      Limits.Rate(count: count, per: .seconds(per)), processes: processes, waiting: 8,
      seconds: seconds)
    #expect(most(times, in: per * Self.second) <= count)
    #expect(Double(times.count) >= 0.95 * Double(count * seconds / per), "\(times.count)")
  }

  @Test func manyGoAtOnceAfterAPause() {
    var window = SharedWindow(Limits.Rate(count: 10, per: .seconds(60)))
    let start = 1_790_000_000 * Self.second
    #expect(window.reserve(10, at: start) == Array(repeating: start, count: 10))
    // Those that follow keep an even distance, and the first of them waits for a whole span.
    let next = window.reserve(1, at: start)
    #expect(next[0] >= start + 60 * Self.second)
    #expect(window.reserve(1, at: start)[0] >= next[0] + 6 * Self.second)
    let later = start + 600 * Self.second
    #expect(window.reserve(10, at: later) == Array(repeating: later, count: 10))
  }

  @Test(arguments: [
    "x", "1 2\n", "5 0 0", "10 99999999999999999999 1\n", "10 0 9000000000000000000\n",
  ])
  func aDamagedFileCountsAsAUsedSpan(_ text: String) {
    var window = SharedWindow(Limits.Rate(count: 10, per: .seconds(1)))
    let now = 1_790_000_000 * Self.second
    window.read(text, at: now)
    #expect(window.reserve(1, at: now)[0] >= now + Self.second)
  }

  // MARK: Requests in flight

  @Test func sharesNeverExceedTheLimit() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      let limit = InFlight(
        run: Int.random(in: 1...20, using: &random), origin: Int.random(in: 1...20, using: &random))
      var (text, alive, inFlight) = ("", Set<String>(), [String: InFlight]())
      for _ in 0..<200 {
        let lease = "/a b/lease-\(Int.random(in: 0..<12, using: &random))"
        var places = SharedPlaces(text)
        if alive.contains(lease), Int.random(in: 0..<8, using: &random) == 0 {
          alive.remove(lease)
          inFlight[lease] = nil
          if Bool.random(using: &random) { places.giveBack(lease) }
        } else {
          alive.insert(lease)
          places.take(lease, of: limit, isAlive: { alive.contains($0) }) { share in
            // What is in flight ends sooner or later, and takes what is given.
            let old = inFlight[lease] ?? InFlight(run: 0, origin: 0)
            let new = InFlight(
              run: max(share.run, Int.random(in: 0...old.run, using: &random)),
              origin: max(share.origin, Int.random(in: 0...old.origin, using: &random)))
            inFlight[lease] = new
            return new
          }
        }
        text = places.text
        #expect(inFlight.values.reduce(0) { $0 + $1.run } <= limit.run)
        #expect(inFlight.values.reduce(0) { $0 + $1.origin } <= limit.origin)
      }
    }
  }

  /// The share of a process that was killed goes to the others.
  @Test func sharesAreEqualAndUseTheWholeLimit() {
    let limit = InFlight(run: 10, origin: .max)
    var places = SharedPlaces("")
    var shares: [String: Int] = [:]
    func take(_ names: [String], alive: [String]) {
      for _ in 0..<2 {
        for name in names {
          places.take(name, of: limit, isAlive: { alive.contains($0) }) { share in
            shares[name] = share.run
            return share
          }
        }
      }
    }
    take(["a"], alive: ["a"])
    #expect(shares == ["a": 10])
    take(["a", "b", "c"], alive: ["a", "b", "c"])
    #expect(shares == ["a": 4, "b": 3, "c": 3])
    take(["a", "c"], alive: ["a", "c"])
    #expect(shares["a"] == 5 && shares["c"] == 5)
    #expect(places.members.map(\.lease) == ["a", "c"])
  }

  // MARK: Parts

  /// Sixteen of forty shards, each a process: a burst of one span, and then the rate.
  @Test(
    .enabled(if: hasSQLite, "SQLite is not installed"),
    .enabled(if: ChildProcess.executable != nil, "the program is not built"))
  func sixteenProcessesKeepOneRate() async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let (burst, items) = (100, 1000)
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"rate": "\(burst)/500ms"},
       "steps": [{"id": "a", "forEach": {"from": 1, "to": \(items)},
         "endpoint": "GET /echo?n={{item}}"}]}
      """, to: "w.json")
    let words = ["--folder", folder.path + "/r", "--quiet"]
    let begun = await pipeline(["part", "begin", file, "--set", "api=" + server.origin] + words)
    #expect(begun.status == .success, "\(begun.error)")
    let start = ContinuousClock.now
    let processes = try (1...16).map { shard in
      try #require(
        ChildProcess(["part", "run", file, "--step", "a", "--shard", "\(shard)/40"] + words))
    }
    for process in processes { #expect(process.wait().status == 0) }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    let sent = server.records.requestCount
    #expect(sent == items / 40 * 16)
    let shortest = Double(sent - burst) / Double(2 * burst)
    #expect(duration >= 0.96 * shortest)
    // With a fixed share of a fortieth each, it would be 2.5 times as long. A busy machine may need
    // long to start them.
    if LongTests.areWanted { #expect(duration < 1.5 * shortest + 1) }
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func partsShareTheLimitsOfTheirFolder() async throws {
    let folder = TemporaryFolder()
    let server = try SandboxServer.start()
    defer { server.stop() }
    let file = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"rate": "500/1s", "ratePerOrigin": "400/1s", "concurrency": 3},
       "steps": [{"id": "a", "forEach": {"from": 1, "to": 12}, "endpoint": "GET /echo?n={{item}}",
         "extract": {"n": "$.query.n"}}],
       "outputs": {"n": "$.a[*].n"}}
      """, to: "w.json")
    let place = folder.path + "/r"
    @Sendable func part(_ words: [String]) async -> Outcome {
      await pipeline(["part"] + words + ["--folder", place, "--quiet"])
    }
    #expect(await part(["begin", file, "--set", "api=" + server.origin]).status == .success)
    let run = ["run", file, "--step", "a", "--shard"]
    async let first = part(run + ["1/3"])
    async let second = part(run + ["2/3"])
    let statuses = await [first.status, second.status]
    #expect(statuses == [.success, .success])
    let names = try FileSystem.system.names(folder.path + "/r/.limits")
    #expect(names.contains("rate") && names.contains("places"))
    #expect(names.contains { $0.hasPrefix("origin-http") }, "\(names)")
    // Those that have ended have given their shares back.
    #expect(folder.read("r/.limits/places") == "")
    // Other runs may share them, too, or a part is given a fixed share.
    let other = await part(run + ["3/3", "--limits", folder.path + "/all"])
    #expect(other.status == .success, "\(other.error)")
    #expect(folder.read("all/rate")?.isEmpty == false)
    let fixed = await part(run + ["1/1", "--share", "1/2"])
    #expect(fixed.status == .success, "\(fixed.error)")
    #expect(server.records.requests.count == 12)
    #expect(await part(["finish", file]).status == .success)
  }
}
